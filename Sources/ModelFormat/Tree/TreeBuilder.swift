// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// Visits the tables of a file by their description.
struct TreeBuilder {
  private(set) var usage = ByteUsage()
  private(set) var isCut = false
  private var partsLeft: Int
  /// Where the tables, the tables of locations and all else begin that the tree has already.
  private var tables: Set<Int> = []
  private var virtualTables: Set<Int> = []
  private var vectors: Set<Int> = []
  /// The buffers that hold metadata.
  private let metadataBuffers: Set<Int>

  /// The most numbers of a vector that are listed, and how many of a longer one.
  private static let listed = (all: 16, first: 8)
  /// The most bytes of a text that are shown.
  private static let textByteLimit = 1000
  /// Larger options are not decoded.
  private static let flexByteLimit = 4096

  init(_ root: Table, partLimit: Int) {
    partsLeft = partLimit
    metadataBuffers = Self.metadataBuffers(root)
  }

  /// The buffers that entries of metadata name, as far as they can be read.
  private static func metadataBuffers(_ root: Table) -> Set<Int> {
    var buffers = Set((try? root.int32s(Slot.Model.metadataBuffer))?.map { Int($0) } ?? [])
    guard let entries = try? root.tables(Slot.Model.metadata) else { return buffers }
    for index in 0..<entries.count {
      guard let entry = try? entries.table(at: index),
        let buffer = try? entry.scalar(Slot.Metadata.buffer)
      else { break }
      buffers.insert(Int(buffer))
    }
    return buffers
  }

  /// The part for a table; `kind` is what its bytes are for.
  mutating func table(
    _ table: Table, as schema: SchemaTable, _ label: ModelTree.Label, _ kind: ByteUsage.Kind
  ) -> ModelTree.Part {
    guard tables.insert(table.position).inserted else {
      return ModelTree.Part(label, schema.name, at: table.position, .shared)
    }
    var byteCount = table.length
    usage.claim(table.position..<table.position + table.length, for: kind)
    if virtualTables.insert(table.virtualTableRange.lowerBound).inserted {
      byteCount += table.virtualTableRange.count
      usage.claim(table.virtualTableRange, for: kind)
    }
    var children: [ModelTree.Part] = []
    for slot in 0..<table.slotCount where hasRoom() {
      let field = schema.fields.indices.contains(slot) ? schema.fields[slot] : nil
      let label = ModelTree.Label(name: field?.name, position: slot)
      do throws(FlatBufferError) {
        guard let offset = try table.field(slot, byteCount: 0) else { continue }
        partsLeft -= 1
        guard let field else {
          children.append(ModelTree.Part(label, "?", at: offset, .unknown))
          continue
        }
        children.append(try part(slot, of: table, field, label, kind))
      } catch {
        children.append(ModelTree.Part(label, field?.kind.text ?? "?", .broken(error)))
      }
    }
    if let outside = outside(table, as: schema, kind) { children.append(outside) }
    return ModelTree.Part(
      label, schema.name, at: table.position, byteCount: byteCount, .parts, children: children)
  }

  /// Whether another part may be added.
  private mutating func hasRoom() -> Bool {
    if partsLeft <= 0 { isCut = true }
    return !isCut
  }

  /// The part for a field that is there.
  private mutating func part(
    _ slot: Int, of table: Table, _ field: SchemaField, _ label: ModelTree.Label,
    _ kind: ByteUsage.Kind
  ) throws(FlatBufferError) -> ModelTree.Part {
    let type = field.kind.text
    switch field.kind {
    case .scalar(let scalar), .index(_, let scalar):
      return ModelTree.Part(
        label, type, .number(ModelTree.Number(scalar, bits: try table.integer(slot, scalar))))
    case .member(let union):
      let code: UInt8 = try table.scalar(slot)
      let name = code == 0 ? "NONE" : union.member(code)?.name
      return ModelTree.Part(label, type, .number(name.map { .name($0) } ?? .integer(Int64(code))))
    case .string: return try text(slot, of: table, label)
    case .vector(let scalar, _): return try numbers(slot, of: table, scalar, type, label, kind)
    case .indices: return try numbers(slot, of: table, .int32, type, label, kind)
    case .customOptions, .contents: return try bytes(slot, of: table, field, label, kind)
    case .table(let schema):
      guard let inner = try table.table(slot) else { break }
      return self.table(inner, as: schema, label, schema.kind ?? kind)
    case .tables(let schema): return try elements(slot, of: table, schema, label, kind)
    case .union(let union):
      guard let inner = try table.table(slot) else { break }
      let code: UInt8 = try table.scalar(slot - 1)
      // Of a table that nothing describes, the fields are shown by their numbers.
      let schema = union.member(code) ?? SchemaTable(union.name, [])
      return self.table(inner, as: schema, label, schema.kind ?? kind)
    }
    return ModelTree.Part(label, type, .unknown)
  }

  private mutating func elements(
    _ slot: Int, of table: Table, _ schema: SchemaTable, _ label: ModelTree.Label,
    _ kind: ByteUsage.Kind
  ) throws(FlatBufferError) -> ModelTree.Part {
    let vector = try table.tables(slot)
    let (offset, type) = (vector.start - 4, "[\(schema.name)]")
    guard vectors.insert(offset).inserted else {
      return ModelTree.Part(label, type, at: offset, .shared)
    }
    let byteCount = 4 + 4 * vector.count
    usage.claim(offset..<offset + byteCount, for: schema.kind ?? kind)
    var children: [ModelTree.Part] = []
    for index in 0..<vector.count where hasRoom() {
      partsLeft -= 1
      let label = ModelTree.Label(name: nil, position: index)
      // Contents of buffers count as what uses them.
      let isMetadata = schema.name == SchemaTable.buffer.name && metadataBuffers.contains(index)
      do throws(FlatBufferError) {
        let element = try vector.table(at: index)
        children.append(
          self.table(element, as: schema, label, isMetadata ? .metadata : schema.kind ?? kind))
      } catch {
        children.append(ModelTree.Part(label, schema.name, .broken(error)))
      }
    }
    return ModelTree.Part(
      label, type, at: offset, byteCount: byteCount, .parts, children: children)
  }

