// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// A kernel that makes one output element of each input element.
package protocol ElementKernel: RegionKernel {
  /// Elements in all.
  var elementCount: Int { get }
  /// Whether an element takes as many bytes in the output as in the input.
  var keepsSize: Bool { get }

  /// Computes some elements of tensors that begin at `input` and `output`, which may be the same.
  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer)

  /// The function with `operation` applied to its operand and its result, as in `x · f(x)`; nil
  /// where there is none.
  ///
  /// `resultIsLeft` tells whether the result is the operation's first operand.
  func gating(_ operation: any RowKernel, resultIsLeft: Bool) -> (any ElementKernel)?
}

extension ElementKernel {
  package var element: (any ElementKernel)? { self }

  package var keepsSize: Bool { true }

  package var inPlaceInputs: [Int] { keepsSize ? [0] : [] }

  package func gating(
    _ operation: any RowKernel, resultIsLeft: Bool
  ) -> (any ElementKernel)? { nil }

  package func blockCount(workerCount: Int) -> Int {
    ElementBlocks(elementCount, workerCount: workerCount).count
  }

  package func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    body(ElementBlocks(elementCount, workerCount: workerCount)[block])
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard ElementBlocks(elementCount, workerCount: 1).count == 1,
      let input = unsafe frame.inputAddress(0)
    else { return try evaluateBlocks(frame) }
    unsafe compute(0..<elementCount, input, frame.outputAddress(0))
  }

  package func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() { unsafe compute(blocks[block], input, output) }
  }
}
