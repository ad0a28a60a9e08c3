// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A kernel that makes one output element of each input element.
protocol ElementKernel: BlockKernel {
  /// Elements in all.
  var elementCount: Int { get }

  /// Computes some elements of tensors that begin at `input` and `output`.
  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer)
}

extension ElementKernel {
  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() { unsafe compute(blocks[block], input, output) }
  }
}