  private mutating func text(
    _ slot: Int, of table: Table, _ label: ModelTree.Label
  ) throws(FlatBufferError) -> ModelTree.Part {
    guard let (start, count) = try table.elements(slot, stride: 1) else {
      return ModelTree.Part(label, "string", .unknown)
    }
    let offset = start - 4
    let isCut = count > Self.textByteLimit
    let text = String(
      decoding: try table.copy(start..<start + min(count, Self.textByteLimit)), as: UTF8.self)
    let value = ModelTree.Value.text(text, isCut: isCut)
    guard vectors.insert(offset).inserted else {
      return ModelTree.Part(label, "string", at: offset, value)
    }
    // A NUL follows.
    usage.claim(offset..<start + count + 1, for: .names)
    return ModelTree.Part(label, "string", at: offset, byteCount: count + 5, value)
  }

  private mutating func numbers(
    _ slot: Int, of table: Table, _ scalar: SchemaScalar, _ type: String,
    _ label: ModelTree.Label, _ kind: ByteUsage.Kind
  ) throws(FlatBufferError) -> ModelTree.Part {
    let stride = scalar.byteCount
    guard let (start, count) = try table.elements(slot, stride: stride) else {
      return ModelTree.Part(label, type, .unknown)
    }
    let offset = start - 4
    let shown = count <= Self.listed.all ? count : Self.listed.first
    let bytes = try table.copy(start..<start + stride * shown)
    var numbers: [ModelTree.Number] = []
    for index in 0..<shown {
      numbers.append(try ModelTree.Number(scalar, bytes.span, at: index))
    }
    let isFirst = vectors.insert(offset).inserted
    if isFirst { usage.claim(offset..<start + stride * count, for: kind) }
    return ModelTree.Part(
      label, type, at: offset, byteCount: isFirst ? 4 + stride * count : 0,
      .numbers(count: count, first: numbers))
  }

  private mutating func bytes(
    _ slot: Int, of table: Table, _ field: SchemaField, _ label: ModelTree.Label,
    _ kind: ByteUsage.Kind
  ) throws(FlatBufferError) -> ModelTree.Part {
    guard let range = try table.byteRange(slot) else {
      return ModelTree.Part(label, field.kind.text, .unknown)
    }
    let offset = range.lowerBound - 4
    let isFirst = vectors.insert(offset).inserted
    var flexBuffer: String?
    var contents = kind
    if case .contents = field.kind {
      contents = kind.ofContents
    } else if range.count <= Self.flexByteLimit {
      let bytes = try table.copy(range)
      flexBuffer = (try? FlexBuffers.decode(bytes.span))?.text
    }
    if isFirst {
      usage.claim(offset..<range.lowerBound, for: kind)
      usage.claim(range, for: contents)
    }
    return ModelTree.Part(
      label, field.kind.text, at: offset, byteCount: isFirst ? 4 + range.count : 0,
      .bytes(range, flexBuffer: flexBuffer))
  }

  /// What a buffer or a node keeps behind the FlatBuffer; nil for nothing.
  private mutating func outside(
    _ table: Table, as schema: SchemaTable, _ kind: ByteUsage.Kind
  ) -> ModelTree.Part? {
    let (inside, start, size): (Int, ScalarField<UInt64>, ScalarField<UInt64>)
    switch schema.name {
    case SchemaTable.buffer.name:
      (inside, start, size) = (Slot.Buffer.data, Slot.Buffer.offset, Slot.Buffer.size)
    case SchemaTable.node.name:
      inside = Slot.Operator.customOptions
      start = Slot.Operator.largeCustomOptionsOffset
      size = Slot.Operator.largeCustomOptionsSize
    case _: return nil
    }
    let label = ModelTree.Label(name: schema.fields[inside].name, position: inside)
    do throws(FlatBufferError) {
      let first = try table.scalar(start)
      guard try !table.has(inside), first > 1, hasRoom() else { return nil }
      partsLeft -= 1
      let range = try table.range(offset: first, size: try table.scalar(size))
      let isFirst = vectors.insert(range.lowerBound).inserted
      if isFirst { usage.claim(range, for: kind.ofContents) }
      return ModelTree.Part(
        label, "[ubyte]", at: range.lowerBound, byteCount: isFirst ? range.count : 0,
        .bytes(range, flexBuffer: nil))
    } catch {
      return ModelTree.Part(label, "[ubyte]", .broken(error))
    }
  }
}

extension ByteUsage.Kind {
  /// What the contents of a buffer are whose table is of this kind.
  fileprivate var ofContents: Self { self == .structure ? .weights : self }
}

extension SchemaTable {
  /// What the bytes of the table are for; nil where that is what those of the table above are for.
  fileprivate var kind: ByteUsage.Kind? {
    switch name {
    case Self.tensor.name: .tensors
    case Self.node.name, Self.operatorCode.name: .operators
    case Self.metadata.name: .metadata
    case _: nil
    }
  }
}
