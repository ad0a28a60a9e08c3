// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let addN = CatalogEntry(
    .addN, chapter: .elementwise, formula: "y[i] = x₀[i] + x₁[i] + … + xₙ₋₁[i]",
    versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .elements { types in
      Checked.product(types.outputElementCount, types.inputCount)
    }, reads: .everything
  ) { _ in AddN() }
}

/// `ADD_N`: the sum of two or more tensors of one shape.
///
/// Floats are added in the order of the inputs and, as by `ADD` without an activation, limited to
/// finite numbers after each addition; integers wrap. TFLite: `add_n.cc`, `AddN`
/// (`optimized_ops.h`) on one thread.
struct AddN: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...Int.max)
    let first = try node.input(0)
    for position in 1..<node.inputs.count {
      let input = try node.input(position)
      try input.expect(first.elementType, .input(position))
      guard input.shape == first.shape else {
        throw .invalid("shape \(input.shape) beside \(first.shape)", .input(position))
      }
    }
    let output = first.moved(to: first.shape, declared: try node.declaredOutput())
    let count = node.inputs.count
    switch first.elementType {
    case .float32: return Prepared(output, LoopKernel(AddNLoop(FiniteSum(), inputCount: count)))
    case .int32: return Prepared(output, LoopKernel(AddNLoop(WrappingSum(), inputCount: count)))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The sum of two floats, limited to finite numbers.
package struct FiniteSum: BinaryArithmetic {
  private let range = ActivationRange<Float>(
    -.greatestFiniteMagnitude, .greatestFiniteMagnitude)

  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    steps.activate(steps.sum(left, right), range)
  }
}

/// The sum of two integers modulo 2³².
package struct WrappingSum: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Int32, _ right: Int32, _ steps: inout some Steps) -> Int32 {
    steps.sum(left, right)
  }
}

/// The loop of `ADD_N`, input by input.
package struct AddNLoop<Sum: BinaryArithmetic>: SteppedLoop
where Sum.Left == Sum.Right, Sum.Right == Sum.Output {
  /// The sum of two elements.
  package let sum: Sum
  private let inputCount: Int

  /// The loop that adds `inputCount` inputs with `sum`.
  package init(_ sum: Sum, inputCount: Int) {
    self.sum = sum
    self.inputCount = inputCount
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Sum.Output.self)
    let first = frame.input(0, as: Sum.Left.self)
    for index in output.indices {
      steps.about(index)
      output[index] = steps.read(first, index)
    }
    for position in 1..<inputCount {
      try frame.checkProgress()
      let input = frame.input(position, as: Sum.Right.self)
      for index in output.indices {
        steps.about(index)
        output[index] = sum.apply(output[index], steps.read(input, index), &steps)
      }
    }
  }
}
