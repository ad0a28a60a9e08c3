// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A function of one real number.
package protocol RealFunction: Sendable {
  /// Which function it is; nil where no loop is looked up by it.
  static var name: LoopFamily.Function? { get }

  /// The function's value at `x`.
  func callAsFunction(_ x: Float) -> Float

  /// The function to tabulate for quantized results, the least of which is `lowest`.
  func tabulated(lowest: Float) -> Self
}

extension RealFunction {
  package static var name: LoopFamily.Function? { nil }

  package func tabulated(lowest: Float) -> Self { self }

  /// The function as tables take it.
  package func ofTable(lowest: Float) -> @Sendable (Float) -> Float {
    let function = tabulated(lowest: lowest)
    return { function($0) }
  }
}

/// The function to tabulate for quantized results, the least of which is given.
///
/// Unlike a `RealFunction` it is no type of its own: tables are compiled once for all functions.
package typealias FunctionOfTable = (_ lowest: Float) -> @Sendable (Float) -> Float

/// A real function of float elements, computed in single precision and narrowed.
package struct RealArithmetic<Function: RealFunction, Element: FloatElement>: UnaryArithmetic {
  package static var kind: LoopFamily.Kind { Function.name.map { .function($0) } ?? .unary }

  /// The function.
  package let function: Function

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    Element(narrowing: function(value.widened))
  }
}

/// An operator that applies one real function to each element.
///
///     y = f(x)
///
/// Floats call the function. Quantized types have few quantized values, so it is tabulated: see
/// `ByteTable` for 8 and `InterpolatedTable` for 16 bits.
///
/// The operator itself is not generic, so that its loops are compiled for the function.
package struct RealFunctionOperator: Operator {
  private let body: @Sendable (PrepareContext) throws(KernelError) -> Prepared

  /// The operator of `function` for these element types, of which int16 may need zero points of 0.
  package init(
    _ function: some RealFunction, types: Set<ElementType>, int16IsSymmetric: Bool = true
  ) {
    body = { node throws(KernelError) in
      let unary = try UnaryNode(node)
      guard types.contains(unary.input.elementType) else {
        throw .elementType(unary.input.elementType, .input(0))
      }
      return try unary.prepared(function, int16IsSymmetric: int16IsSymmetric)
    }
  }

  package func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared { try body(node) }
}

extension UnaryNode {
  /// The node with the loop of a real function in the operand's number format.
  fileprivate func prepared<Function: RealFunction>(
    _ function: Function, int16IsSymmetric: Bool
  ) throws(KernelError) -> Prepared {
    switch input.elementType {
    case .float32: return prepared(RealArithmetic<Function, Float>(function: function))
    case .float16: return prepared(RealArithmetic<Function, Float16>(function: function))
    case .bfloat16: return prepared(RealArithmetic<Function, BFloat16>(function: function))
    case _: return try tabulated(function.ofTable, int16IsSymmetric: int16IsSymmetric)
    }
  }

  /// The node with the loop of a function's table.
  private func tabulated(
    _ function: FunctionOfTable, int16IsSymmetric: Bool
  ) throws(KernelError) -> Prepared {
    switch input.elementType {
    case .int8:
      let (input, output) = try affine()
      return prepared(ByteTable<Int8>(function, input: input, output: output))
    case .uint8:
      let (input, output) = try affine()
      return prepared(ByteTable<UInt8>(function, input: input, output: output))
    case .int16:
      let (input, output) = int16IsSymmetric ? try symmetric() : try affine()
      return prepared(InterpolatedTable(function, input: input, output: output))
    case let other: throw .elementType(other, .input(0))
    }
  }
}
