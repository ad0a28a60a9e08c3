// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The image as a PNG file: grey, color, or color with alpha, as its format has them.
  ///
  /// - Returns: The bytes of the file, the same for the same image.
  /// - Throws: `PNGError` when zlib has no memory.
  public func encodedAsPNG() throws(PNGError) -> [UInt8] {
    switch format {
    case .grey8: try PNG.encode(bytes, width: width, height: height, layout: .grey)
    case .rgb8: try PNG.encode(bytes, width: width, height: height, layout: .rgb)
    case .rgba8: try PNG.encode(bytes, width: width, height: height, layout: .rgba)
    case .bgra8: try converted(to: .rgba8).encodedAsPNG()
    }
  }
}
