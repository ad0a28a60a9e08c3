// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  private static let selectVariants = "f32 i8 u8 i16 i32 i64 bool u32 f16"

  static let select = CatalogEntry(
    .select, chapter: .elementwise, formula: "y = a if c, else b", versions: .upTo(4),
    variants: selectVariants, optimized: "f32 f16 i8 u8 i16 i32 u32 i64 bool",
    work: .eachOutput, reads: .everything
  ) { _ in
    Select(broadcasts: false)
  }

  static let selectV2 = CatalogEntry(
    .selectV2, chapter: .elementwise, formula: "y = a if c, else b", versions: .upTo(2),
    variants: selectVariants, optimized: "f32 f16 i8 u8 i16 i32 u32 i64 bool",
    work: .eachOutput, reads: .everything
  ) { _ in
    Select(broadcasts: true)
  }
}

/// `SELECT` and `SELECT_V2`: each element from one of two tensors, as a condition says.
///
/// `SELECT_V2` broadcasts all three to each other. `SELECT` wants both tensors of one shape, and
/// a condition of that shape, of rank 0, or of rank 1 with one value per outermost slice. Where
/// everything has one element, the result keeps its declared shape. TFLite: `select.cc`.
struct Select: Operator {
  let broadcasts: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let condition = try node.input(0)
    let (first, second) = (try node.input(1), try node.input(2))
    let output = try node.declaredOutput()
    guard condition.elementType == .bool else {
      throw .elementType(condition.elementType, .input(0))
    }
    guard first.elementType == second.elementType else {
      throw .invalid(
        "element type \(second.elementType.schemaName) beside \(first.elementType.schemaName)",
        .input(2))
    }
    let broadcast = try Broadcast([
      try conditionShape(condition.shape, first.shape, second.shape), first.shape, second.shape,
    ])
    let isSingle = [condition, first, second, output].allSatisfy { $0.shape.elementCount == 1 }
    return Prepared(
      TensorType(
        first.elementType, isSingle ? output.shape : broadcast.shape,
        quantization: output.quantization),
      try kernel(first.elementType, broadcast))
  }

  /// The condition's shape as it is broadcast.
  private func conditionShape(
    _ condition: Shape, _ first: Shape, _ second: Shape
  ) throws(KernelError) -> Shape {
    let areSingle = [condition, first, second].allSatisfy { $0.elementCount == 1 }
    guard !broadcasts, !areSingle else { return condition }
    guard first == second else {
      throw .invalid("shape \(second) beside \(first)", .input(2))
    }
    if condition == first || condition.rank == 0 { return condition }
    guard condition.rank == 1, first.rank > 0, condition[0] == first[0] else {
      throw .invalid("condition of shape \(condition) for \(first)", .input(0))
    }
    return try Shape.checked(
      condition.dimensions + Array(repeating: 1, count: first.rank - 1), .input(0))
  }

  /// The loop over elements of the type's size; what they mean does not matter.
  private func kernel(
    _ type: ElementType, _ broadcast: Broadcast
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .int8, .uint8, .bool: return LoopKernel(SelectLoop<UInt8>(broadcast: broadcast))
    case .int16, .uint16, .float16, .bfloat16:
      return LoopKernel(SelectLoop<UInt16>(broadcast: broadcast))
    case .int32, .uint32, .float32: return LoopKernel(SelectLoop<UInt32>(broadcast: broadcast))
    case .int64, .uint64, .float64, .complex64:
      return LoopKernel(SelectLoop<UInt64>(broadcast: broadcast))
    case let other: throw .elementType(other, .input(1))
    }
  }
}

/// The loop of a selection: input 0 is the condition, 1 and 2 are what it chooses from.
package struct SelectLoop<Element: TensorElement>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.movement, Element.elementType) }

  /// How the three inputs are walked.
  package let broadcast: Broadcast

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let condition = frame.input(0, as: BoolByte.self)
    let first = frame.input(1, as: Element.self)
    let second = frame.input(2, as: Element.self)
    var output = frame.output(0, as: Element.self)

    let steps = broadcast.rowSteps
    var rows = broadcast.rows()
    while rows.next() {
      var (c, a, b) = (rows.offset(0), rows.offset(1), rows.offset(2))
      for index in rows.output..<rows.output + broadcast.rowLength {
        output[index] = condition[c].value ? first[a] : second[b]
        c += steps[0]
        a += steps[1]
        b += steps[2]
      }
    }
  }
}
