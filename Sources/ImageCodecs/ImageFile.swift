// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// The formats of image files that can be read.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics.
  case png
  /// The Joint Photographic Experts Group's format.
  case jpeg
  /// The bitmap files of Windows and OS/2.
  case bmp
  /// Netpbm's bitmap, graymap and pixmap.
  case pnm

  /// The usual endings of file names, without the dot.
  public var fileExtensions: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg"]
    case .bmp: ["bmp"]
    case .pnm: ["ppm", "pgm", "pbm"]
    }
  }

  /// The format that the first bytes of a file announce, or nil.
  ///
  /// - Parameter file: The bytes of the file, or at least its first four.
  public init?(of file: Span<UInt8>) {
    let first = file.extracting(first: 4)
    let bytes = first.indices.map { first[$0] }
    if bytes.starts(with: [0x89] + "PNG".utf8) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if bytes.starts(with: "BM".utf8) {
      self = .bmp
    } else if bytes.count > 2, bytes[0] == UInt8(ascii: "P"), (0x31...0x36).contains(bytes[1]),
      (0x09...0x0D).contains(bytes[2]) || bytes[2] == 0x20 || bytes[2] == UInt8(ascii: "#")
    {
      self = .pnm
    } else {
      return nil
    }
  }
}

/// An image file of any format that can be read; its first bytes tell which.
public enum ImageFile {
  /// Decodes an image file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  /// - Returns: The image, as stored: its orientation is reported, not applied.
  /// - Throws: `ImageFileError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits()
  ) throws(ImageFileError) -> DecodedImage {
    switch try format(of: file) {
    case .png:
      do throws(PNGError) { return try PNG.decode(file, limits: limits) } catch {
        throw .png(error)
      }
    case .jpeg:
      do throws(JPEGError) { return try JPEG.decode(file, limits: limits) } catch {
        throw .jpeg(error)
      }
    case .bmp:
      do throws(BMPError) { return try BMP.decode(file, limits: limits) } catch {
        throw .bmp(error)
      }
    case .pnm:
      do throws(PNMError) { return try PNM.decode(file, limits: limits) } catch {
        throw .pnm(error)
      }
    }
  }

  /// Decodes an image file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  /// - Returns: The image, as stored: its orientation is reported, not applied.
  /// - Throws: `ImageFileError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits()
  ) throws(ImageFileError) -> DecodedImage {
    try decode(file.span, limits: limits)
  }

  /// Size and pixel format of an image file.
  ///
  /// - Parameter file: The bytes of the file.
  /// - Returns: The header.
  /// - Throws: `ImageFileError` when they are not the start of a file that can be decoded.
  public static func header(of file: Span<UInt8>) throws(ImageFileError) -> ImageFileHeader {
    switch try format(of: file) {
    case .png:
      do throws(PNGError) { return .png(try PNG.header(of: file)) } catch { throw .png(error) }
    case .jpeg:
      do throws(JPEGError) { return .jpeg(try JPEG.header(of: file)) } catch { throw .jpeg(error) }
    case .bmp:
      do throws(BMPError) { return .bmp(try BMP.header(of: file)) } catch { throw .bmp(error) }
    case .pnm:
      do throws(PNMError) { return .pnm(try PNM.header(of: file)) } catch { throw .pnm(error) }
    }
  }

  private static func format(of file: Span<UInt8>) throws(ImageFileError) -> ImageFormat {
    guard let format = ImageFormat(of: file) else { throw .format(ImageFileError.guess(file)) }
    return format
  }
}

/// The header of an image file.
public enum ImageFileHeader: Sendable, Hashable {
  /// That of a PNG file.
  case png(PNGHeader)
  /// That of a JPEG file.
  case jpeg(JPEGHeader)
  /// That of a BMP file.
  case bmp(BMPHeader)
  /// That of a PBM, PGM or PPM file.
  case pnm(PNMHeader)

  /// The file's format.
  public var format: ImageFormat {
    switch self {
    case .png: .png
    case .jpeg: .jpeg
    case .bmp: .bmp
    case .pnm: .pnm
    }
  }
}
