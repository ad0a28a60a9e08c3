// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let sum = CatalogEntry(
    .sum, chapter: .reduction, formula: "y = Σ x", versions: .upTo(2),
    variants: "f32 i32 i64 u8_q i8_q i16_q", optimized: "f32 i32 u8_q i8_q i16_q",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .sum, options: try node.options()) }

  static let reduceProd = CatalogEntry(
    .reduceProd, chapter: .reduction, formula: "y = Π x", versions: .upTo(2),
    variants: "f32 i32 i64 i8_q i16_q", optimized: "",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .product, options: try node.options()) }

  static let reduceMax = CatalogEntry(
    .reduceMax, chapter: .reduction, formula: "y = max x", versions: .upTo(3),
    variants: "f32 i32 i64 bool u8_q i8_q i16_q", optimized: "f32 i32 bool u8_q i8_q i16_q",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .maximum, options: try node.options()) }

  static let reduceMin = CatalogEntry(
    .reduceMin, chapter: .reduction, formula: "y = min x", versions: .upTo(3),
    variants: "f32 i32 i64 bool u8_q i8_q i16_q", optimized: "f32 i32 bool u8_q i8_q i16_q",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .minimum, options: try node.options()) }

  static let reduceAny = CatalogEntry(
    .reduceAny, chapter: .reduction, formula: "y = x₀ ∨ x₁ ∨ …", versions: .upTo(1),
    variants: "bool", optimized: "bool",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .any, options: try node.options()) }

  static let reduceAll = CatalogEntry(
    .reduceAll, chapter: .reduction, formula: "y = x₀ ∧ x₁ ∧ …", versions: .upTo(1),
    variants: "bool", optimized: "bool",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Reduce(operation: .all, options: try node.options()) }
}

/// `SUM`, `REDUCE_PROD`, `REDUCE_MAX`, `REDUCE_MIN`, `REDUCE_ANY` and `REDUCE_ALL`: the elements
/// along some axes combined to one.
///
/// - Input 0: the elements.
/// - Input 1: the axes, int32; they disappear, or stay with length 1 (`keep_dims`).
///
/// Integers wrap. Nothing sums to 0, multiplies to 1, and its maximum and minimum are the lowest
/// and the highest *finite* number. NaN is never larger or smaller than anything, so maxima and
/// minima pass over it; only where all axes are reduced and it comes first, TFLite starts from it
/// and stays there. Maxima and minima of quantized tensors are those of the quantized values;
/// quantized sums and products are rescaled, see `QuantizedMeanReduction`, `QuantizedSumReduction`
/// and `QuantizedProductReduction`. TFLite: `reduce.cc`, `reference/reduce.h`.
struct Reduce: Operator {
  /// How elements are combined.
  enum Operation: Sendable { case sum, product, maximum, minimum, any, all }

  let operation: Operation
  let options: ReducerOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let axes = try ReducedAxes(node, keepsDimensions: options.keepsDimensions)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try expectQuantization(input, output)
    let kernel: any Kernel =
      switch operation {
      case .sum: try sum(node, axes)
      case .product: try product(node, axes)
      case .maximum, .minimum: try extreme(input.elementType, axes)
      case .any, .all: try logical(input.elementType, axes)
      }
    return Prepared(
      TensorType(input.elementType, axes.shape, quantization: output.quantization), kernel)
  }

  private func expectQuantization(
    _ input: TensorType, _ output: TensorType
  ) throws(KernelError) {
    if input.elementType == .int16 { try expectSymmetric(input, output) }
    let isRescaled = operation == .sum || (operation == .product && input.quantization != nil)
    if [.uint8, .int8, .int16].contains(input.elementType), !isRescaled {
      try input.expectSameScale(as: output, .output(0))
    }
  }

  private func sum(_ node: PrepareContext, _ axes: ReducedAxes) throws(KernelError) -> any Kernel {
    switch try node.input(0).elementType {
    case .float32: plain(FloatSumReduction(), axes)
    case .int32: plain(WrappingSumReduction<Int32>(), axes)
    case .int64: plain(WrappingSumReduction<Int64>(), axes)
    case .uint8: plain(try QuantizedMeanReduction<UInt8>(sumOf: node, axes), axes)
    case .int8: plain(try QuantizedSumReduction<Int8>(node, axes), axes)
    case .int16: plain(try QuantizedSumReduction<Int16>(node, axes), axes)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func product(
    _ node: PrepareContext, _ axes: ReducedAxes
  ) throws(KernelError) -> any Kernel {
    let input = try node.input(0)
    switch input.elementType {
    case .int8 where input.quantization != nil:
      return ReductionKernel(
        try QuantizedProductReduction<Int8>(node, axes), axes, startsFromFirst: true)
    case .int16 where input.quantization != nil:
      return ReductionKernel(
        try QuantizedProductReduction<Int16>(node, axes), axes, startsFromFirst: true)
    case .float32: return plain(FloatProductReduction(), axes)
    case .int8: return plain(WrappingProductReduction<Int8>(), axes)
    case .int16: return plain(WrappingProductReduction<Int16>(), axes)
    case .int32: return plain(WrappingProductReduction<Int32>(), axes)
    case .int64: return plain(WrappingProductReduction<Int64>(), axes)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func extreme(
    _ type: ElementType, _ axes: ReducedAxes
  ) throws(KernelError) -> any Kernel {
    let isMaximum = operation == .maximum
    func integer<Element: TensorElement & FixedWidthInteger>(
      _ type: Element.Type
    ) -> any Kernel {
      plain(ExtremeReduction<Element>(isMaximum: isMaximum, empty: isMaximum ? .min : .max), axes)
    }
    switch type {
    case .float32:
      let largest = Float.greatestFiniteMagnitude
      return plain(
        ExtremeReduction(isMaximum: isMaximum, empty: isMaximum ? -largest : largest), axes)
    case .int8: return integer(Int8.self)
    case .uint8: return integer(UInt8.self)
    case .int16: return integer(Int16.self)
    case .int32: return integer(Int32.self)
    case .int64: return integer(Int64.self)
    case .bool: return plain(LogicalReduction(isAll: !isMaximum), axes)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func logical(
    _ type: ElementType, _ axes: ReducedAxes
  ) throws(KernelError) -> any Kernel {
    guard type == .bool else { throw .elementType(type, .input(0)) }
    return plain(LogicalReduction(isAll: operation == .all), axes)
  }

  private func plain(_ arithmetic: some ReductionArithmetic, _ axes: ReducedAxes) -> any Kernel {
    ReductionKernel(arithmetic, axes, startsFromFirst: axes.isComplete)
  }
}

/// Checks that int16 tensors have a zero point of 0.
func expectSymmetric(_ input: TensorType, _ output: TensorType) throws(KernelError) {
  for (type, tensor) in [(input, KernelError.Tensor.input(0)), (output, .output(0))]
  where type.quantization?.perTensor?.zeroPoint ?? 0 != 0 {
    throw .invalid("int16 zero point must be 0", tensor)
  }
}
