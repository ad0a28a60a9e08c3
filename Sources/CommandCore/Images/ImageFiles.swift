// SPDX-License-Identifier: Apache-2.0

package import ImageCodecs
package import ResourceLimits

/// Images as arguments.
package enum ImageFiles {
  /// The argument that is an image to read.
  package static let argument = ArgumentDescription(
    "image", "A PNG, JPEG, BMP, PPM, PGM or PBM file.", completion: .files(extensions))

  /// The endings of the names of images.
  package static let extensions = ImageFormat.allCases.flatMap(\.fileExtensions)
}

extension Console {
  /// The image in a file; `-` is standard input.
  package func image(at path: String) throws(CommandError) -> DecodedImage {
    try decodedImage(try read(path), path: path, limits: limits)
  }
}

/// The image in the bytes of a file; `path` names it in errors.
package func decodedImage(
  _ bytes: [UInt8], path: String, limits: Limits
) throws(CommandError) -> DecodedImage {
  do throws(ImageFileError) { return try ImageFile.decode(bytes, limits: limits) } catch {
    throw CommandError(error, file: path)
  }
}

extension CommandError {
  /// An image's error as a command's.
  package init(_ error: ImageFileError, file: String) {
    var location = file
    if case .png(let error) = error, let chunk = error.location?.chunk {
      location += ", chunk \(chunk)"
    }
    if let offset = error.offset { location += ", byte \(offset)" }
    self = .data(error.reason, location: location)
  }
}
