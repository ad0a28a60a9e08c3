// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Sums, products and comparisons of stored elements of one type.
///
/// Floats round to the type and integers wrap at its width; of truth values the sum is whether
/// either is true, the product whether both are.
struct StoredArithmetic {
  /// The elements' type.
  let type: ElementType

  /// The sum.
  func sum(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
    switch (left, right) {
    case (.float(let a), .float(let b)): narrowed(a + b)
    case (.double(let a), .double(let b)): .double(a + b)
    case (_, _) where type == .bool: .integer(left.isNonZero || right.isNonZero ? 1 : 0)
    case (_, _): wrapped(left.bits &+ right.bits)
    }
  }

  /// The product.
  func product(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
    switch (left, right) {
    case (.float(let a), .float(let b)): narrowed(a * b)
    case (.double(let a), .double(let b)): .double(a * b)
    case (_, _) where type == .bool: .integer(left.isNonZero && right.isNonZero ? 1 : 0)
    case (_, _): wrapped(left.bits &* right.bits)
    }
  }

  /// The bits that both integers have.
  func common(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
    wrapped(left.bits & right.bits)
  }

  /// The bits as an integer of the type's width, with its sign.
  func wrapped(_ bits: UInt64) -> StoredValue {
    let unused = UInt64(64 - (type.bitCount ?? 64))
    let isSigned = [.int2, .int4, .int8, .int16, .int32, .int64].contains(type)
    return isSigned
      ? StoredValue(integer: Int64(bitPattern: bits << unused) >> Int64(unused))
      : StoredValue(integer: (bits << unused) >> unused)
  }

  /// A float as the nearest one of the type.
  private func narrowed(_ value: Float) -> StoredValue {
    .float(type == .float16 ? Float16(narrowing: value).widened : value)
  }
}

extension StoredValue {
  /// Whether the number is less than `other`; never of a float that is no number.
  func precedes(_ other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b
    case (.unsigned(let a), .unsigned(let b)): a < b
    case (.integer, .unsigned): true
    case (.unsigned, .integer): false
    case (_, _): (number ?? .nan) < (other.number ?? .nan)
    }
  }

  /// Whether the number is not zero; of a float that is no number, too.
  var isNonZero: Bool { number != 0 }

  /// The integer's bits, as many as 64 bits hold.
  fileprivate var bits: UInt64 {
    switch self {
    case .integer(let value): UInt64(bitPattern: Int64(value))
    case .unsigned(let value): value
    case .float, .double, .complex, .string: 0
    }
  }

  /// The value with all of its digits.
  var digits: String {
    switch self {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .complex(let real, let imaginary): "\(real) + \(imaginary)i"
    case .string(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
  }

  /// The value as an operand behind a sign: negative ones in parentheses.
  var operand: String { digits.hasPrefix("-") ? "(\(digits))" : digits }
}

extension StepList {
  /// What elements come to, one after the other from `start` on.
  mutating func fold(
    _ elements: some Sequence<StoredValue>, from start: StoredValue, _ name: String,
    _ text: String, by combine: (StoredValue, StoredValue) -> StoredValue
  ) -> StoredValue {
    let result = elements.reduce(start, combine)
    add(name, text, result)
    return result
  }
}
