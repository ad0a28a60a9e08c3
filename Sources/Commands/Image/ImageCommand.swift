// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Verification

/// `martlet image`: pictures and arrays.
enum ImageCommand {
  static let description = CommandDescription(
    "image", "Convert, resize and describe pictures.",
    subcommands: [
      ImageDecodeCommand.description, ImageEncodeCommand.description,
      ImageResizeCommand.description, ImageInfoCommand.description,
    ])

  /// The argument that is a picture to read.
  static let picture = ArgumentDescription(
    "picture", "A PNG, JPEG, BMP, PPM, PGM or PBM file.", completion: .files(pictureExtensions))

  /// The endings of the names of pictures.
  static let pictureExtensions = ImageFormat.allCases.flatMap(\.fileExtensions)

  /// `--output`, which the commands that make a file need.
  static func output(_ extensions: [String]) -> OptionDescription {
    .value(
      "output", letter: "o", "file", "The file to write; - is standard output.",
      completion: .files(extensions))
  }

  /// The path that `--output` gives.
  ///
  /// A document and a file cannot both go to standard output.
  static func output(_ arguments: ParsedArguments) throws(CommandError) -> String {
    guard let path = arguments.value("output") else { throw arguments.usage("missing '--output'") }
    if path == "-", arguments.flag("json") {
      throw arguments.usage("--json beside --output -, which both print on standard output")
    }
    return path
  }

  /// What a command that has written a picture or array prints.
  static func document(width: Int, height: Int, output: String) -> JSON {
    [
      "schema": "martlet/image/1", "width": .integer(width), "height": .integer(height),
      "output": .string(output),
    ]
  }
}

extension Console {
  /// The picture in a file; `-` is standard input.
  func picture(at path: String) throws(CommandError) -> DecodedImage {
    try decodedPicture(try read(path), path: path)
  }
}

/// The picture in the bytes of a file; `path` names it in errors.
func decodedPicture(_ bytes: [UInt8], path: String) throws(CommandError) -> DecodedImage {
  do throws(ImageFileError) { return try ImageFile.decode(bytes) } catch {
    throw CommandError(error, file: path)
  }
}

extension CommandError {
  /// A picture's error as a command's.
  init(_ error: ImageFileError, file: String) {
    var place = file
    if case .png(let error) = error, let chunk = error.location?.chunk {
      place += ", chunk \(chunk)"
    }
    if let offset = error.offset { place += ", byte \(offset)" }
    self = .data(error.reason, place: place)
  }
}
