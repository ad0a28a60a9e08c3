// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A kernel that makes one output element of each input element.
protocol ElementKernel: RegionKernel, InPlaceKernel {
  /// Elements in all.
  var elementCount: Int { get }
  /// Bytes of an element, where it has as many in the input as in the output.
  var elementSize: Int? { get }

  /// Computes some elements of tensors that begin at `input` and `output`, which may be the same.
  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer)
}

extension ElementKernel {
  package var replaceableInputs: [Int] { elementSize == nil ? [] : [0] }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(elementCount, workerCount: workerCount).count
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    body(ElementBlocks(elementCount, workerCount: workerCount)[block])
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() { unsafe compute(blocks[block], input, output) }
  }
}
