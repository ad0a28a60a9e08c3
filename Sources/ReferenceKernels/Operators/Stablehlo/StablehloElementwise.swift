// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let stablehloAdd = CatalogEntry(
    .stablehloAdd, chapter: .stablehlo, formula: "y = a + b", versions: .upTo(1),
    variants: "f32 f16 i32 i16 i8 i64 f64 u8 u16 u32 u64 bool", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloElementwise(combination: .sum) }

  static let stablehloAnd = CatalogEntry(
    .stablehloAnd, chapter: .stablehlo, formula: "y = a ∧ b, bit by bit",
    versions: .upTo(1, reference: 0),
    variants: "i32 bool i8 i16 i64 u8 u16 u32 u64", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloElementwise(combination: .bitwiseAnd) }

  static let stablehloMaximum = CatalogEntry(
    .stablehloMaximum, chapter: .stablehlo, formula: "y = max(a, b)", versions: .upTo(1),
    variants: "f32 f16 i32 i16 i8 i64 f64 u8 u16 u32 u64 bool", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloElementwise(combination: .maximum) }

  static let stablehloMinimum = CatalogEntry(
    .stablehloMinimum, chapter: .stablehlo, formula: "y = min(a, b)", versions: .upTo(1),
    variants: "f32 f16 i32 i16 i8 i64 f64 u8 u16 u32 u64 bool", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloElementwise(combination: .minimum) }

  static let stablehloMultiply = CatalogEntry(
    .stablehloMultiply, chapter: .stablehlo, formula: "y = a b", versions: .upTo(1),
    variants: "f32 f16 i32 i16 i8 i64 f64 u8 u16 u32 u64 bool", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloElementwise(combination: .product) }

  static let stablehloShiftLeft = CatalogEntry(
    .stablehloShiftLeft, chapter: .stablehlo, formula: "y = x · 2ⁿ modulo the type's range",
    versions: .upTo(1, reference: 0),
    variants: "i32 i8 i16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in StablehloShiftLeft() }
}

/// `STABLEHLO_ADD`, `STABLEHLO_MULTIPLY`, `STABLEHLO_MAXIMUM`, `STABLEHLO_MINIMUM` and
/// `STABLEHLO_AND`: two tensors of one shape, element by element.
///
/// There is no broadcasting and no quantization: quantized values are combined as they are. See
/// `CombinedElement` for the arithmetic. TFLite: `stablehlo_elementwise.h`.
struct StablehloElementwise: Operator, CombinedElementLoops {
  let combination: Combination

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let type = try node.equalOperands()
    if combination == .bitwiseAnd, [.float16, .float32, .float64].contains(type.elementType) {
      throw .elementType(type.elementType, .input(0))
    }
    return Prepared(type, try kernel(type.elementType))
  }

  func kernel<Element: CombinedElement>(of type: Element.Type) -> any Kernel {
    LoopKernel(CombinationLoop<Element>(combination: combination))
  }
}

/// `STABLEHLO_SHIFT_LEFT`: the bits of each element moved towards the highest.
///
/// As x86 does, which TFLite leaves the count to, only the five lowest bits of n count; elements
/// of 8 and 16 bits are widened to 32 first. TFLite: `stablehlo_shift_left.cc`.
struct StablehloShiftLeft: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let type = try node.equalOperands()
    switch type.elementType {
    case .int8: return Prepared(type, LoopKernel(ShiftLoop<Int8>()))
    case .int16: return Prepared(type, LoopKernel(ShiftLoop<Int16>()))
    case .int32: return Prepared(type, LoopKernel(ShiftLoop<Int32>()))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

extension PrepareContext {
  /// The output of an operator with two operands of equal type and shape.
  ///
  /// - Throws: `KernelError` where they differ.
  fileprivate func equalOperands() throws(KernelError) -> TensorType {
    try expect(inputs: 2...2)
    let (left, right) = (try input(0), try input(1))
    try right.expect(left.elementType, .input(1))
    guard left.shape == right.shape else {
      throw .invalid("shape \(right.shape) beside \(left.shape)", .input(1))
    }
    let declared = try declaredOutput()
    try declared.expect(left.elementType, .output(0))
    return left.moved(to: left.shape, declared: declared)
  }
}

/// The loop over two tensors of one shape.
package struct CombinationLoop<Element: CombinedElement>: SteppedLoop {
  /// What is computed.
  package let combination: Combination

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let left = frame.input(0, as: Element.self)
    let right = frame.input(1, as: Element.self)
    var output = frame.output(0, as: Element.self)
    for index in output.indices {
      steps.about(index)
      output[index] = steps.read(left, index).combined(
        combination, with: steps.read(right, index), &steps)
    }
  }
}

/// The loop of `STABLEHLO_SHIFT_LEFT`.
package struct ShiftLoop<Element: TensorElement & FixedWidthInteger>: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let values = frame.input(0, as: Element.self)
    let counts = frame.input(1, as: Element.self)
    var output = frame.output(0, as: Element.self)
    for index in output.indices {
      steps.about(index)
      let value = Int32(truncatingIfNeeded: steps.read(values, index))
      let count = steps.note(
        "count", "the five lowest bits of \(counts[index])",
        Int32(truncatingIfNeeded: steps.read(counts, index)) & 31)
      output[index] = steps.note(
        "shift", "\(value) × 2^\(count) at \(Element.bitWidth) bits",
        Element(truncatingIfNeeded: value &<< count))
    }
  }
}
