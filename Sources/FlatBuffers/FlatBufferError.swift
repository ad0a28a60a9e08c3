// SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be read as a FlatBuffer or FlexBuffer, and where.
public struct FlatBufferError: Error, Hashable, Sendable {
  /// What is wrong with the bytes.
  public enum Reason: Hashable, Sendable {
    /// A read of `needed` bytes does not fit into the buffer.
    case outOfBounds(needed: Int, available: Int)
    /// The four-character file identifier is not the wanted one.
    case wrongIdentifier(found: String, wanted: String)
    /// A table's virtual table is too short or of odd length.
    case invalidVirtualTable(length: Int)
    /// A field lies outside the table that it belongs to.
    case fieldOutsideTable(slot: Int)
    /// A field that must be present is missing.
    case missingField(name: String)
    /// A field holds a number that its enumeration does not define.
    case unknownValue(field: String, value: Int)
    /// A field holds a value that makes no sense, for the reason given.
    case invalidValue(field: String, problem: String)
    /// Tables or vectors are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// More tables are visited than the limit allows.
    case tooManyTables(limit: Int)
    /// More vectors and texts are decoded, in bytes, than the limit allows.
    case tooMuchData(limit: Int)
    /// A FlexBuffer holds more values than the limit allows.
    case tooManyElements(limit: Int)
    /// What an offset should point to lies further away than it can say.
    case tooFar(limit: Int)
    /// A FlexBuffer value has a type that the format does not define.
    case unknownType(Int)
    /// A FlexBuffer value has a width that its type cannot have.
    case invalidWidth(Int)
  }

  /// What is wrong.
  public let reason: Reason
  /// The byte offset, from the start of the buffer, at which it was noticed.
  public let offset: Int

  /// Creates an error for `reason`, noticed at the byte `offset`.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension FlatBufferError: CustomStringConvertible {
  /// One sentence that names the offset and what was wanted.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension FlatBufferError.Reason: CustomStringConvertible {
  /// What is wrong, without the location.
  public var description: String {
    switch self {
    case .outOfBounds(let needed, let available):
      "\(needed) bytes wanted but \(available) left"
    case .wrongIdentifier(let found, let wanted):
      "file identifier \"\(wanted)\" wanted, found \"\(found)\""
    case .invalidVirtualTable(let length):
      "invalid virtual table length \(length)"
    case .fieldOutsideTable(let slot):
      "field \(slot) outside its table"
    case .missingField(let name):
      "missing field \(name)"
    case .unknownValue(let field, let value):
      "unknown \(field) \(value)"
    case .invalidValue(let field, let problem):
      "invalid \(field): \(problem)"
    case .tooDeep(let limit):
      "nested more than \(limit) deep"
    case .tooManyTables(let limit):
      "more than \(limit) tables"
    case .tooMuchData(let limit):
      "vectors and texts of more than \(limit) bytes"
    case .tooManyElements(let limit):
      "more than \(limit) elements"
    case .tooFar(let limit):
      "more than \(limit) bytes to what is referred to"
    case .unknownType(let code):
      "unknown FlexBuffer type \(code)"
    case .invalidWidth(let width):
      "invalid FlexBuffer width \(width)"
    }
  }
}
