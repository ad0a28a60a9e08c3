// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `RESIZE_BILINEAR` of floats and of uint8 quantized values: the same bits as the reference
/// kernel.
///
/// Where the result is no narrower, the two lines of the image around one of its lines are weighted once
/// for all its pixels; each pixel then needs half the products. The order of all roundings is the
/// reference kernel's.
final class FloatResize: BlockKernel {
  private let images: ResizedImages
  private let rows: BilinearAxis
  private let columns: [BilinearColumn<Float>]
  private let kernels: FloatMicrokernels
  private let isByte: Bool
  /// Whether whole lines are weighted.
  private let weighsLines: Bool

  /// The resize of `loop`; nil where the result has so few columns that converting whole lines would
  /// be more work.
  init?<Element: InterpolatedElement>(_ loop: ResizeBilinearLoop<Element>, _ set: MicrokernelSet) {
    let images = loop.images
    guard images.shape.elementCount > 0, MemoryLayout<Element>.size == 4 || images.suitsWholeLines
    else {
      return nil
    }
    self.images = images
    rows = loop.rows
    columns = (0..<images.outputWidth).map {
      let location = loop.columns.location($0)
      return BilinearColumn(
        left: location.first * images.depth, right: location.second * images.depth,
        fraction: location.fraction)
    }
    kernels = set.float
    isByte = MemoryLayout<Element>.size == 1
    weighsLines = isByte || images.width <= images.outputWidth
  }

  func blockCount(workerCount: Int) -> Int { images.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let blocks = images.blocks(workerCount: workerCount)
    let output = unsafe frame.outputAddress(0)
    let lineCount = images.width * images.depth
    let capacity = weighsLines ? 2 * lineCount : 1
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { buffer in
      guard let lines = buffer.baseAddress else { return }
      while let block = next() {
        for line in blocks.lines(block) {
          let (image, row) = line.quotientAndRemainder(dividingBy: images.outputHeight)
          let location = rows.location(row)
          let first = image * images.height
          guard weighsLines else {
            let image = unsafe input.assumingMemoryBound(to: Float.self) + first * lineCount
            unsafe interpolate(
              image + location.first * lineCount, image + location.second * lineCount,
              (1 - location.fraction, location.fraction), line, output)
            continue
          }
          unsafe weigh(
            input, (first + location.first) * lineCount, 1 - location.fraction, to: lines)
          unsafe weigh(
            input, (first + location.second) * lineCount, location.fraction, to: lines + lineCount)
          unsafe interpolate(lines, lines + lineCount, nil, line, output)
        }
      }
    }
  }

  /// A line of the image, from element `first` on, times `weight`.
  private func weigh(
    _ input: UnsafeRawPointer, _ first: Int, _ weight: Float, to line: UnsafeMutablePointer<Float>
  ) {
    let count = images.width * images.depth
    if isByte {
      let quantizedValues = unsafe input.assumingMemoryBound(to: UInt8.self) + first
      for index in 0..<count { unsafe line[index] = Float(quantizedValues[index]) * weight }
    } else {
      let values = unsafe input.assumingMemoryBound(to: Float.self) + first
      for index in 0..<count { unsafe line[index] = values[index] * weight }
    }
  }

  private func interpolate(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>,
    _ weights: (upper: Float, lower: Float)?, _ line: Int, _ output: UnsafeMutableRawPointer
  ) {
    let byteCount = images.outputWidth * images.depth * (isByte ? 1 : 4)
    unsafe columns.withUnsafeBufferPointer { columns in
      guard let locations = columns.baseAddress else { return }
      unsafe kernels.interpolate(
        BilinearLine(
          upper: upper, lower: lower, elementCount: images.width * images.depth,
          weights: weights, columns: locations, count: columns.count,
          depth: images.depth, output: output + line * byteCount), toBytes: isByte)
    }
  }
}
