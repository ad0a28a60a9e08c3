// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelFile {
  /// Where the contents of the metadata entry called `name` lie in the file.
  ///
  /// - Returns: Nil if there is no such entry.
  /// - Throws: `ModelError` if the entry refers to a buffer that does not exist.
  package func metadataRange(named name: String) throws(ModelError) -> Range<Int>? {
    guard let entry = metadata.first(where: { $0.name == name }) else { return nil }
    guard buffers.indices.contains(entry.buffer) else {
      throw ModelError(
        .indexOutOfRange(entry.buffer, count: buffers.count), path: [.metadata(name: name)])
    }
    return buffers[entry.buffer]
  }

  /// The model's metadata, decoded from `bytes`, the contents of the file.
  ///
  /// - Returns: Nil if the model has none.
  /// - Throws: `ModelError` if the metadata is malformed, which need not keep the model from
  ///   running.
  package func modelMetadata(in bytes: Span<UInt8>) throws(ModelError) -> ModelMetadata? {
    let name = ModelMetadata.entryName
    guard let range = try metadataRange(named: name) else { return nil }
    guard range.upperBound <= bytes.count else {
      throw ModelError(.invalid("the file has changed"), path: [.metadata(name: name)])
    }
    do {
      return try ModelMetadata(parsing: bytes.extracting(range))
    } catch {
      throw ModelError(.malformed(error), path: [.metadata(name: name)])
    }
  }
}
