// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// The bitmap files of Windows and OS/2: decoding.
///
/// Palettes of 1, 2, 4 and 8 bits, 16, 24 and 32 bits with any bit fields, run lengths of 4 and 8
/// bits, either order of rows and all versions of the header are read. Fields of other depths
/// are scaled to 8 bits and rounded. Alpha counts where the header has a mask for it. Pixels that
/// run lengths leave out have the palette's first color; what they give beyond the end of a row
/// is dropped.
///
/// Not read are embedded JPEG and PNG data and OS/2's Huffman and 24-bit run lengths.
public enum BMP {
  /// Decodes a BMP file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file; those behind its pixels are ignored.
  ///   - limits: What decoding may spend. Beyond what the limits forbid, nothing is allocated
  ///     for a size that the file declares without having the data for it.
  /// - Returns: The image.
  /// - Throws: `BMPError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits()
  ) throws(BMPError) -> DecodedImage {
    let decoder = try BMPDecoder(file, limits: limits)
    return try decoder.decode(file)
  }

  /// Decodes a BMP file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  /// - Returns: The image.
  /// - Throws: `BMPError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits()
  ) throws(BMPError) -> DecodedImage {
    try decode(file.span, limits: limits)
  }

  /// Size and pixel format of a BMP file.
  ///
  /// - Parameter file: The bytes of the file, or at least its headers.
  /// - Returns: The header.
  /// - Throws: `BMPError` when they are not the start of a BMP file that can be decoded.
  public static func header(of file: Span<UInt8>) throws(BMPError) -> BMPHeader {
    try BMPHeader(file)
  }
}
