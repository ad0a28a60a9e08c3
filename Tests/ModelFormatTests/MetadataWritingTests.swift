// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import MetadataFormat
import ModelFormat
import Testing

/// Writing metadata.
@Suite struct MetadataWritingTests {
  /// Metadata with every part that can be written.
  static func everything() throws -> ModelMetadata {
    var metadata = try ModelMetadata(parsing: MetadataTests.everything.span)
    metadata.subgraphs[0].inputs[0].processUnits.removeLast()
    metadata.subgraphs[0].inputProcessUnits = [.scoreThresholding(.init(globalScoreThreshold: 1))]
    metadata.subgraphs[0].outputProcessUnits = metadata.subgraphs[0].inputProcessUnits
    return metadata
  }

  @Test func `what is written is read again`() throws {
    let metadata = try Self.everything()
    let bytes = try metadata.serialized()
    #expect(try ModelMetadata(parsing: bytes.span) == metadata)
    let empty = try ModelMetadata().serialized()
    #expect(
      try ModelMetadata(parsing: empty.span) == ModelMetadata(minimumParserVersion: "1.0.0"))
  }

  @Test func `features without a table stay features`() throws {
    let tensor = FlatTable([3: .table(FlatTable([0: .int(UInt8(1))]))])
    let main = FlatTable([2: .tables([tensor])])
    let bytes = FlatTable([3: .tables([main])]).serialized(identifier: "M001")
    let metadata = try ModelMetadata(parsing: bytes.span)
    #expect(metadata.subgraphs.first?.inputs.first?.content?.properties == .feature)
    let again = try metadata.serialized()
    #expect(try ModelMetadata(parsing: again.span).subgraphs == metadata.subgraphs)
  }

  @Test func `parts that would be lost or do not fit are refused`() throws {
    var unit = ModelMetadata(subgraphs: [SubgraphMetadata(inputs: [TensorMetadata()])])
    var content = unit
    var range = unit
    unit.subgraphs[0].inputs[0].processUnits = [.unknown(9)]
    content.subgraphs[0].inputs[0].content = Content(properties: .unknown(9))
    range.subgraphs[0].inputs[0].content = Content(
      properties: .audio(AudioProperties(sampleRate: -1, channels: 1)))
    #expect(throws: MetadataError.unknownPart("process unit of kind 9")) {
      try unit.serialized()
    }
    #expect(throws: MetadataError.unknownPart("content of kind 9")) { try content.serialized() }
    #expect(throws: MetadataError.outOfRange("a sample rate")) { try range.serialized() }
  }

  static let versions: [(ModelMetadata, String)] = [
    (ModelMetadata(associatedFiles: [AssociatedFile(name: "a", kind: .tensorAxisLabels)]), "1.0.0"),
    (ModelMetadata(associatedFiles: [AssociatedFile(name: "a", kind: .vocabulary)]), "1.0.1"),
    (
      ModelMetadata(subgraphs: [
        SubgraphMetadata(inputProcessUnits: [.bertTokenizer(.init(vocabularyFiles: []))])
      ]), "1.1.0"
    ),
    (
      ModelMetadata(subgraphs: [
        SubgraphMetadata(outputGroups: [TensorGroup(name: "g", tensorNames: [])])
      ]), "1.2.0"
    ),
    (
      ModelMetadata(subgraphs: [
        SubgraphMetadata(inputs: [
          TensorMetadata(processUnits: [.regexTokenizer(.init(delimiterPattern: "x"))])
        ])
      ]), "1.2.1"
    ),
    (
      ModelMetadata(subgraphs: [
        SubgraphMetadata(inputs: [
          TensorMetadata(
            content: Content(properties: .audio(AudioProperties(sampleRate: 1, channels: 1))))
        ])
      ]), "1.3.0"
    ),
    (ModelMetadata(associatedFiles: [AssociatedFile(name: "a", kind: .scannIndexFile)]), "1.4.0"),
    (
      ModelMetadata(associatedFiles: [AssociatedFile(name: "a", kind: .unknown, version: "1")]),
      "1.4.1"
    ),
    (
      ModelMetadata(subgraphs: [
        SubgraphMetadata(customMetadata: [CustomMetadata(name: "c", data: [])])
      ]), "1.5.0"
    ),
  ]

  @Test(arguments: versions)
  func `the oldest parser that understands it follows from the parts`(
    metadata: ModelMetadata, expected: String
  ) throws {
    let bytes = try metadata.serialized()
    #expect(try ModelMetadata(parsing: bytes.span).minimumParserVersion == expected)
  }
}
