// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The image continued to the right and below by its outermost pixels.
  ///
  /// - Parameters:
  ///   - newWidth: Columns of the result, at least those of the image.
  ///   - newHeight: Rows of the result, at least those of the image.
  /// - Returns: The image, in the same format; unchanged when it has the size already.
  /// - Throws: `ImagingError.size` when the size is impossible or smaller than the image's.
  package func continued(
    toWidth newWidth: Int, height newHeight: Int
  ) throws(ImagingError) -> PixelBuffer {
    let count = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: format)
    guard newWidth >= width, newHeight >= height else {
      throw .size(width: newWidth, height: newHeight)
    }
    guard newWidth != width || newHeight != height else { return self }
    var continued: [UInt8] = []
    continued.reserveCapacity(count)
    for row in 0..<newHeight {
      let start = min(row, height - 1) * rowByteCount
      continued += bytes[start..<start + rowByteCount]
      let last = bytes[start + rowByteCount - format.channelCount..<start + rowByteCount]
      for _ in width..<newWidth { continued += last }
    }
    return PixelBuffer(
      checkedWidth: newWidth, height: newHeight, format: format, bytes: continued)
  }

  /// Copies another image of the same format in, its top left pixel at a position.
  ///
  /// - Throws: `ImagingError.outside` when it reaches over an edge; `.byteCount` for another
  ///   format.
  package mutating func place(_ part: PixelBuffer, x: Int, y: Int) throws(ImagingError) {
    guard part.format == format else {
      throw .byteCount(
        part.bytes.count, wanted: part.width * part.height * format.channelCount)
    }
    guard x >= 0, y >= 0, part.width <= width, part.height <= height, x <= width - part.width,
      y <= height - part.height
    else {
      throw .outside(
        PixelRect(x: x, y: y, width: part.width, height: part.height), width: width,
        height: height)
    }
    paste(part, x: x, y: y)
  }
}
