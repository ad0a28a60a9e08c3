// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

extension CatalogEntry {
  /// `UNIQUE`.
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

  private func prepared<Element: TensorElement & Hashable & Comparable>(
    _ node: PrepareContext, of type: Element.Type
  ) throws(KernelError) -> Prepared {
    let distinct = DistinctElements(try node.values(0, as: Element.self))
    let outputs = [
      try node.declaredOutput(0).with(shape: try Shape.checked([distinct.elements.count])),
      try node.declaredOutput(1).with(shape: try node.input(0).shape),
    ]
    switch options.indexType {
    case .int32:
      return Prepared(
        outputs: outputs,
        kernel: LoopKernel(
          ConstantPairLoop(distinct.elements, distinct.indices.map { Int32(clamping: $0) })))
    case .int64:
      return Prepared(
        outputs: outputs,
        kernel: LoopKernel(
          ConstantPairLoop(distinct.elements, distinct.indices.map { Int64($0) })))
    case let other: throw .elementType(other, .output(1))
    }
  }
}

/// The distinct elements of a vector.
private struct DistinctElements<Element: Hashable & Comparable> {
  /// Them, in the order of first sight.
  private(set) var elements: [Element] = []
  /// For each element of the vector, the position of its equal.
  private(set) var indices: [Int] = []

  /// The distinct ones of `values`.
  ///
  /// TFLite keeps them in a search tree, where NaN, neither less nor greater, passes for equal to
  /// the least element; if it comes first, all others pass for equal to it.
  init(_ values: [Element]) {
    indices.reserveCapacity(values.count)
    guard let first = values.first else { return }
    guard first == first else {
      elements = [first]
      indices = Array(repeating: 0, count: values.count)
      return
    }
    var positions: [Element: Int] = [:]
    var least = 0
    for value in values {
      guard value == value else {
        indices.append(least)
        continue
      }
      if let position = positions[value] {
        indices.append(position)
        continue
      }
      let position = elements.count
      positions[value] = position
      elements.append(value)
      indices.append(position)
      if value < elements[least] { least = position }
    }
  }
}

/// Writes two outputs that were known when the node was prepared.
package struct ConstantPairLoop<First: TensorElement, Second: TensorElement>: KernelLoop {
  private let first: [First]
  private let second: [Second]

  /// The loop that writes `first` to output 0 and `second` to output 1.
  package init(_ first: [First], _ second: [Second]) {
    self.first = first
    self.second = second
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    var firstOutput = frame.output(0, as: First.self)
    for index in firstOutput.indices { firstOutput[index] = first[index] }
    var secondOutput = frame.output(1, as: Second.self)
    for index in secondOutput.indices { secondOutput[index] = second[index] }
  }
}
