// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A cell that runs over sequences from their start, and one that runs from their end.
package struct BothDirections<Cell: SteppedLoop>: SteppedLoop {
  package static var family: LoopFamily? { Cell.family }

  /// The cell that starts at the first step.
  package let forward: Cell
  /// The cell that starts at the last step.
  package let backward: Cell

  /// Cells in both directions.
  package init(forward: Cell, backward: Cell) {
    self.forward = forward
    self.backward = backward
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    try forward.evaluate(frame, &steps)
    try backward.evaluate(frame, &steps)
  }

  /// The kernel with its outputs; the cells share scratch tensors of the larger size.
  func prepared(_ outputs: [TensorType], scratch: [Int], _ other: [Int]) -> Prepared {
    Prepared(
      outputs: outputs, kernel: LoopKernel(self), scratch: zip(scratch, other).map(max))
  }
}

/// The outputs of a node with cells in both directions: one for each, or one for both, in which
/// the forward cell's results come first in each row.
struct DirectedOutputs {
  /// Where the forward cell's results go.
  let forward: SequenceOutput
  /// Where the backward cell's results go.
  let backward: SequenceOutput
  /// The outputs' types.
  let types: [TensorType]

  /// The outputs for results of these lengths, of a node with this input.
  ///
  /// - Throws: `KernelError` where the node has another number of outputs or other types.
  init(
    _ node: PrepareContext, input: Shape, _ forwardCount: Int, _ backwardCount: Int,
    areMerged: Bool
  ) throws(KernelError) {
    let (both, overflow) = forwardCount.addingReportingOverflow(backwardCount)
    guard !overflow else { throw .invalid("\(forwardCount) and \(backwardCount) outputs") }
    try node.expect(inputs: 0...48, outputs: areMerged ? 1 : 2)
    forward = SequenceOutput(position: 0, stride: areMerged ? both : forwardCount)
    backward = SequenceOutput(
      position: areMerged ? 0 : 1, stride: areMerged ? both : backwardCount,
      offset: areMerged ? forwardCount : 0)
    let counts = areMerged ? [both] : [forwardCount, backwardCount]
    var types: [TensorType] = []
    for position in counts.indices {
      let declared = try node.declaredOutput(position).elementType
      guard declared == .float32 else { throw .elementType(declared, .output(position)) }
      let shape = try Shape.checked(
        input.dimensions.dropLast() + [counts[position]], .output(position))
      types.append(TensorType(.float32, shape))
    }
    self.types = types
  }
}
