// SPDX-License-Identifier: Apache-2.0

/// Writes a FlatBuffer from front to back: each table, then what it refers to.
///
/// Everything lies at a multiple of its own size, as readers that do not copy expect.
struct FlatBufferWriter {
  private(set) var bytes: [UInt8] = []

  /// Offsets to what lies in the bytes behind, as a distance from their start.
  private var links: [(position: Int, target: Int)] = []
  /// Fields of tables that stay where they are in the bytes behind.
  private var reaches: [(virtualTable: Int, slot: Int, table: Int, field: Int, end: Int)] = []

  /// Writes the root table behind `header`, bytes that nothing refers to.
  mutating func writeRoot(_ table: FlatTable, identifier: String, header: [UInt8] = []) {
    append(0, byteCount: 4)
    bytes += identifier.utf8 + header
    link(0, to: write(table))
  }

  /// Ends at a multiple of `alignment`, where the bytes behind begin, and refers to these.
  mutating func finish(alignment: Int) throws(FlatBufferError) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
    for (position, target) in links {
      // Readers take offsets for signed numbers.
      guard target <= Int(Int32.max) - bytes.count else {
        throw FlatBufferError(.tooFar(limit: Int(Int32.max)), at: position)
      }
      link(position, to: bytes.count + target)
    }
    for reach in reaches {
      let distance = bytes.count - reach.table
      guard reach.field <= reach.end, reach.end <= 0xffff - distance else {
        throw FlatBufferError(.tooFar(limit: 0xffff), at: reach.table)
      }
      let length = max(length(ofTableAt: reach.virtualTable), distance + reach.end)
      bytes.set(UInt64(length), byteCount: 2, at: reach.virtualTable + 2)
      let entry = reach.virtualTable + 4 + 2 * reach.slot
      bytes.set(UInt64(distance + reach.field), byteCount: 2, at: entry)
    }
  }

  private func length(ofTableAt virtualTable: Int) -> Int {
    Int(bytes[virtualTable + 2]) | Int(bytes[virtualTable + 3]) << 8
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
      if case .inPlace(let field, let end) = field {
        reaches.append((position - virtualTableLength, slot, position, field, end))
      } else {
        write(field, at: position + offset)
      }
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
      if size > 0 { end = (end + size - 1) / size * size }
      offsets[slot] = end
      end += size
    }
    return (offsets, (end + 3) / 4 * 4)
  }

  /// Fills in a field of a table that is already there.
  private mutating func write(_ field: FlatField, at position: Int) {
    switch field {
    case .scalar(let bits, let byteCount): bytes.set(bits, byteCount: byteCount, at: position)
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
    case .tables(let tables): write(.elements(tables.map { .table($0) }), at: position)
    case .elements(let elements):
      let start = startVector(count: elements.count, alignment: 4)
      bytes += [UInt8](repeating: 0, count: 4 * elements.count)
      for (index, element) in elements.enumerated() {
        switch element {
        case .table(let table): link(start + 4 + 4 * index, to: write(table))
        case .existing(let target): links.append((start + 4 + 4 * index, target))
        }
      }
      link(position, to: start)
    case .existing(let target): links.append((position, target))
    case .inPlace: break
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
    bytes.set(UInt64(target - position), byteCount: 4, at: position)
  }

  private mutating func append(_ bits: UInt64, byteCount: Int) {
    bytes += [UInt8](repeating: 0, count: byteCount)
    bytes.set(bits, byteCount: byteCount, at: bytes.count - byteCount)
  }
}

extension FlatField {
  /// The bytes that the field takes in its table: itself or an offset.
  fileprivate var byteCount: Int {
    switch self {
    case .scalar(_, let byteCount): byteCount
    case .string, .vector, .strings, .table, .tables, .elements, .existing: 4
    case .inPlace: 0
    }
  }
}
