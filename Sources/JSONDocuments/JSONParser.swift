// SPDX-License-Identifier: Apache-2.0
//
// The format: RFC 8259.

/// Why text is no JSON document.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  package let reason: String
  /// The byte where it shows.
  package let offset: Int

  /// The reason and the location.
  package var description: String { "\(reason) (byte \(offset))" }
}

extension JSON {
  /// The deepest nesting that is read.
  package static let depthLimit = 64

  /// The document in `bytes`: UTF-8, with or without a byte order mark.
  ///
  /// At most `valueLimit` values are read, those in lists and objects counted too. Each takes 24
  /// bytes of memory or, as a member of an object, 40, besides its text: up to twenty times what it
  /// takes in `bytes`.
  ///
  /// With `allowsTrailingCommas`, a comma may stand behind the last member or element, as people
  /// write and other readers of JSON accept.
  ///
  /// - Throws: `JSONError` with the offset of what is not as the format says, or of a value too
  ///   many.
  package init(
    parsing bytes: [UInt8], valueLimit: Int = .max, allowsTrailingCommas: Bool = false
  ) throws(JSONError) {
    var parser = JSONParser(bytes, valueLimit, allowsTrailingCommas: allowsTrailingCommas)
    self = try parser.document()
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private let valueLimit: Int
  private let allowsTrailingCommas: Bool
  private var position = 0
  private var valueCount = 0

  init(_ bytes: [UInt8], _ valueLimit: Int, allowsTrailingCommas: Bool) {
    self.bytes = bytes
    self.valueLimit = valueLimit
    self.allowsTrailingCommas = allowsTrailingCommas
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func document() throws(JSONError) -> JSON {
    let value = try value(depth: 0)
    guard peek() == nil else { throw error("text after the document") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth < JSON.depthLimit else { throw error("nested too deeply") }
    guard valueCount < valueLimit else { throw error("more than \(valueLimit) values") }
    valueCount += 1
    switch peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("document ends early")
    case _: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSON {
    position += 1
    var members: [JSON.Member] = []
    if skip("}") { return .object([]) }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw error("wanted a member's name") }
      let key = try string()
      guard skip(":") else { throw error("wanted ':'") }
      members.append(JSON.Member(key, try value(depth: depth + 1)))
    } while skip(",") && !(allowsTrailingCommas && peek() == UInt8(ascii: "}"))
    guard skip("}") else { throw error("wanted ',' or '}'") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSON {
    position += 1
    var elements: [JSON] = []
    if skip("]") { return .array([]) }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while skip(",") && !(allowsTrailingCommas && peek() == UInt8(ascii: "]"))
    guard skip("]") else { throw error("wanted ',' or ']'") }
    return .array(elements)
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = position
    _ = skipByte("-")
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else {
      throw error("wanted a value", at: start)
    }
    var isInteger = true
    if skipByte(".") {
      isInteger = false
      guard digits() > 0 else { throw error("wanted a digit") }
    }
    if skipByte("e") || skipByte("E") {
      isInteger = false
      if !skipByte("+") { _ = skipByte("-") }
      guard digits() > 0 else { throw error("wanted a digit") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw error("number too large", at: start)
    }
    return .number(number)
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: content, as: UTF8.self) else {
          throw error("string that is no UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"): content += try escape()
      case 0..<0x20: throw error("control character in a string", at: position - 1)
      case _: content.append(byte)
      }
    }
    throw error("string without an end", at: start)
  }

  /// The bytes that the escape after a backslash means.
  private mutating func escape() throws(JSONError) -> [UInt8] {
    guard position < bytes.count else { throw error("document ends early") }
    position += 1
    switch bytes[position - 1] {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case let byte where byte == 0x22 || byte == 0x5C || byte == 0x2F: return [byte]
    case UInt8(ascii: "u"): break
    case _: throw error("unknown escape", at: position - 2)
    }
    let start = position - 2
    var units = [try hexadecimalUnit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      units.append(try hexadecimalUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw error("half a surrogate pair", at: start)
    }
    return Array(text.utf8)
  }

  private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16)
    else { throw error("wanted four hexadecimal digits") }
    position += 4
    return unit
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw error("wanted a value") }
    position += word.utf8.count
    return value
  }

  /// The next byte that is no space; nil at the end.
  private mutating func peek() -> UInt8? {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    _ = peek()
    return skipByte(character)
  }

  private mutating func skipByte(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  private func error(_ reason: String, at location: Int? = nil) -> JSONError {
    JSONError(reason: reason, offset: location ?? position)
  }
}
