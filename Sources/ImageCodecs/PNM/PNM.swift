// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// The portable bitmap, graymap and pixmap formats of Netpbm: decoding.
///
/// `P1` to `P6` are read: black and white (PBM), grey (PGM) and color (PPM), as text or as
/// bytes. Samples become 8 bits: those of a largest value of 65535 by dropping the low byte,
/// those of others scaled and rounded. Of a file with several images the first is read.
public enum PNM {
  /// Decodes a PBM, PGM or PPM file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file; those behind its pixels are ignored.
  ///   - limits: What decoding may spend. Nothing is allocated for a size that the file declares
  ///     without having the data for it.
  /// - Returns: The image.
  /// - Throws: `PNMError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits()
  ) throws(PNMError) -> DecodedImage {
    let header = try PNMHeader(file)
    var decoder = try PNMDecoder(header, byteCount: file.count, limits: limits)
    return try decoder.decode(file)
  }

  /// Decodes a PBM, PGM or PPM file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  /// - Returns: The image.
  /// - Throws: `PNMError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits()
  ) throws(PNMError) -> DecodedImage {
    try decode(file.span, limits: limits)
  }

  /// Size and kind of a PBM, PGM or PPM file.
  ///
  /// - Parameter file: The bytes of the file, or at least its header.
  /// - Returns: The header.
  /// - Throws: `PNMError` when they are not the start of such a file.
  public static func header(of file: Span<UInt8>) throws(PNMError) -> PNMHeader {
    try PNMHeader(file)
  }
}
