// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `ARG_MAX` and `ARG_MIN` along the innermost axis.
final class RowExtremum: BlockKernel {
  private let loops: AxisLoops
  private let search: any RowSearch
  private let indexIsWide: Bool

  /// The search of `loop` among 8-bit quantized values; nil where its axis is not the innermost
  /// one, or too long.
  convenience init?<Quantized, Index>(_ loop: ArgMinMaxLoop<Quantized, Index>)
  where Quantized: FixedWidthInteger {
    guard loop.loops.length <= QuantizedSearch.longest, Quantized.bitWidth == 8 else { return nil }
    self.init(loop, QuantizedSearch(isMaximum: loop.isMaximum, isSigned: Quantized.isSigned))
  }

  /// The search of `loop` among floats; nil where its axis is not the innermost one.
  convenience init?<Index>(_ loop: ArgMinMaxLoop<Float, Index>) {
    self.init(loop, FloatSearch(isMaximum: loop.isMaximum))
  }

  private init?<Element, Index>(_ loop: ArgMinMaxLoop<Element, Index>, _ search: any RowSearch) {
    guard loop.loops.innerCount == 1 else { return nil }
    loops = loop.loops
    self.search = search
    indexIsWide = Index.bitWidth == 64
  }

  private func blocks(_ workerCount: Int) -> ElementBlocks {
    ElementBlocks(loops.outerCount, rowLength: loops.length, workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe IndexOutput(address: frame.outputAddress(0), isWide: indexIsWide)
    let blocks = blocks(workerCount)
    while let block = next() {
      unsafe search.forEachLocation(in: blocks[block], of: input, rowLength: loops.length) {
        row, location in unsafe output.store(location, at: row)
      }
    }
  }
}
