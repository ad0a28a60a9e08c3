// SPDX-License-Identifier: Apache-2.0

/// Rows of fields with commas or tabs between them, as RFC 4180 has them.
///
/// A field in quotes may hold separators, line breaks and, doubled, quotes. Lines end with a line
/// feed, with or without a carriage return before it; empty ones are skipped.
struct DelimitedTable {
  /// The fields of a row, and the line of the file on which it begins, from 1.
  struct Row: Equatable {
    let line: Int
    let fields: [String]
  }

  let rows: [Row]

  /// The rows in the bytes of a file in UTF-8, with or without a byte order mark.
  ///
  /// - Throws: `CommandError.data` that names the line.
  init(_ bytes: [UInt8], separator: UInt8, path: String) throws(CommandError) {
    var reader = Reader(bytes: bytes, separator: separator, path: path)
    rows = try reader.read()
  }

  private struct Reader {
    let bytes: [UInt8]
    let separator: UInt8
    let path: String
    var position = 0
    var line = 1

    init(bytes: [UInt8], separator: UInt8, path: String) {
      self.bytes = bytes
      self.separator = separator
      self.path = path
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func read() throws(CommandError) -> [Row] {
      var rows: [Row] = []
      while position < bytes.count {
        let start = line
        var fields = [try field()]
        while position < bytes.count, bytes[position] == separator {
          position += 1
          fields.append(try field())
        }
        skipLineEnd()
        if fields != [""] { rows.append(Row(line: start, fields: fields)) }
      }
      return rows
    }

    private mutating func field() throws(CommandError) -> String {
      let start = line
      var content: [UInt8] = []
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        content = try quoted(from: start)
        guard isAtFieldEnd else { throw error("text behind a quoted field", at: start) }
      } else {
        while !isAtFieldEnd {
          content.append(bytes[position])
          position += 1
        }
      }
      guard let text = String(validating: content, as: UTF8.self) else {
        throw error("a field that is no UTF-8", at: start)
      }
      return text
    }

    private mutating func quoted(from start: Int) throws(CommandError) -> [UInt8] {
      position += 1
      var content: [UInt8] = []
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        if byte == UInt8(ascii: "\"") {
          guard position < bytes.count, bytes[position] == byte else { return content }
          position += 1
        } else if byte == UInt8(ascii: "\n") {
          line += 1
        }
        content.append(byte)
      }
      throw error("a quoted field without an end", at: start)
    }

    private var isAtFieldEnd: Bool {
      guard position < bytes.count else { return true }
      switch bytes[position] {
      case separator, UInt8(ascii: "\n"): return true
      case UInt8(ascii: "\r"):
        return position + 1 == bytes.count || bytes[position + 1] == UInt8(ascii: "\n")
      case _: return false
      }
    }

    private mutating func skipLineEnd() {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
      guard position < bytes.count else { return }
      position += 1
      line += 1
    }

    private func error(_ reason: String, at line: Int) -> CommandError {
      .data(reason, location: "\(path), line \(line)")
    }
  }
}
