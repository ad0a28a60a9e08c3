// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `RESIZE_BILINEAR` of int8 quantized values: the same quantized values as the reference kernel.
///
/// The two lines of the image around a line of the result are joined once for all its pixels.
final class QuantizedResize: BlockKernel {
  /// Fractions for which sums fit 32 bits; others occur where sizes are beyond all proportion.
  private static let fractions: ClosedRange<Int64> = -1024...2048

  private let images: ResizedImages
  private let rows: FixedPointAxis
  private let columns: [BilinearColumn<Int32>]
  private let roundsAway: Bool
  private let kernels: FloatMicrokernels

  /// The resize of `loop`; nil where the result has so few columns that joining whole lines would
  /// be more work, or sums do not fit 32 bits.
  init?(_ loop: ResizeBilinearIntegerLoop<Int8>, _ set: MicrokernelSet) {
    let images = loop.images
    guard images.shape.elementCount > 0, images.suitsWholeLines,
      (0..<images.outputHeight).allSatisfy({
        Self.fractions.contains(loop.rows.location($0).fraction)
      })
    else { return nil }
    let locations = (0..<images.outputWidth).map { loop.columns.location($0) }
    guard locations.allSatisfy({ Self.fractions.contains($0.fraction) }) else { return nil }
    columns = locations.map {
      BilinearColumn(
        left: $0.first * images.depth, right: $0.second * images.depth,
        fraction: Int32($0.fraction))
    }
    self.images = images
    rows = loop.rows
    switch loop.rounding {
    case .double: roundsAway = true
    case .single: roundsAway = false
    }
    kernels = set.float
  }

  func blockCount(workerCount: Int) -> Int { images.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let blocks = images.blocks(workerCount: workerCount)
    let input = unsafe address.assumingMemoryBound(to: Int8.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Int8.self)
    let lineCount = images.width * images.depth
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: lineCount) { buffer in
      guard let joined = buffer.baseAddress else { return }
      while let block = next() {
        for line in blocks.lines(block) {
          let (image, row) = line.quotientAndRemainder(dividingBy: images.outputHeight)
          let location = rows.location(row)
          let first = unsafe input + image * images.height * lineCount
          let (upper, lower) = unsafe (
            first + location.first * lineCount, first + location.second * lineCount
          )
          unsafe columns.withUnsafeBufferPointer { columns in
            guard let locations = columns.baseAddress else { return }
            unsafe kernels.interpolate(
              IntegerBilinearLine(
                upper: upper, lower: lower, fraction: Int32(location.fraction), line: joined,
                elementCount: lineCount, columns: locations, count: columns.count,
                depth: images.depth, roundsAway: roundsAway,
                output: output + line * columns.count * images.depth))
          }
        }
      }
    }
  }
}
