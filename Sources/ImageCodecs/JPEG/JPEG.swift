// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// The Joint Photographic Experts Group's format (ITU-T T.81): decoding.
///
/// Baseline, extended sequential and progressive files with Huffman coding and 8-bit samples are
/// read: one, three or four components, any sampling factors, restart markers, any division into
/// scans. Samples are those of libjpeg's accurate integer transform ("islow"), halved chroma is
/// smoothed as libjpeg does it by default ("fancy" upsampling), colors are converted with libjpeg's
/// rounding: pixels are those of Pillow and of libjpeg-turbo. Of CMYK, the values are inverted, as
/// all writers store them, and mixed without a color profile.
///
/// What decides pixels has to be there: a file that ends before its `EOI` marker, an impossible
/// code or a missing restart marker is an error. The rest does not stand in the way: unknown
/// application data, fill bytes and junk before a marker are passed over. A progressive file
/// whose last scans are missing, but which ends properly, gives what its scans hold; it is not
/// smoothed.
public enum JPEG {
  /// Decodes a JPEG file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file; those behind its `EOI` marker are ignored.
  ///   - limits: What decoding may spend. Beyond what the limits forbid, nothing is allocated
  ///     for a size that the file declares without having the data for it.
  /// - Returns: The image, as stored: its orientation is reported, not applied.
  /// - Throws: `JPEGError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits()
  ) throws(JPEGError) -> DecodedImage {
    var decoder = try JPEGDecoder(file, limits: limits)
    return try decoder.decode(file)
  }

  /// Decodes a JPEG file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  /// - Returns: The image, as stored: its orientation is reported, not applied.
  /// - Throws: `JPEGError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits()
  ) throws(JPEGError) -> DecodedImage {
    try decode(file.span, limits: limits)
  }

  /// Size and kind of a JPEG file, from what stands before its first scan.
  ///
  /// - Parameter file: The bytes of the file, at least to its first `SOS` marker.
  /// - Returns: The header.
  /// - Throws: `JPEGError` when they are not the start of a JPEG file that can be decoded.
  public static func header(of file: Span<UInt8>) throws(JPEGError) -> JPEGHeader {
    var contents = try JPEGContents(file)
    _ = try contents.nextScan(in: file)
    return try contents.header()
  }
}
