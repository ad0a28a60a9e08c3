// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// Portable Network Graphics: decoding and encoding.
///
/// Every color type, depth and interlacing of the third edition of the specification
/// (<https://www.w3.org/TR/png-3/>) is read; of an animation, the still image.
///
/// What decides pixels has to be right: a wrong checksum of a critical chunk or of the compressed
/// data, a malformed palette or `tRNS` chunk, a missing row or end are errors. The rest does not
/// stand in the way: ancillary chunks that are unknown, malformed or damaged are passed over, as
/// are surplus compressed data, palettes of grey images and bytes behind the end.
public enum PNG {
  /// Decodes a PNG file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file; those behind its `IEND` chunk are ignored.
  ///   - limits: What decoding may spend. Beyond what the limits forbid, nothing is allocated
  ///     for a size that the file declares without having the data for it.
  ///   - keepingDeepPixels: Whether 16-bit samples are returned as such, in addition.
  /// - Returns: The image.
  /// - Throws: `PNGError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits(), keepingDeepPixels: Bool = false
  ) throws(PNGError) -> DecodedImage {
    let contents = try PNGContents(file)
    let keepsDeepPixels = keepingDeepPixels && contents.header.bitDepth == 16
    var decoder = try PNGDecoder(contents, limits: limits, keepsDeepPixels: keepsDeepPixels)
    return try decoder.decode(file)
  }

  /// Decodes a PNG file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend.
  ///   - keepingDeepPixels: Whether 16-bit samples are returned as such, in addition.
  /// - Returns: The image.
  /// - Throws: `PNGError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits(), keepingDeepPixels: Bool = false
  ) throws(PNGError) -> DecodedImage {
    try decode(file.span, limits: limits, keepingDeepPixels: keepingDeepPixels)
  }

  /// Size and pixel format of a PNG file, from its first chunk alone.
  ///
  /// - Parameter file: The bytes of the file, or at least its first 33.
  /// - Returns: The header.
  /// - Throws: `PNGError` when they are not the start of a PNG file.
  public static func header(of file: Span<UInt8>) throws(PNGError) -> PNGHeader {
    var reader = try PNGChunkReader(file)
    return try PNGContents.header(try reader.next(in: file), in: file)
  }
}
