// SPDX-License-Identifier: Apache-2.0

import Tensors

/// What is known of a shape: TensorFlow's `PartialTensorShape`.
struct PartialShape: Equatable, CustomStringConvertible {
  /// Lengths along each axis, outermost first, nil for unknown ones; nil where not even the rank is
  /// known.
  let dimensions: [Int?]?

  /// A shape of which this much is known.
  init(_ dimensions: [Int?]?) { self.dimensions = dimensions }

  /// All of `shape`.
  init(_ shape: Shape) { dimensions = shape.dimensions }

  /// The shape that an input holds: a vector of int32 or int64, −1 for unknown lengths, or the
  /// scalar −1 for an unknown rank.
  ///
  /// - Throws: `KernelError` where the input is something else.
  init(_ node: SessionNode, _ position: Int) throws(KernelError) {
    let value = try node.input(position)
    let numbers = try value.integers(.input(position))
    switch value.type.shape.rank {
    case 0 where numbers == [-1]: dimensions = nil
    case 1 where numbers.allSatisfy { $0 >= -1 }: dimensions = numbers.map { $0 < 0 ? nil : $0 }
    default: throw .invalid("\(numbers) is no shape of elements", .input(position))
    }
  }

  /// The shape, where all of it is known; nil where it is not, and for one that is too large.
  var shape: Shape? {
    guard let dimensions else { return nil }
    let known = dimensions.compactMap { $0 }
    return known.count == dimensions.count ? try? Shape(known) : nil
  }

  /// The lengths as a tensor holds them: −1 for unknown ones, and only that for an unknown rank.
  var numbers: [Int] { dimensions.map { $0.map { $0 ?? -1 } } ?? [-1] }

  /// What both tell together; nil where they contradict each other.
  func merged(with other: PartialShape) -> PartialShape? {
    guard let dimensions else { return other }
    guard let others = other.dimensions else { return self }
    guard dimensions.count == others.count else { return nil }
    var merged: [Int?] = []
    for (length, other) in zip(dimensions, others) {
      if let length, let other, length != other { return nil }
      merged.append(length ?? other)
    }
    return PartialShape(merged)
  }

  /// The same, of an operator's tensor.
  ///
  /// - Throws: `KernelError` about `tensor` where the two contradict each other.
  func merged(
    with other: PartialShape, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> PartialShape {
    guard let merged = merged(with: other) else {
      throw .invalid("shape \(other), wanted elements of shape \(self)", tensor)
    }
    return merged
  }

  /// What is known of an element's shape but for its first axis; nil where it has none.
  var rows: PartialShape? {
    guard let dimensions else { return self }
    return dimensions.isEmpty ? nil : PartialShape(Array(dimensions.dropFirst()))
  }

  var description: String {
    guard let dimensions else { return "of any rank" }
    guard !dimensions.isEmpty else { return "scalar" }
    return dimensions.map { $0.map(String.init) ?? "?" }.joined(separator: "x")
  }
}

extension TensorValue {
  /// The elements of a tensor of int32 or int64.
  ///
  /// - Throws: `KernelError` about `tensor` for other element types.
  func integers(_ tensor: KernelError.Tensor) throws(KernelError) -> [Int] {
    switch type.elementType {
    case .int32:
      let span = bytes.span(as: Int32.self)
      return span.indices.map { Int(span[$0]) }
    case .int64:
      let span = bytes.span(as: Int64.self)
      return span.indices.map { Int(clamping: span[$0]) }
    case let other: throw .elementType(other, tensor)
    }
  }
}
