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
}
