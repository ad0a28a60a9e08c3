// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let topKV2 = CatalogEntry(
    .topKV2, chapter: .reduction, formula: nil, versions: .upTo(3),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i8 u8",
    work: .eachInput, reads: .everything
  ) { _ throws(KernelError) in TopK() }
}

/// `TOPK_V2`: the largest elements of each row and where they are, in descending order.
///
/// - Input 0: the elements; a row is the innermost axis.
/// - Input 1: how many, one int16 or int32; negative means none.
/// - Outputs: the elements, and their indices in the row (int32 or int16).
///
/// Of equal elements the first goes first; NaN goes last. TFLite: `topk_v2.cc`.
struct TopK: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2, outputs: 2)
    let (input, count) = (try node.input(0), try node.input(1))
    try node.declaredOutput(0).expect(input.elementType, .output(0))
    guard let rowLength = input.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    guard [.int16, .int32].contains(count.elementType), count.shape.elementCount == 1 else {
      throw .invalid("one int16 or int32 wanted", .input(1))
    }
    let wanted = max(0, try node.integer(1))
    guard wanted <= rowLength else {
      throw .invalid("\(wanted) largest of \(rowLength) elements", .input(1))
    }
    let indices = try node.declaredOutput(1)
    let shape = try Shape.checked(input.shape.dimensions.dropLast() + [wanted])
    let outputs = [
      input.moved(to: shape, declared: try node.declaredOutput(0)), indices.with(shape: shape),
    ]
    guard [.int16, .int32].contains(indices.elementType) else {
      throw .elementType(indices.elementType, .output(1))
    }
    let indicesAreInt16 = indices.elementType == .int16
    if indicesAreInt16, wanted > 0, rowLength > Int(Int16.max) {
      throw .invalid("int16 indices into rows of \(rowLength)", .output(1))
    }
    let rows = TopRows(rowLength: rowLength, count: wanted, indicesAreInt16: indicesAreInt16)
    return Prepared(outputs: outputs, kernel: try kernel(input.elementType, rows))
  }

  private func kernel(_ type: ElementType, _ rows: TopRows) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: LoopKernel(TopKLoop<Float>(rows: rows))
    case .uint8: LoopKernel(TopKLoop<UInt8>(rows: rows))
    case .int8: LoopKernel(TopKLoop<Int8>(rows: rows))
    case .int16: LoopKernel(TopKLoop<Int16>(rows: rows))
    case .int32: LoopKernel(TopKLoop<Int32>(rows: rows))
    case .int64: LoopKernel(TopKLoop<Int64>(rows: rows))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The loop bounds of a `TOPK_V2` node.
package struct TopRows: Sendable, Hashable {
  /// Elements in a row.
  package let rowLength: Int
  /// How many of them are wanted.
  package let count: Int
  /// Whether indices are int16 and not int32.
  package let indicesAreInt16: Bool

  /// Puts the larger values first, of equal ones that of the lower index; those that are no numbers
  /// last.
  @inline(never)
  fileprivate func sort<Value: Comparable>(_ row: inout [(value: Value, index: Int)]) {
    row.sort { left, right in
      // A number that is not equal to itself is NaN.
      let (leftIsNumber, rightIsNumber) = (left.value == left.value, right.value == right.value)
      guard leftIsNumber == rightIsNumber else { return leftIsNumber }
      if left.value > right.value { return true }
      return left.value < right.value ? false : left.index < right.index
    }
  }
}

/// The loop of `TOPK_V2`.
///
/// Rows are sorted as values of their elements' carrier, of which there are two.
package struct TopKLoop<Element: CastElement>: SteppedLoop where Element.Carrier: Comparable {
  package static var family: LoopFamily? { LoopFamily(.search, Element.elementType) }

  /// The loop bounds.
  package let rows: TopRows

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var elements = frame.output(0, as: Element.self)
    guard rows.count > 0 else { return }
    var target = 0
    for start in stride(from: 0, to: input.count, by: rows.rowLength) {
      steps.about(target..<target + rows.count, step: 1, ofOutputs: 0...1)
      var row: [(value: Element.Carrier, index: Int)] = []
      row.reserveCapacity(rows.rowLength)
      for index in 0..<rows.rowLength {
        row.append((steps.read(input, start + index).carrier, index))
      }
      rows.sort(&row)
      for rank in 0..<rows.count {
        steps.about(target, ofOutputs: 0...1)
        steps.note("rank", "elements of the row that are larger, or equal and before it", rank)
        elements[target] = steps.note(
          "element", "the one of that rank", element: input[start + row[rank].index])
        steps.about(target, ofOutput: 1)
        set(steps.note("index", "of that element in the row", row[rank].index), target, frame)
        target += 1
      }
    }
  }

  private func set(_ index: Int, _ target: Int, _ frame: borrowing TensorFrame) {
    if rows.indicesAreInt16 {
      var indices = frame.output(1, as: Int16.self)
      indices[target] = Int16(truncatingIfNeeded: index)
    } else {
      var indices = frame.output(1, as: Int32.self)
      indices[target] = Int32(truncatingIfNeeded: index)
    }
  }
}
