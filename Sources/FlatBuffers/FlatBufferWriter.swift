// SPDX-License-Identifier: Apache-2.0

/// Writes a FlatBuffer from front to back: each table, then what it refers to.
///
/// Everything lies at a multiple of its own size, as readers that do not copy expect.
struct FlatBufferWriter {
  private(set) var bytes: [UInt8] = []

  mutating func writeRoot(_ table: FlatTable, identifier: String) {
    append(0, byteCount: 4)
    bytes += identifier.utf8
    link(0, to: write(table))
  }

  /// Writes a table behind its virtual table and returns where it lies.
  private mutating func write(_ table: FlatTable) -> Int {
    let slots = table.fields.keys.sorted()
    let slotCount = (slots.last ?? -1) + 1
    let layout = Self.layout(table)

    // Tables start at multiples of 8, the largest size of a field.
    let virtualTableLength = 4 + 2 * slotCount
    while !(bytes.count + virtualTableLength).isMultiple(of: 8) { bytes.append(0) }
    append(UInt64(virtualTableLength), byteCount: 2)
    append(UInt64(layout.length), byteCount: 2)
    for slot in 0..<slotCount { append(UInt64(layout.offsets[slot] ?? 0), byteCount: 2) }

    let position = bytes.count
    append(UInt64(virtualTableLength), byteCount: 4)
    bytes += [UInt8](repeating: 0, count: layout.length - 4)
    for slot in slots {
      guard let field = table.fields[slot], let offset = layout.offsets[slot] else { continue }
      write(field, at: position + offset)
    }
    return position
  }

  /// Where fields lie in a table: larger ones first, so that few bytes are lost.
  private static func layout(_ table: FlatTable) -> (offsets: [Int: Int], length: Int) {
    var offsets: [Int: Int] = [:]
    var end = 4
    let order = table.fields.sorted { ($1.value.byteCount, $0.key) < ($0.value.byteCount, $1.key) }
    for (slot, field) in order {
      let size = field.byteCount
      end = (end + size - 1) / size * size
      offsets[slot] = end
      end += size
    }
    return (offsets, (end + 3) / 4 * 4)
  }

  /// Fills in a field of a table that is already there.
  private mutating func write(_ field: FlatField, at position: Int) {
    switch field {
    case .scalar(let bits, let byteCount): set(bits, byteCount: byteCount, at: position)
    case .string(let text): link(position, to: write(text))
    case .table(let table): link(position, to: write(table))
    case .vector(let contents, let stride, let alignment):
      let start = startVector(count: contents.count / max(stride, 1), alignment: alignment)
      bytes += contents
      link(position, to: start)
    case .strings(let texts):
      let start = startVector(count: texts.count, alignment: 4)
      bytes += [UInt8](repeating: 0, count: 4 * texts.count)
      for (index, text) in texts.enumerated() { link(start + 4 + 4 * index, to: write(text)) }
      link(position, to: start)
    case .tables(let tables):
      let start = startVector(count: tables.count, alignment: 4)
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, table) in tables.enumerated() { link(start + 4 + 4 * index, to: write(table)) }
      link(position, to: start)
    }
  }

  private mutating func write(_ text: String) -> Int {
    let start = startVector(count: text.utf8.count, alignment: 1)
    bytes += text.utf8
    bytes.append(0)
    return start
  }

  /// Writes the count of a vector whose elements lie at a multiple of `alignment`.
  private mutating func startVector(count: Int, alignment: Int) -> Int {
    while !(bytes.count + 4).isMultiple(of: max(alignment, 4)) { bytes.append(0) }
    append(UInt64(count), byteCount: 4)
    return bytes.count - 4
  }

  private mutating func link(_ position: Int, to target: Int) {
    set(UInt64(target - position), byteCount: 4, at: position)
  }

  private mutating func append(_ bits: UInt64, byteCount: Int) {
    bytes += [UInt8](repeating: 0, count: byteCount)
    set(bits, byteCount: byteCount, at: bytes.count - byteCount)
  }

  private mutating func set(_ bits: UInt64, byteCount: Int, at position: Int) {
    for byte in 0..<byteCount {
      bytes[position + byte] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))
    }
  }
}

extension FlatField {
  /// The bytes that the field takes in its table: itself or an offset.
  fileprivate var byteCount: Int {
    switch self {
    case .scalar(_, let byteCount): byteCount
    case .string, .vector, .strings, .table, .tables: 4
    }
  }
}
