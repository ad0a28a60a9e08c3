// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import ModelFormat
import ResourceLimits

/// A model without metadata and associated files.
struct BareModel {
  /// The file's bytes.
  private(set) var bytes: [UInt8]

  /// What is left of `file` without its archive and metadata.
  ///
  /// An envelope is taken off. Metadata that the model itself holds is cut out of the list of
  /// metadata entries, and its bytes become zeros, since other things lie behind them.
  ///
  /// - Throws: `MetadataError.model` where the file is no valid model, `.files` where the archive
  ///   behind it cannot be told from the model.
  init(of file: Span<UInt8>, limits: Limits) throws(MetadataError) {
    let model: ModelFile
    let end: Int
    do throws(ModelError) { model = try ModelFile(parsing: file, limits: limits) } catch {
      throw .model(error)
    }
    do throws(ZipError) {
      end = try AssociatedFiles(in: file, limits: limits).start ?? file.count
    } catch {
      throw .files("\(error)")
    }
    guard model.buffers.allSatisfy({ $0.upperBound <= end }) else {
      throw .files("the archive and the model share bytes")
    }
    let flatBuffer = file.extracting(0..<end)
    if let range = try? model.metadataRange(named: ModelMetadata.entryName),
      let inner = MetadataEnvelope.model(
        in: flatBuffer, metadata: file.extracting(range).copy)
    {
      bytes = inner
    } else {
      bytes = flatBuffer.copy
    }
    // Metadata that is left is the model's own.
    do throws(ModelError) {
      let inner = try ModelFile(parsing: bytes.span, limits: limits)
      try MetadataRemoval(from: inner, bytes.span).apply(to: &bytes)
    } catch {
      throw .model(error)
    }
  }

  /// Puts an envelope with `metadata` around the model.
  mutating func describe(by metadata: [UInt8]) throws(FlatBufferError) {
    let envelope = try MetadataEnvelope(around: bytes.span, metadata: metadata).bytes
    try ExternalOffsets.shift(&bytes, by: envelope.count)
    bytes.insert(contentsOf: envelope, at: 0)
  }

  /// Appends the archive of `files`, whose offsets count from the start of the model.
  ///
  /// The files are stored as they are: parsers on phones read them in place.
  mutating func pack(_ files: [AssociatedFileContents]) throws(ZipError) {
    guard !files.isEmpty else { return }
    var writer = ZipWriter(baseOffset: bytes.count)
    for file in files { try writer.add(file.name, file.contents.span, method: .stored) }
    bytes += try writer.finish()
  }
}

/// The changes that take the metadata out of a model.
private struct MetadataRemoval {
  private var words: [(position: Int, value: UInt32)] = []
  private var zeros: [Range<Int>] = []

  /// The changes for `model`, decoded from `bytes`; none where it has no metadata.
  init(from model: ModelFile, _ bytes: Span<UInt8>) throws(ModelError) {
    do throws(FlatBufferError) { try find(in: model, bytes) } catch {
      throw ModelError(.malformed(error), path: [.metadata(name: ModelMetadata.entryName)])
    }
  }

  private mutating func find(
    in model: ModelFile, _ bytes: Span<UInt8>
  ) throws(FlatBufferError) {
    let name = ModelMetadata.entryName
    let removed = model.metadata.filter { $0.name == name }.map(\.buffer)
    guard !removed.isEmpty else { return }
    let root = try Table(root: bytes, identifier: ModelFile.identifier)
    try shorten(
      try root.tables(Slot.Model.metadata), keeping: model.metadata.map { $0.name != name })

    let used = Set(
      [0] + model.subgraphs.flatMap { $0.tensors.map(\.buffer) }
        + model.metadata.filter { $0.name != name }.map(\.buffer))
    let buffers = try root.tables(Slot.Model.buffers)
    for buffer in Set(removed)
    where model.buffers.indices.contains(buffer) && !used.contains(buffer) {
      let range = model.buffers[buffer]
      let others = model.buffers.indices.filter { $0 != buffer }
      guard !range.isEmpty, !others.contains(where: { model.buffers[$0].overlaps(range) }) else {
        continue
      }
      zeros.append(range)
      let table = try buffers.table(at: buffer)
      if let vector = try table.target(Slot.Buffer.data) {
        words.append((vector, 0))
      } else {
        for slot in [Slot.Buffer.offset.slot, Slot.Buffer.size.slot] {
          if let field = try table.field(slot, byteCount: 8) { zeros.append(field..<field + 8) }
        }
      }
    }
  }

  /// Moves the elements that are kept to the front, where they are still behind their offsets.
  private mutating func shorten(
    _ vector: TableVector, keeping isKept: [Bool]
  ) throws(FlatBufferError) {
    var kept: [Int] = []
    for index in 0..<vector.count where isKept[index] {
      kept.append(try vector.table(at: index).position)
    }
    words.append((vector.start - 4, UInt32(truncatingIfNeeded: kept.count)))
    for index in 0..<vector.count {
      let element = vector.start + 4 * index
      let distance = index < kept.count ? kept[index] - element : 0
      words.append((element, UInt32(truncatingIfNeeded: distance)))
    }
  }

  func apply(to bytes: inout [UInt8]) {
    for range in zeros { for position in range { bytes[position] = 0 } }
    for (position, value) in words { bytes.set(UInt64(value), byteCount: 4, at: position) }
  }
}
