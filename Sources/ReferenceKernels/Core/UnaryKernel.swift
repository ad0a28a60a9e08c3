// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// What an element-wise operator of one operand computes per element.
package protocol UnaryArithmetic: Sendable {
  /// The operand's element.
  associatedtype Input: TensorElement
  /// The output's element.
  associatedtype Output: TensorElement

  /// One output element, and the steps to it.
  func apply(_ value: Input, _ steps: inout some Steps) -> Output

  /// What loops of this arithmetic do; `unary` where it is not said.
  static var kind: LoopFamily.Kind { get }

  /// Whether every operand is one that `apply` is defined for; throws where not.
  func check(_ input: Span<Input>) throws(KernelError)
}

extension UnaryArithmetic {
  package static var kind: LoopFamily.Kind { .unary }

  /// One output element.
  @inline(__always)
  package func apply(_ value: Input) -> Output {
    var steps = NoSteps()
    return apply(value, &steps)
  }

  package func check(_ input: Span<Input>) throws(KernelError) {}
}

/// The element-wise loop over one operand.
package struct UnaryLoop<Arithmetic: UnaryArithmetic>: KernelLoop {
  package static var family: LoopFamily? {
    LoopFamily(Arithmetic.kind, Arithmetic.Input.elementType)
  }
  package static var identity: KernelIdentity { KernelIdentity(Arithmetic.self) }

  /// What is computed per element.
  package let arithmetic: Arithmetic

  /// The loop of `arithmetic`.
  package init(_ arithmetic: Arithmetic) { self.arithmetic = arithmetic }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Arithmetic.Input.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    try arithmetic.check(input)
    for index in output.indices { output[index] = arithmetic.apply(input[index]) }
  }
}

/// The kernel of `UnaryLoop`.
package typealias UnaryKernel<Arithmetic: UnaryArithmetic> = LoopKernel<UnaryLoop<Arithmetic>>

extension LoopKernel {
  /// The loop of `arithmetic`.
  package convenience init<Arithmetic: UnaryArithmetic>(_ arithmetic: Arithmetic)
  where Loop == UnaryLoop<Arithmetic> {
    self.init(UnaryLoop(arithmetic))
  }
}
