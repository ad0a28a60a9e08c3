// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Lines of floats that are quantized at every evaluation.
struct HybridLines: LineFormat {
  private var lines: ByteLines
  private let format: HybridFormat
  private var affine = HybridAffine(scale: 1, zeroPoint: 0)

  /// Lines with the matrix of each group, of `columnCount` columns.
  init(
    _ matrices: ByteProduct.Matrices, columnCount: Int, _ format: HybridFormat,
    kernels: ByteMicrokernels
  ) {
    lines = ByteLines(
      matrices: matrices, columnCount: columnCount, scalings: [],
      activations: ByteActivations(zeroPoint: 0, isSigned: true), kernels: kernels)
    self.format = format
  }

  /// Lines of an image whose quantized values stand for `affine`.
  func of(_ affine: HybridAffine) -> HybridLines {
    var lines = self
    lines.affine = affine
    lines.lines.activations = ByteActivations(zeroPoint: affine.zeroPoint, isSigned: true)
    return lines
  }

  var tileRows: Int { lines.tileRows }
  var elementByteCount: Int { 1 }
  var resultByteCount: Int { 4 }
  var copiedElementByteCount: Int { lines.copiedElementByteCount }
  var columnCount: Int { lines.columnCount }
  var weightByteCount: Int { lines.weightByteCount }
  var scratchByteCount: Int { lines.scratchByteCount }

  func copy(_ pieces: LinePieces, to target: UnsafeMutableRawPointer) {
    unsafe lines.copy(pieces, to: target)
  }

  func pad(_ target: UnsafeMutableRawPointer, count: Int) {
    unsafe lines.pad(target, count: count)
  }

  func multiply(_ line: LineTask, group: Int) {
    let columns = group * columnCount..<(group + 1) * columnCount
    let (lineCount, rowCount) = unsafe (line.lines.count, line.windows.count)
    let lineByteCount = max(rowCount * columnCount, 1) * 4
    let step = max(ByteMicrokernels.sumsLimit / lineByteCount, 1)
    for start in stride(from: 0, to: lineCount, by: step) {
      let part = unsafe line.part(start..<min(start + step, lineCount))
      // Sums take as many bytes as the results that they become in place.
      unsafe lines.multiply(part, group: group)
      for index in unsafe 0..<part.lines.count {
        unsafe format.finish(
          part.output + index * part.outputLineStride, rowCount: rowCount,
          stride: part.outputStride, columns, affine, lines.kernels.hybrid)
      }
    }
  }
}

/// A hybrid convolution of few channels, as products of windows that are read where they overlap.
///
/// Results are the same as those of `HybridProduct`, bit for bit.
final class HybridLineProduct: HybridKernel {
  let images: HybridImages
  private let product: LineProduct<HybridLines>

  /// The products of `images`.
  init(_ product: LineProduct<HybridLines>, images: HybridImages) {
    self.product = product
    self.images = images
  }

  func blockCount(workerCount: Int) -> Int { product.blockCount(workerCount: workerCount) }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let locations = unsafe images.locations(frame)
    unsafe product.compute(
      locations.quantizedValues, to: frame.outputAddress(0), workerCount: workerCount, next: next
    ) { image in unsafe product.format.of(locations.affine(image)) }
  }
}
