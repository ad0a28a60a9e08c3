// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension BatchMatMulLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let right = node.input(1)?.bytes, let record = try record(of: output.flat, in: node)
    else { return nil }
    let operands = ProductOperands(
      arithmetic: arithmetic, node: node, positions: FullyConnectedNest.positions, filter: right)
    return operands.derivation(record, start: 0)
  }

  private func record(of output: Int, in node: EvaluatedNode) throws(KernelError)
    -> TapRecorder.Record?
  {
    let counts = [0, 1].map { node.input($0)?.tensor.type.shape.elementCount ?? 0 }
    let left = TensorBytes.indices(count: counts[0])
    let right = TensorBytes.indices(count: counts[1])
    let results = TensorBytes(zeroed: node.outputs[0].tensor.type.shape.elementCount)
    let recorder = TapRecorder(wanted: output)
    try nest.forEachRow { start, row, matrix throws(KernelError) in
      var locations = results.mutableSpan(as: UInt8.self)
      nest.multiply(
        recorder, left.span(as: UInt32.self), row: row, right.span(as: UInt32.self),
        matrix: matrix, to: &locations, at: start)
    }
    return recorder.record
  }
}
