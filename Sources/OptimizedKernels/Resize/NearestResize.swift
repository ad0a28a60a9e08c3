// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `RESIZE_NEAREST_NEIGHBOR`: pixels are copied whole, and lines that come again are copied from
/// the one before.
final class NearestResize: BlockKernel {
  private let images: ResizedImages
  private let rows: [Int]
  private let columns: [Int]
  private let pixelByteCount: Int

  /// The resize of `loop`; nil where there is nothing to write.
  init?<Unit: TensorElement>(_ loop: ResizeNearestNeighborLoop<Unit>) {
    let images = loop.neighbors.images
    guard images.shape.elementCount > 0 else { return nil }
    self.images = images
    pixelByteCount = images.depth * MemoryLayout<Unit>.stride
    rows = (0..<images.outputHeight).map { loop.neighbors.source(row: $0) }
    let pixel = pixelByteCount
    columns = (0..<images.outputWidth).map { loop.neighbors.source(column: $0) * pixel }
  }

  func blockCount(workerCount: Int) -> Int { images.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let blocks = images.blocks(workerCount: workerCount)
    let output = unsafe frame.outputAddress(0)
    let lineByteCount = columns.count * pixelByteCount
    while let block = next() {
      var last = -1
      for line in blocks.lines(block) {
        let (image, row) = line.quotientAndRemainder(dividingBy: images.outputHeight)
        let source = image * images.height + rows[row]
        let target = unsafe output + line * lineByteCount
        if source == last {
          unsafe target.copyMemory(from: target - lineByteCount, byteCount: lineByteCount)
        } else {
          unsafe copyLine(input + source * images.width * pixelByteCount, to: target)
        }
        last = source
      }
    }
  }

  private func copyLine(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    unsafe columns.withUnsafeBufferPointer { columns in
      for index in columns.indices {
        unsafe (target + index &* pixelByteCount).copyMemory(
          from: source + columns[index], byteCount: pixelByteCount)
      }
    }
  }
}
