// SPDX-License-Identifier: Apache-2.0

/// Reader of an npy header's text: the literal of a Python dictionary with three known keys.
///
///     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
///
/// Only what the format allows is read; nothing is evaluated.
struct NpyHeaderLiteral {
  struct Fields {
    let elementType: (NpyElementType, isBigEndian: Bool)
    let isFortranOrder: Bool
    let dimensions: [Int]
  }

  private let text: [UInt8]
  private let base: Int
  private var position = 0

  /// A reader of `text`, which lies at byte `base` of the file.
  init(_ text: [UInt8], at base: Int) {
    self.text = text
    self.base = base
  }

  mutating func fields() throws(NpyError) -> Fields {
    var elementType: (NpyElementType, Bool)?
    var isFortranOrder: Bool?
    var dimensions: [Int]?
    try expect("{")
    while !skip("}") {
      let start = position
      let key = try string()
      try expect(":")
      switch key {
      case "descr" where elementType == nil: elementType = try descriptor()
      case "fortran_order" where isFortranOrder == nil: isFortranOrder = try boolean()
      case "shape" where dimensions == nil: dimensions = try tuple()
      case "descr", "fortran_order", "shape": throw error("key '\(key)' twice", at: start)
      case _: throw error("unknown key in the header", at: start)
      }
      if !skip(",") {
        try expect("}")
        break
      }
    }
    skipSpace()
    guard position == text.count else { throw error("text after the header's dictionary") }
    guard let elementType, let isFortranOrder, let dimensions else {
      throw error("header without 'descr', 'fortran_order' or 'shape'", at: 0)
    }
    return Fields(
      elementType: elementType, isFortranOrder: isFortranOrder, dimensions: dimensions)
  }

  /// A `descr`: byte order, kind and size.
  private mutating func descriptor() throws(NpyError) -> (NpyElementType, Bool) {
    skipSpace()
    let start = position
    if position < text.count, text[position] == UInt8(ascii: "[") {
      throw error("structured element types are not supported")
    }
    let name = try string()
    var characters = Array(name.utf8)[...]
    var order = UInt8(ascii: "|")
    if let first = characters.first, "<>|=".utf8.contains(first) {
      order = first
      characters.removeFirst()
    }
    let kind = characters.popFirst()
    let size = String(decoding: characters, as: UTF8.self)
    guard let kind, size.utf8.allSatisfy({ (48...57).contains($0) }), let byteCount = Int(size),
      byteCount <= 1 << 30, let type = NpyElementType(kind: kind, byteCount: byteCount),
      order != UInt8(ascii: "|") || type.swapUnit == 1
    else {
      throw error("element type '\(name)' is not supported", at: start)
    }
    return (type, order == UInt8(ascii: ">"))
  }

  private mutating func boolean() throws(NpyError) -> Bool {
    skipSpace()
    if skip(word: "True") { return true }
    if skip(word: "False") { return false }
    throw error("wanted True or False")
  }

  private mutating func tuple() throws(NpyError) -> [Int] {
    try expect("(")
    var numbers: [Int] = []
    while !skip(")") {
      numbers.append(try number())
      if skip(",") { continue }
      if numbers.count == 1 { throw error("wanted ',' after a tuple's only number") }
      try expect(")")
      break
    }
    return numbers
  }

  private mutating func number() throws(NpyError) -> Int {
    skipSpace()
    let start = position
    var value = 0
    while position < text.count, (48...57).contains(text[position]) {
      let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.addingReportingOverflow(Int(text[position]) - 48)
      guard !tensOverflow, !sumOverflow else { throw error("dimension too large", at: start) }
      value = sum
      position += 1
    }
    guard position > start else { throw error("wanted a dimension") }
    // Python 2 wrote long integers with this suffix.
    if position < text.count, text[position] == UInt8(ascii: "L") { position += 1 }
    return value
  }

  private mutating func string() throws(NpyError) -> String {
    skipSpace()
    guard position < text.count, text[position] == 0x22 || text[position] == 0x27 else {
      throw error("wanted a quoted string")
    }
    let quote = text[position]
    let start = position + 1
    guard let end = text[start...].firstIndex(where: { $0 == quote }) else {
      throw error("string without an end")
    }
    guard text[start..<end].allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x5C }) else {
      throw error("unexpected character in a string", at: start)
    }
    position = end + 1
    return String(decoding: text[start..<end], as: UTF8.self)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(NpyError) {
    guard skip(character) else { throw error("wanted '\(character)'") }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < text.count, UInt32(text[position]) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func skip(word: String) -> Bool {
    guard text[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) {
      position += 1
    }
  }

  private func error(_ reason: String, at location: Int? = nil) -> NpyError {
    NpyError(reason, offset: base + (location ?? position))
  }
}
