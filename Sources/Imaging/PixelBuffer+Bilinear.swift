// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Mixes the four pixels around each output pixel's middle.
  ///
  ///     position = (i + ½) × (inputSize / outputSize) - ½      lower = ⌊position⌋, upper = lower + 1
  ///     top    = topLeft    + (topRight    - topLeft)    × (column's position - lower)
  ///     bottom = bottomLeft + (bottomRight - bottomLeft) × (column's position - lower)
  ///     pixel  = ⌊top + (bottom - top) × (row's position - lower) + ½⌋
  ///
  /// in 32-bit floats and this order; `lower` and `upper` are moved inside the image. Up to the
  /// rounding to whole numbers it is TensorFlow's `image.resize`, so the results are its results
  /// rounded, halves upward.
  func resizedBilinear(toWidth newWidth: Int, height newHeight: Int) -> PixelBuffer {
    let channelCount = format.channelCount
    let columns = BilinearTap.taps(from: width, to: newWidth)
    let rows = BilinearTap.taps(from: height, to: newHeight)
    var resized = [UInt8](repeating: 0, count: newWidth * newHeight * channelCount)
    let source = bytes.span
    var target = resized.mutableSpan
    var location = 0
    for row in rows {
      let upperRow = source.extracting(row.lower * rowByteCount..<(row.lower + 1) * rowByteCount)
      let lowerRow = source.extracting(row.upper * rowByteCount..<(row.upper + 1) * rowByteCount)
      for column in columns {
        let (left, right) = (column.lower * channelCount, column.upper * channelCount)
        for channel in 0..<channelCount {
          let top = mix(upperRow[left + channel], upperRow[right + channel], column.fraction)
          let bottom = mix(lowerRow[left + channel], lowerRow[right + channel], column.fraction)
          // Between 0 and 255, so that the conversion cannot trap.
          target[location + channel] = UInt8(top + (bottom - top) * row.fraction + 0.5)
        }
        location += channelCount
      }
    }
    return PixelBuffer(checkedWidth: newWidth, height: newHeight, format: format, bytes: resized)
  }

  @inline(__always)
  private func mix(_ first: UInt8, _ second: UInt8, _ fraction: Float) -> Float {
    Float(first) + (Float(second) - Float(first)) * fraction
  }
}

/// The two input pixels that an output pixel looks at in one direction.
struct BilinearTap {
  var lower: Int
  var upper: Int
  /// The weight of `upper`; that of `lower` is the rest to 1.
  var fraction: Float

  static func taps(from inputSize: Int, to outputSize: Int) -> [BilinearTap] {
    let scale = Float(inputSize) / Float(outputSize)
    return (0..<outputSize).map { index in
      BilinearTap(at: (Float(index) + 0.5) * scale - 0.5, inputSize: inputSize)
    }
  }

  /// The taps around a location, 0 being the middle of the first pixel; locations outside are
  /// those of the nearest edge.
  init(at location: Float, inputSize: Int) {
    let floor = location.rounded(.down)
    // Far outside, the fraction decides between two taps of the same pixel.
    let lower = Int(min(max(floor, -1), Float(inputSize)))
    self.lower = min(max(lower, 0), inputSize - 1)
    upper = min(max(lower + 1, 0), inputSize - 1)
    fraction = location - floor
  }
}
