// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
@_exported public import ModelSchema
package import ResourceLimits

/// A `.tflite` file as Swift values: everything but the contents of its buffers.
///
/// The tables are decoded and every index among them is checked at once, so that whoever
/// reads the values afterwards need not check again. Buffers stay ranges of the file.
/// Schema: <https://github.com/google-ai-edge/LiteRT/blob/main/tflite/converter/schema/schema.fbs>.
package struct ModelFile: Sendable {
  /// The schema's version; always 3.
  package let version: Int
  /// What the model's producer says about it.
  package let description: String
  /// The graphs; the first is the main one.
  package let subgraphs: [Subgraph]
  /// Where the contents of each buffer lie in the file; empty ranges for buffers without contents.
  package let buffers: [Range<Int>]
  /// Named entry points.
  package let signatures: [Signature]
  /// Named buffers that hold anything else, in the file's order.
  package let metadata: [MetadataEntry]
  /// Files beside the model that hold contents of buffers.
  package let externalGroups: [String]
  /// Slices of those files.
  package let externalBuffers: [ExternalBuffer]
  /// The bytes of the file.
  package let byteCount: Int

  /// A named buffer.
  package struct MetadataEntry: Sendable, Equatable {
    package let name: String
    /// The buffer's index, unchecked: metadata may be bad without harm to the model.
    package let buffer: Int
  }

  /// A slice of a file beside the model.
  package struct ExternalBuffer: Sendable, Equatable {
    package let identifier: UInt32
    package let group: UInt32
    package let offset: UInt64
    package let byteCount: UInt64
    package let packing: String
  }

  /// The four characters that mark a model file.
  package static let identifier = "TFL3"

  /// The version of the schema that is read.
  package static let supportedVersion = 3

  /// The model in `bytes`, the whole contents of a file.
  package init(
    parsing bytes: Span<UInt8>, limits: Limits = Limits()
  ) throws(ModelError) {
    try FileKind.requireModel(bytes)
    let root: Table
    let header: Header
    do {
      root = try Table(root: bytes, identifier: Self.identifier, limits: limits)
      header = try Header(root)
    } catch {
      throw ModelError(.malformed(error))
    }
    guard header.version == Self.supportedVersion else {
      throw ModelError(.unsupportedVersion(header.version))
    }

    let codes = try Self.operatorCodes(root)
    buffers = try Self.buffers(root)
    subgraphs = try Self.subgraphs(root, codes: codes, nodeLimit: limits.nodeCount)
    signatures = try Self.signatures(root)
    version = header.version
    description = header.description
    metadata = header.metadata
    externalGroups = header.externalGroups
    externalBuffers = header.externalBuffers
    byteCount = bytes.count
    try validate()
  }
}
