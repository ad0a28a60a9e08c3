// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The color of a pixel; opaque where the format has no alpha.
  ///
  /// - Precondition: The pixel lies in the image.
  /// - Parameters:
  ///   - column: From 0 at the left.
  ///   - row: From 0 at the top.
  /// - Returns: The color as it is stored.
  public func color(column: Int, row: Int) -> PixelColor {
    precondition(column >= 0 && column < width && row >= 0 && row < height)
    let start = (row * width + column) * format.channelCount
    let offsets = format.colorOffsets
    return PixelColor(
      red: bytes[start + offsets.red], green: bytes[start + offsets.green],
      blue: bytes[start + offsets.blue],
      alpha: format.alphaOffset.map { bytes[start + $0] } ?? 255)
  }
}
