// SPDX-License-Identifier: Apache-2.0

/// A value of a FlexBuffer: the schemaless format of custom operators' options.
public indirect enum FlexValue: Sendable, Equatable {
  /// No value.
  case null
  /// A signed integer.
  case int(Int64)
  /// An unsigned integer.
  case uint(UInt64)
  /// A floating-point number.
  case float(Double)
  /// A truth value.
  case bool(Bool)
  /// A text.
  case string(String)
  /// A text that serves as a map's key.
  case key(String)
  /// Bytes, also those of a text that is not UTF-8.
  case blob([UInt8])
  /// Values in order; typed vectors of the format become vectors as well.
  case vector([FlexValue])
  /// Named values, ordered by name.
  case map([Entry])

  /// A named value of a map.
  public struct Entry: Sendable, Equatable {
    /// The name.
    public let key: String
    /// The value.
    public let value: FlexValue

    /// An entry called `key`.
    public init(_ key: String, _ value: FlexValue) {
      self.key = key
      self.value = value
    }
  }
}

extension FlexValue {
  /// The number as an integer, fractions dropped; nil for other values and beyond 64 bits.
  public var int: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .uint(let value): Int(exactly: value)
    case .float(let value): Int(exactly: value.rounded(.towardZero))
    case .bool(let value): value ? 1 : 0
    case .null, .string, .key, .blob, .vector, .map: nil
    }
  }

  /// The number as a floating-point number; nil for other values.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .float(let value): value
    case .bool(let value): value ? 1 : 0
    case .null, .string, .key, .blob, .vector, .map: nil
    }
  }

  /// The number as a single-precision number; nil for other values.
  public var float: Float? { double.map { Float($0) } }

  /// The truth value, or whether the number is not zero; nil for other values.
  public var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .int(let value): value != 0
    case .uint(let value): value != 0
    case .float(let value): value != 0
    case .null, .string, .key, .blob, .vector, .map: nil
    }
  }

  /// The text or key; nil for other values.
  public var string: String? {
    switch self {
    case .string(let text), .key(let text): text
    case .null, .int, .uint, .float, .bool, .blob, .vector, .map: nil
    }
  }

  /// The bytes of a blob; nil for other values.
  public var blob: [UInt8]? {
    guard case .blob(let bytes) = self else { return nil }
    return bytes
  }

  /// The values of a vector, or of a map in the order of its keys; nil for other values.
  public var vector: [FlexValue]? {
    switch self {
    case .vector(let values): values
    case .map(let entries): entries.map { $0.value }
    case .null, .int, .uint, .float, .bool, .string, .key, .blob: nil
    }
  }

  /// The entries of a map; nil for other values.
  public var map: [Entry]? {
    guard case .map(let entries) = self else { return nil }
    return entries
  }

  /// The value that a map holds for `key`; nil if there is none or this is no map.
  public subscript(key: String) -> FlexValue? {
    map?.first { $0.key == key }?.value
  }

  /// The element at `index` of a vector; nil if there is none or this is no vector.
  public subscript(index: Int) -> FlexValue? {
    guard let vector, vector.indices.contains(index) else { return nil }
    return vector[index]
  }
}
