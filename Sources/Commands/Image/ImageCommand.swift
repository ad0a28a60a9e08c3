// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import JSONDocuments
import ResourceLimits

/// `martlet image`: images and arrays.
enum ImageCommand {
  static let description = CommandDescription(
    "image", "Convert, resize and describe images.",
    subcommands: [
      ImageDecodeCommand.description, ImageEncodeCommand.description,
      ImageResizeCommand.description, ImageInfoCommand.description,
    ])

  /// The argument that is an image to read.
  static let image = ArgumentDescription(
    "image", "A PNG, JPEG, BMP, PPM, PGM or PBM file.", completion: .files(imageExtensions))

  /// The endings of the names of images.
  static let imageExtensions = ImageFormat.allCases.flatMap(\.fileExtensions)

  /// What a command that has written an image or array prints.
  static func document(width: Int, height: Int, output: String) -> JSON {
    [
      "schema": "martlet/image/1", "width": .integer(width), "height": .integer(height),
      "output": .string(output),
    ]
  }
}

extension Console {
  /// The image in a file; `-` is standard input.
  func image(at path: String) throws(CommandError) -> DecodedImage {
    try decodedImage(try read(path), path: path, limits: limits)
  }
}

/// The image in the bytes of a file; `path` names it in errors.
func decodedImage(
  _ bytes: [UInt8], path: String, limits: Limits
) throws(CommandError) -> DecodedImage {
  do throws(ImageFileError) { return try ImageFile.decode(bytes, limits: limits) } catch {
    throw CommandError(error, file: path)
  }
}

extension CommandError {
  /// An image's error as a command's.
  init(_ error: ImageFileError, file: String) {
    var location = file
    if case .png(let error) = error, let chunk = error.location?.chunk {
      location += ", chunk \(chunk)"
    }
    if let offset = error.offset { location += ", byte \(offset)" }
    self = .data(error.reason, location: location)
  }
}
