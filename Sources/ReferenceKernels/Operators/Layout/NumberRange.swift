// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let range = CatalogEntry(
    .range, chapter: .layout,
    formula: "y = [start, start + delta, start + 2 delta, …],   ⌈(limit − start) / delta⌉ of them",
    versions: .upTo(2, reference: 1),
    variants: "i32 i64 f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ throws(KernelError) in NumberRange() }
}

/// `RANGE`: the numbers from a start up to a limit in equal steps.
///
/// Inputs are the start, the limit and the step, scalars of one type. Each float is the one before
/// plus the step, with its rounding error. TFLite: `range.cc`.
struct NumberRange: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let start = try node.input(0)
    for position in 0..<3 {
      let type = try node.input(position)
      try type.expect(start.elementType, .input(position))
      guard type.shape.rank == 0 else {
        throw .rank(type.shape.rank, wanted: "0", .input(position))
      }
    }
    switch start.elementType {
    case .int32: return try integers(node, as: Int32.self)
    case .int64: return try integers(node, as: Int64.self)
    case .float32: return try floats(node)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func integers<Element: SummedElement & FixedWidthInteger>(
    _ node: PrepareContext, as type: Element.Type
  ) throws(KernelError) -> Prepared {
    let (start, limit) = (try node.values(0, as: type)[0], try node.values(1, as: type)[0])
    let step = try node.values(2, as: type)[0]
    guard step != 0, step > 0 ? start <= limit : start >= limit else {
      throw .invalid("from \(start) to \(limit) in steps of \(step)")
    }
    let (low, high) = (Int64(min(start, limit)), Int64(max(start, limit)))
    // The distance of two 64-bit numbers fits 64 bits without a sign.
    let distance = UInt64(bitPattern: high &- low)
    let count = distance == 0 ? 0 : (distance - 1) / UInt64(step.magnitude) + 1
    return try prepared(node, count: Int(clamping: count), RangeLoop(start: start, step: step))
  }

  private func floats(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let (start, limit) = (
      try node.values(0, as: Float.self)[0], try node.values(1, as: Float.self)[0]
    )
    let step = try node.values(2, as: Float.self)[0]
    let count = ((limit - start) / step).magnitude.rounded(.up)
    guard step > 0 ? start <= limit : step < 0 && start >= limit, count < 0x1p62 else {
      throw .invalid("from \(start) to \(limit) in steps of \(step)")
    }
    return try prepared(node, count: Int(count), RangeLoop(start: start, step: step))
  }

  private func prepared<Element: SummedElement>(
    _ node: PrepareContext, count: Int, _ loop: RangeLoop<Element>
  ) throws(KernelError) -> Prepared {
    let output = TensorType(
      Element.elementType, try Shape.checked([count]),
      quantization: try node.declaredOutput().quantization)
    return Prepared(output, LoopKernel(loop))
  }
}

/// The loop of `RANGE`.
package struct RangeLoop<Element: SummedElement>: SteppedLoop {
  /// The first number.
  package let start: Element
  /// From one number to the next.
  package let step: Element

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Element.self)
    var value = start
    for index in output.indices {
      steps.about(index)
      steps.read(element: 0, ofInput: 0)
      steps.read(element: 0, ofInput: 2)
      output[index] = steps.note(
        "sum", "\(start) and \(index) times \(step), one after the other", element: value)
      value = value.plus(step)
    }
  }
}
