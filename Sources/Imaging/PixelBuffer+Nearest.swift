// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Takes input pixel `⌊(2i + 1) × inputSize / (2 × outputSize)⌋` for output pixel `i`.
  func resizedNearest(toWidth newWidth: Int, height newHeight: Int) -> PixelBuffer {
    let channelCount = format.channelCount
    let columns = (0..<newWidth).map { (2 * $0 + 1) * width / (2 * newWidth) * channelCount }
    var resized = [UInt8](repeating: 0, count: newWidth * newHeight * channelCount)
    let source = bytes.span
    var target = resized.mutableSpan
    var location = 0
    for row in 0..<newHeight {
      let start = (2 * row + 1) * height / (2 * newHeight) * rowByteCount
      for column in columns {
        for channel in 0..<channelCount {
          target[location + channel] = source[start + column + channel]
        }
        location += channelCount
      }
    }
    return PixelBuffer(checkedWidth: newWidth, height: newHeight, format: format, bytes: resized)
  }
}
