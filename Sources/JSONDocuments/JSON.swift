// SPDX-License-Identifier: Apache-2.0

/// A JSON document as a value; objects keep the order of their members.
package enum JSON: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent.
  case integer(Int)
  /// Any other number; one that is not finite is written as a string: `"NaN"`, `"Infinity"`.
  case number(Double)
  /// A 32-bit number, written with no more digits than it needs.
  case float(Float)
  /// A string.
  case string(String)
  /// A list.
  case array([JSON])
  /// Named members in order.
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Equatable {
    /// The member's name.
    package let key: String
    /// Its value.
    package let value: JSON

    /// The member `key` with this value.
    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// An object with these members in order, without those that are nil.
  package static func record(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The same object with these members behind its own.
  package func adding(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    adding(JSON.record(members))
  }

  /// The same object with the members of another behind its own.
  package func adding(_ other: JSON) -> JSON { .object((members ?? []) + (other.members ?? [])) }

  /// The member called `key`; nil where this is no object or has no such member.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The string, where this is one.
  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number, where this is one.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .float(let float): Double(float)
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The integer, where this is one.
  package var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The elements, where this is a list.
  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, where this is an object.
  package var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string written out in source.
  package init(stringLiteral value: String) { self = .string(value) }

  /// A number written out in source.
  package init(integerLiteral value: Int) { self = .integer(value) }

  /// A truth value written out in source.
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A list written out in source.
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// An object written out in source; members keep this order.
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}
