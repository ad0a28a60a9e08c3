// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A function of one real number.
package protocol RealFunction: Sendable {
  /// The function's value at `x`.
  func callAsFunction(_ x: Float) -> Float

  /// The function to tabulate for quantised results, the least of which is `lowest`.
  func tabulated(lowest: Float) -> Self
}

extension RealFunction {
  package func tabulated(lowest: Float) -> Self { self }
}

/// A real function of float elements, computed in single precision and narrowed.
package struct RealArithmetic<Function: RealFunction, Element: FloatElement>: UnaryArithmetic {
  /// The function.
  package let function: Function

  @inline(__always)
  package func apply(_ value: Element) -> Element {
    Element(narrowing: function(value.widened))
  }
}

/// An operator that applies one real function to each element.
///
///     y = f(x)
///
/// Floats call the function. Quantised types have few codes, so it is tabulated: see `ByteTable`
/// for 8 and `InterpolatedTable` for 16 bits.
package struct RealFunctionOperator<Function: RealFunction>: Operator {
  private let function: Function
  private let types: Set<ElementType>
  private let int16IsSymmetric: Bool

  /// The operator of `function` for these element types, of which int16 may need zero points of 0.
  package init(_ function: Function, types: Set<ElementType>, int16IsSymmetric: Bool = true) {
    self.function = function
    self.types = types
    self.int16IsSymmetric = int16IsSymmetric
  }

  package func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    let type = unary.input.elementType
    guard types.contains(type) else { throw .elementType(type, .input(0)) }
    switch type {
    case .float32: return unary.prepared(RealArithmetic<Function, Float>(function: function))
    case .float16: return unary.prepared(RealArithmetic<Function, Float16>(function: function))
    case .bfloat16: return unary.prepared(RealArithmetic<Function, BFloat16>(function: function))
    case .int8:
      let (input, output) = try unary.affine()
      return unary.prepared(ByteTable<Int8>(function, input: input, output: output))
    case .uint8:
      let (input, output) = try unary.affine()
      return unary.prepared(ByteTable<UInt8>(function, input: input, output: output))
    case .int16:
      let (input, output) = int16IsSymmetric ? try unary.symmetric() : try unary.affine()
      return unary.prepared(InterpolatedTable(function, input: input, output: output))
    case .int32, .int64, .string, .bool, .complex64, .float64, .complex128, .uint64, .resource,
      .variant, .uint32, .uint16, .int4, .int2, .uint4:
      throw .elementType(type, .input(0))
    }
  }
}
