// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

extension ModelFile {
  /// The first part in which another model differs from this one; nil where there is none.
  ///
  /// Metadata for people is left out. `bytes` are this model's file, `otherBytes` the other's.
  func firstDifference(
    from other: ModelFile, _ bytes: Span<UInt8>, _ otherBytes: Span<UInt8>
  ) -> String? {
    if version != other.version { return "its schema version" }
    if description != other.description { return "its description" }
    if signatures != other.signatures { return "its signatures" }
    if externalGroups != other.externalGroups || externalBuffers != other.externalBuffers {
      return "its external buffers"
    }
    if otherEntries != other.otherEntries { return "its other metadata" }
    if subgraphs.count != other.subgraphs.count { return "its subgraphs" }
    for (index, pair) in zip(subgraphs, other.subgraphs).enumerated()
    where pair.0 != pair.1 && "\(pair.0)" != "\(pair.1)" {
      // Numbers that are not numbers differ from themselves, their text does not.
      return "subgraph \(index)"
    }
    let described = metadata.filter { $0.name == ModelMetadata.entryName }.map(\.buffer)
    for (index, range) in buffers.enumerated() where !described.contains(index) {
      guard index < other.buffers.count,
        bytes.extracting(range).isEqual(to: otherBytes.extracting(other.buffers[index]))
      else { return "buffer \(index)" }
    }
    return nil
  }

  /// The metadata entries that are not for people.
  package var otherEntries: [MetadataEntry] {
    metadata.filter { $0.name != ModelMetadata.entryName }
  }
}
