// SPDX-License-Identifier: Apache-2.0

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

extension ModelFile.Node: Equatable {
  /// Whether two nodes are the same operator on the same tensors with the same options.
  package static func == (one: ModelFile.Node, other: ModelFile.Node) -> Bool {
    one.identity == other.identity && one.inputs == other.inputs && one.outputs == other.outputs
      && one.intermediates == other.intermediates && one.customOptions == other.customOptions
      && one.mutatingVariableInputs == other.mutatingVariableInputs
      && one.debugMetadata == other.debugMetadata && areEqual(one.options, other.options)
  }

  private static func areEqual(_ one: (any OptionsTable)?, _ other: (any OptionsTable)?) -> Bool {
    func isEqual<Options: OptionsTable>(_ one: Options) -> Bool { one == other as? Options }
    guard let one else { return other == nil }
    return isEqual(one)
  }
}

extension Span<UInt8> {
  /// A copy of the bytes.
  var copy: [UInt8] {
    var copy = [UInt8](repeating: 0, count: count)
    var target = copy.mutableSpan
    for index in indices { target[index] = self[index] }
    return copy
  }

  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
