// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat

/// The bytes in front of a model that give it metadata.
///
/// Offsets of a FlatBuffer point forwards. A root table in front of a model can therefore use all
/// of its tables as they are, where they are, and name one buffer more than the old root table:
///
///     root offset, identifier, mark, length of the envelope, length of the model
///     root table › buffers: the model's and one with the metadata › metadata: likewise
///     zeros up to a multiple of 64
///     the model, byte for byte: its own root table is out of use, all else is in use
///
/// So nothing of the model is lost that is not known here, and taking the envelope off gives
/// the very file that it was put around.
struct MetadataEnvelope {
  /// The envelope's bytes; their number is a multiple of the model's largest alignment.
  let bytes: [UInt8]

  private static let mark = Array("martlet1".utf8)
  /// The mark and the lengths stand behind the root offset and the identifier.
  private static let headerStart = 8
  private static let alignment = 64

  /// The envelope around `model`, a FlatBuffer without metadata, for `metadata`.
  init(around model: Span<UInt8>, metadata: [UInt8]) throws(FlatBufferError) {
    var header = Self.mark + [UInt8](repeating: 0, count: 16)
    header.set(UInt64(model.count), byteCount: 8, at: 16)
    let root = try Table(root: model, identifier: ModelFile.identifier)
    var bytes = try Self.rootTable(replacing: root, metadata).serialized(
      identifier: ModelFile.identifier, header: header, alignment: Self.alignment)
    bytes.set(UInt64(bytes.count), byteCount: 8, at: Self.headerStart + 8)
    self.bytes = bytes
  }

  /// A root table with the fields of `root` and one metadata entry more.
  private static func rootTable(
    replacing root: Table, _ metadata: [UInt8]
  ) throws(FlatBufferError) -> FlatTable {
    var fields: [Int: FlatField] = [:]
    for slot in 0..<root.slotCount {
      guard let field = try root.field(slot, byteCount: 0) else { continue }
      switch slot {
      case Slot.Model.version.slot: fields[slot] = .int(try root.scalar(Slot.Model.version))
      case 0..<SchemaTable.model.fields.count:
        fields[slot] = try root.target(slot).map { .existing($0) }
      // What kind of field this is, is not known: an offset would have to change, a number not.
      case _: fields[slot] = .inPlace(field, end: root.position + root.length)
      }
    }
    var buffers = try elements(root, slot: Slot.Model.buffers)
    // Buffer 0 stands for "none".
    if buffers.isEmpty { buffers.append(.table(FlatTable())) }
    let entry = FlatTable([
      Slot.Metadata.name: .string(ModelMetadata.entryName),
      Slot.Metadata.buffer.slot: .int(UInt32(truncatingIfNeeded: buffers.count)),
    ])
    buffers.append(.table(FlatTable([Slot.Buffer.data: .bytes(metadata, alignment: 16)])))
    fields[Slot.Model.buffers] = .elements(buffers)
    fields[Slot.Model.metadata] = .elements(
      try elements(root, slot: Slot.Model.metadata) + [.table(entry)])
    return FlatTable(fields)
  }

  private static func elements(
    _ root: borrowing Table, slot: Int
  ) throws(FlatBufferError) -> [FlatElement] {
    let tables = try root.tables(slot)
    var elements: [FlatElement] = []
    for index in 0..<tables.count {
      elements.append(.existing(try tables.table(at: index).position))
    }
    return elements
  }

  /// The model inside `file`, if that is an envelope and a model and nothing else.
  ///
  /// The mark alone proves nothing: putting the envelope around the model again must give the
  /// same bytes, for `metadata`, that in `file`.
  static func model(in file: Span<UInt8>, metadata: [UInt8]) -> [UInt8]? {
    guard file.count >= headerStart + 24,
      file.extracting(headerStart..<headerStart + 8).isEqual(to: mark.span),
      let length = try? Int(exactly: file.integer(UInt64.self, at: headerStart + 8)),
      length <= file.count,
      let modelLength = try? Int(exactly: file.integer(UInt64.self, at: headerStart + 16)),
      modelLength == file.count - length
    else { return nil }
    var model = file.extracting(length..<file.count).copy
    guard (try? ExternalOffsets.shift(&model, by: -length)) != nil,
      let envelope = try? MetadataEnvelope(around: model.span, metadata: metadata),
      file.extracting(0..<length).isEqual(to: envelope.bytes.span)
    else { return nil }
    return model
  }
}
