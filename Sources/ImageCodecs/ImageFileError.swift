// SPDX-License-Identifier: Apache-2.0

/// Why a file is not an image that can be decoded.
public enum ImageFileError: Error, Sendable, Hashable {
  /// The first bytes are those of no format that can be read; the name is that of the format
  /// that they are known to belong to.
  case format(String?)
  /// Something is wrong with a PNG file.
  case png(PNGError)
  /// Something is wrong with a JPEG file.
  case jpeg(JPEGError)
  /// Something is wrong with a BMP file.
  case bmp(BMPError)
  /// Something is wrong with a PBM, PGM or PPM file.
  case pnm(PNMError)

  /// What is wrong, without its location.
  public var reason: String {
    switch self {
    case .format(let name?): "\(name) data, not a PNG, JPEG, BMP or PNM file"
    case .format(nil): "not a PNG, JPEG, BMP or PNM file"
    case .png(let error): error.reason.description
    case .jpeg(let error): error.reason.description
    case .bmp(let error): error.reason.description
    case .pnm(let error): error.reason.description
    }
  }

  /// The byte of the file at which it was found, if it belongs to a location.
  public var offset: Int? {
    switch self {
    case .format: nil
    case .png(let error): error.location?.offset
    case .jpeg(let error): error.offset
    case .bmp(let error): error.offset
    case .pnm(let error): error.offset
    }
  }

  /// What first bytes that no decoder takes belong to.
  static func guess(_ file: Span<UInt8>) -> String? {
    let starts: [(bytes: [UInt8], name: String)] = [
      (Array("GIF8".utf8), "GIF"), (Array("RIFF".utf8), "RIFF (WebP)"),
      (Array("II*\0".utf8), "TIFF"), (Array("MM\0*".utf8), "TIFF"), (Array("P7\n".utf8), "PAM"),
      ([0, 0, 0, 0x0C, 0x6A, 0x50], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
      ([0xFF, 0x0A], "JPEG XL"), (Array("%PDF".utf8), "PDF"),
    ]
    return starts.first { start in
      file.count >= start.bytes.count
        && start.bytes.indices.allSatisfy { file[$0] == start.bytes[$0] }
    }?.name
  }
}

extension ImageFileError: CustomStringConvertible {
  /// One line, such as `the file ends early at byte 41`.
  public var description: String {
    switch self {
    case .format: reason
    case .png(let error): error.description
    case .jpeg(let error): error.description
    case .bmp(let error): error.description
    case .pnm(let error): error.description
    }
  }
}
