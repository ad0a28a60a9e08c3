// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The part of the image inside a rectangle.
  ///
  /// - Parameter rect: At least one pixel, all inside the image.
  /// - Returns: The pixels of the rectangle.
  /// - Throws: `ImagingError.outside` when the rectangle is empty or reaches over an edge.
  public func cropped(to rect: PixelRect) throws(ImagingError) -> PixelBuffer {
    guard rect.x >= 0, rect.y >= 0, rect.width >= 1, rect.height >= 1,
      rect.width <= width, rect.height <= height,
      rect.x <= width - rect.width, rect.y <= height - rect.height
    else { throw .outside(rect, width: width, height: height) }
    guard rect.width != width || rect.height != height else { return self }

    let channelCount = format.channelCount
    var part: [UInt8] = []
    part.reserveCapacity(rect.width * rect.height * channelCount)
    for row in rect.y..<rect.y + rect.height {
      let start = (row * width + rect.x) * channelCount
      part.append(contentsOf: bytes[start..<start + rect.width * channelCount])
    }
    return PixelBuffer(
      checkedWidth: rect.width, height: rect.height, format: format, bytes: part)
  }

  /// Copies another image of the same format in, its top left pixel at a position.
  ///
  /// - Precondition: It lies inside.
  mutating func paste(_ part: PixelBuffer, x: Int, y: Int) {
    precondition(part.format == format && x >= 0 && y >= 0)
    precondition(x + part.width <= width && y + part.height <= height)
    for row in 0..<part.height {
      let start = ((y + row) * width + x) * format.channelCount
      let source = row * part.rowByteCount
      bytes.replaceSubrange(
        start..<start + part.rowByteCount, with: part.bytes[source..<source + part.rowByteCount])
    }
  }
}
