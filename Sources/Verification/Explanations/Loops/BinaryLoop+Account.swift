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
  func apply(_ left: UInt32, _ right: UInt32) -> IndexPair { IndexPair(left: left, right: right) }
}

/// An operator of two operands that can tell its steps.
protocol ExplainedBinary: BinaryArithmetic {
  /// The steps from the operands to the stored value.
  func explain(_ left: Left, _ right: Right, _ steps: inout StepList) -> StoredValue
}

extension BinaryLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
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
    var account = NodeAccount(terms: [left, right], steps: StepList())
    if let explained = arithmetic as? any ExplainedBinary,
      let result = Self.result(explained, a, b, &account.steps)
    {
      account.result = result
    } else {
      let result = StoredValue(arithmetic.apply(a, b))
      account.steps.add("result", "of the two elements, by the formula", result)
      account.result = result
    }
    return account
  }

  private static func result<Explained: ExplainedBinary>(
    _ arithmetic: Explained, _ left: Arithmetic.Left, _ right: Arithmetic.Right,
    _ steps: inout StepList
  ) -> StoredValue? {
    guard let left = left as? Explained.Left, let right = right as? Explained.Right else {
      return nil
    }
    return arithmetic.explain(left, right, &steps)
  }
}
