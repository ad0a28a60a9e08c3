// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The flat indices of two elements that meet.
private struct IndexPair: TensorElement {
  let left: UInt32
  let right: UInt32

  static var elementType: ElementType { .uint64 }
}

/// An arithmetic that notes which elements of the operands meet.
private struct PairRecorder: BinaryArithmetic {
  func apply(_ left: UInt32, _ right: UInt32, _ steps: inout some Steps) -> IndexPair {
    IndexPair(left: left, right: right)
  }
}

extension BinaryLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let counts = [0, 1].map { node.input($0)?.tensor.type.shape.elementCount ?? 0 }
    let pairs = TensorBytes(
      zeroed: broadcast.shape.elementCount * MemoryLayout<IndexPair>.stride)
    let frame = TensorFrame(
      inputs: counts.map { .indices(count: $0) }, outputs: [pairs])
    try BinaryLoop<PairRecorder>(PairRecorder(), broadcast).evaluate(frame)
    guard let pair = pairs.element(output.flat, as: IndexPair.self),
      let left = node.term(0, Int(pair.left)), let right = node.term(1, Int(pair.right)),
      let a: Arithmetic.Left = node.value(0, Int(pair.left)),
      let b: Arithmetic.Right = node.value(1, Int(pair.right))
    else { return nil }
    return .init([left, right]) { steps in arithmetic.apply(a, b, &steps) }
  }
}
