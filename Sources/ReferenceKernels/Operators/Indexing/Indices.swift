// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The integers that a node's indices are.
package enum IndexType: Sendable {
  case int16
  case int32
  case int64

  /// The integers of an operand, which may be int16 only where that is said.
  ///
  /// - Throws: `KernelError` about `tensor`, which has the type `operand`, for other types.
  init(
    _ operand: TensorType, orInt16: Bool = false, _ tensor: KernelError.Tensor
  ) throws(KernelError) {
    switch operand.elementType {
    case .int16 where orInt16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    case let other: throw .elementType(other, tensor)
    }
  }
}

/// The indices of an input, whichever integers they are.
///
/// Loops that read an index for a whole slice, or write at random anyway, are compiled once for all
/// integers: what it costs to ask for the type each time is lost beside that.
package struct Indices: ~Escapable {
  private let narrow: Span<Int16>
  private let middle: Span<Int32>
  private let wide: Span<Int64>

  /// The elements of an input.
  @_lifetime(borrow frame)
  package init(_ frame: borrowing TensorFrame, _ position: Int, _ type: IndexType) {
    narrow = type == .int16 ? frame.input(position, as: Int16.self) : Span()
    middle = type == .int32 ? frame.input(position, as: Int32.self) : Span()
    wide = type == .int64 ? frame.input(position, as: Int64.self) : Span()
  }

  /// How many there are.
  package var count: Int { narrow.count + middle.count + wide.count }

  /// One of them.
  package subscript(_ position: Int) -> Int {
    if !middle.isEmpty { return Int(middle[position]) }
    return wide.isEmpty ? Int(narrow[position]) : Int(wide[position])
  }
}
