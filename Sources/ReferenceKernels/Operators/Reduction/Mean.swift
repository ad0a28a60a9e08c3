// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let mean = CatalogEntry(
    .mean, chapter: .reduction, formula: "y = Σ x / n", versions: .upTo(3),
    variants: "f32 i32 i64 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Mean(options: try node.options()) }
}

/// `MEAN`: the mean of the elements along some axes.
///
/// Floats are summed in float32. Integers are summed in 64 bits and divided towards zero. Means
/// of quantized tensors are computed by `QuantizedMeanReduction`. The mean of nothing is NaN, or 0.
/// TFLite: `reduce.cc`, `reference/reduce.h`.
struct Mean: Operator {
  let options: ReducerOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let axes = try ReducedAxes(node, keepsDimensions: options.keepsDimensions)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    if input.elementType == .int16 { try expectSymmetric(input, output) }
    return Prepared(
      TensorType(input.elementType, axes.shape, quantization: output.quantization),
      try kernel(node, axes))
  }

  private func kernel(
    _ node: PrepareContext, _ axes: ReducedAxes
  ) throws(KernelError) -> any Kernel {
    switch try node.input(0).elementType {
    case .float32:
      ReductionKernel(FloatMeanReduction(count: axes.count), axes, startsFromFirst: false)
    case .int32:
      ReductionKernel(IntegerMeanReduction<Int32>(count: axes.count), axes, startsFromFirst: false)
    case .int64:
      ReductionKernel(IntegerMeanReduction<Int64>(count: axes.count), axes, startsFromFirst: false)
    case .uint8:
      ReductionKernel(
        try QuantizedMeanReduction<UInt8>(meanOf: node, axes), axes, startsFromFirst: false)
    case .int8:
      ReductionKernel(
        try QuantizedMeanReduction<Int8>(meanOf: node, axes), axes, startsFromFirst: false)
    case .int16:
      ReductionKernel(
        try QuantizedMeanReduction<Int16>(meanOf: node, axes), axes, startsFromFirst: false)
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The mean of floats.
package struct FloatMeanReduction: ReductionArithmetic {
  /// How many elements go into a mean.
  package let count: Int

  package var empty: Float { 0 }
  package func first(_ element: Float, _ steps: inout some Steps) -> Float {
    steps.term(element)
  }
  package func combine(
    _ sum: inout Float, _ element: Float, _ steps: inout some Steps
  ) {
    sum += steps.term(element)
  }
  package func finish(_ sum: Float, _ steps: inout some Steps) -> Float {
    let sum = steps.accumulator(sum, of: "elements")
    return steps.note("mean", "\(sum) / \(count)", count == 0 ? .nan : sum / Float(count))
  }
}

/// The mean of integers, truncated towards zero.
package struct IntegerMeanReduction<Element: TensorElement & FixedWidthInteger>: ReductionArithmetic
{
  /// How many elements go into a mean.
  package let count: Int

  package var empty: Int64 { 0 }
  package func first(_ element: Element, _ steps: inout some Steps) -> Int64 { Int64(element) }
  package func combine(_ sum: inout Int64, _ element: Element, _ steps: inout some Steps) {
    sum &+= Int64(element)
  }

  package func finish(_ sum: Int64, _ steps: inout some Steps) -> Element {
    steps.note("sum", "of \(count) elements", sum)
    return steps.note(
      "mean", "\(sum) / \(count), towards zero",
      count == 0 ? 0 : Element(truncatingIfNeeded: sum / Int64(count)))
  }
}
