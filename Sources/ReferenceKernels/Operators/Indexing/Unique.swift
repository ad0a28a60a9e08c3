// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let unique = CatalogEntry(
    .unique, chapter: .indexing, formula: "x[i] = y[index[i]]", versions: .upTo(1),
    variants: "f32 i32 i64 i8 u8 i16", optimized: "",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in Unique(options: try node.options()) }
}

/// `UNIQUE`: the distinct elements of a vector in the order of first sight, and which one of them
/// each element is.
///
/// How many distinct elements there are depends on the values, so they must be known. Zeros are
/// equal whatever their signs. TFLite: `unique.cc`.
struct Unique: Operator {
  let options: UniqueOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let input = try node.input(0)
    guard input.shape.rank == 1 else { throw .rank(input.shape.rank, wanted: "1", .input(0)) }
    try node.declaredOutput(0).expect(input.elementType, .output(0))
    try node.declaredOutput(1).expect(options.indexType, .output(1))
    switch input.elementType {
    case .float32: return try prepared(node, of: Float.self)
    case .int8: return try prepared(node, of: Int8.self)
    case .uint8: return try prepared(node, of: UInt8.self)
    case .int16: return try prepared(node, of: Int16.self)
    case .int32: return try prepared(node, of: Int32.self)
    case .int64: return try prepared(node, of: Int64.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Element: CastElement>(
    _ node: PrepareContext, of type: Element.Type
  ) throws(KernelError) -> Prepared where Element.Carrier: Hashable & Comparable {
    let distinct = DistinctElements(try node.values(0, as: Element.self).map(\.carrier))
    let outputs = [
      try node.declaredOutput(0).with(shape: try Shape.checked([distinct.positions.count])),
      try node.declaredOutput(1).with(shape: try node.input(0).shape),
    ]
    switch options.indexType {
    case .int32:
      return Prepared(outputs: outputs, kernel: LoopKernel(UniqueLoop<Element, Int32>()))
    case .int64:
      return Prepared(outputs: outputs, kernel: LoopKernel(UniqueLoop<Element, Int64>()))
    case let other: throw .elementType(other, .output(1))
    }
  }
}

/// The distinct elements of a vector, as values of their carrier.
private struct DistinctElements<Value: Hashable & Comparable> {
  /// Where each was first seen, in this order.
  private(set) var positions: [Int] = []
  /// For each element of the vector, the number of its equal.
  private(set) var numbers: [Int] = []

  /// The distinct ones of `values`.
  ///
  /// TFLite keeps them in a search tree, where NaN, neither less nor greater, passes for equal to
  /// the least element; if it comes first, all others pass for equal to it.
  @inline(never)
  init(_ values: [Value]) {
    numbers.reserveCapacity(values.count)
    guard !values.isEmpty else { return }
    guard values[0] == values[0] else {
      positions = [0]
      numbers = Array(repeating: 0, count: values.count)
      return
    }
    var known: [Value: Int] = [:]
    var least = 0
    for (index, value) in values.enumerated() {
      guard value == value else {
        numbers.append(least)
        continue
      }
      if let number = known[value] {
        numbers.append(number)
        continue
      }
      let number = positions.count
      known[value] = number
      positions.append(index)
      numbers.append(number)
      if value < values[positions[least]] { least = number }
    }
  }
}

/// The loop of `UNIQUE`.
package struct UniqueLoop<Element: CastElement, Index>: SteppedLoop
where Element.Carrier: Hashable & Comparable, Index: TensorElement & FixedWidthInteger {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var elements = frame.output(0, as: Element.self)
    var numbers = frame.output(1, as: Index.self)
    let distinct = DistinctElements(input.indices.map { input[$0].carrier })
    for number in elements.indices {
      steps.about(number)
      steps.note("number", "distinct elements before it", number)
      elements[number] = steps.moved(input, distinct.positions[number])
    }
    for index in numbers.indices {
      let first = distinct.positions[distinct.numbers[index]]
      steps.about(index, ofOutput: 1)
      steps.read(input, index)
      if first != index { steps.read(input, first) }
      steps.note("first sight", "the element that it is equal to", first)
      numbers[index] = steps.note(
        "number", "distinct elements before that one", Index(clamping: distinct.numbers[index]))
    }
  }
}
