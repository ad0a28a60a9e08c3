// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Resizes in one direction and then in the other, each with 8-bit results.
  ///
  /// The order shows in the last bit: columns come first, but when rows lose more than twice as
  /// many pixels as columns do, rows come first. So does Pillow since version 13; in all cases
  /// its earlier versions begin with columns.
  func resizedAntialiased(
    toWidth newWidth: Int, height newHeight: Int
  ) throws(ImagingError) -> PixelBuffer {
    let rowsFirst = newHeight < height && height - newHeight > 2 * (width - newWidth)
    _ = try PixelBuffer.byteCount(
      width: rowsFirst ? width : newWidth, height: rowsFirst ? newHeight : height, format: format)
    var image = premultiplied()
    if rowsFirst { image = image.antialiasedRows(newHeight) }
    if newWidth != width { image = image.antialiasedColumns(newWidth) }
    if !rowsFirst, newHeight != height { image = image.antialiasedRows(newHeight) }
    return image.unpremultiplied()
  }

  private func antialiasedColumns(_ newWidth: Int) -> PixelBuffer {
    let kernels = TriangleKernels(from: width, to: newWidth)
    let channelCount = format.channelCount
    var resized = [UInt8](repeating: 0, count: newWidth * height * channelCount)
    let source = bytes.span
    let weights = kernels.weights.span
    var target = resized.mutableSpan
    var location = 0
    for row in 0..<height {
      let line = source.extracting(row * rowByteCount..<(row + 1) * rowByteCount)
      for kernel in kernels.ranges {
        for channel in 0..<channelCount {
          var sum = TriangleKernels.half
          var index = kernel.firstPixel * channelCount + channel
          for tap in kernel.firstWeight..<kernel.firstWeight + kernel.count {
            // The weights' sum is about 2²², so that sums stay below 2³¹.
            sum &+= Int32(line[index]) &* weights[tap]
            index += channelCount
          }
          target[location + channel] = TriangleKernels.finish(sum)
        }
        location += channelCount
      }
    }
    return PixelBuffer(checkedWidth: newWidth, height: height, format: format, bytes: resized)
  }

  private func antialiasedRows(_ newHeight: Int) -> PixelBuffer {
    let kernels = TriangleKernels(from: height, to: newHeight)
    var resized = [UInt8](repeating: 0, count: newHeight * rowByteCount)
    var location = 0
    var sums = [Int32](repeating: 0, count: rowByteCount)
    for kernel in kernels.ranges {
      for index in sums.indices { sums[index] = TriangleKernels.half }
      for tap in 0..<kernel.count {
        let start = (kernel.firstPixel + tap) * rowByteCount
        accumulate(
          bytes.span.extracting(start..<start + rowByteCount),
          weight: kernels.weights[kernel.firstWeight + tap], into: &sums)
      }
      for sum in sums {
        resized[location] = TriangleKernels.finish(sum)
        location += 1
      }
    }
    return PixelBuffer(checkedWidth: width, height: newHeight, format: format, bytes: resized)
  }

  private func accumulate(_ line: Span<UInt8>, weight: Int32, into sums: inout [Int32]) {
    var sums = sums.mutableSpan
    precondition(sums.count == line.count)
    // The weights' sum is about 2²², so that sums stay below 2³¹.
    for index in line.indices { sums[index] &+= Int32(line[index]) &* weight }
  }
}

/// For every output pixel, the input pixels under a triangle around its middle and their weights.
///
/// The triangle reaches one output pixel to both sides when shrinking, one input pixel when
/// enlarging. Weights are numbers of 22 fractional bits whose sum is 1, up to their rounding.
private struct TriangleKernels {
  struct Kernel {
    var firstPixel: Int
    var count: Int
    var firstWeight: Int
  }

  private(set) var ranges: [Kernel] = []
  private(set) var weights: [Int32] = []

  private static let fractionBits: Int32 = 22

  /// One half: what rounds when the fraction is cut off.
  static let half: Int32 = 1 << (fractionBits - 1)

  static func finish(_ sum: Int32) -> UInt8 {
    UInt8(clamping: sum >> fractionBits)
  }

  init(from inputSize: Int, to outputSize: Int) {
    let scale = Double(inputSize) / Double(outputSize)
    let reach = max(scale, 1)
    for output in 0..<outputSize {
      let center = (Double(output) + 0.5) * scale
      // Conversions cut towards zero.
      let first = max(0, Int(center - reach + 0.5))
      let end = min(inputSize, Int(center + reach + 0.5))
      var triangle: [Double] = []
      var sum = 0.0
      for pixel in first..<max(first, end) {
        let distance = abs((Double(pixel) - center + 0.5) * (1 / reach))
        let weight = distance < 1 ? 1 - distance : 0
        triangle.append(weight)
        sum += weight
      }
      ranges.append(
        Kernel(firstPixel: first, count: triangle.count, firstWeight: weights.count))
      for weight in triangle {
        let share = sum == 0 ? weight : weight / sum
        weights.append(Int32(0.5 + share * Double(1 << TriangleKernels.fractionBits)))
      }
    }
  }
}
