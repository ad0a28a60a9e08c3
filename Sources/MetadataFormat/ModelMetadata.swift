// SPDX-License-Identifier: Apache-2.0

public import FlatBuffers

/// What a model says about itself for people and for programs that prepare its inputs.
///
/// This is TensorFlow Lite metadata, schema 1.5, which a model carries in the buffer named
/// `TFLITE_METADATA`. Fields that the file leaves out are nil or empty.
/// Schema: `metadata_schema.fbs` in <https://github.com/tensorflow/tflite-support>.
public struct ModelMetadata: Sendable, Equatable {
  /// The model's name.
  public var name: String?
  /// What the model does.
  public var description: String?
  /// The model's version.
  public var version: String?
  /// What is said about each subgraph; the first is the main one.
  public var subgraphs: [SubgraphMetadata]
  /// Who made the model.
  public var author: String?
  /// The license under which the model may be used.
  public var license: String?
  /// Files that concern the model as a whole.
  public var associatedFiles: [AssociatedFile]
  /// The oldest metadata parser that understands all fields.
  public var minimumParserVersion: String?

  /// The four characters that mark metadata.
  package static let identifier = "M001"
  /// The name of the buffer that holds metadata.
  package static let entryName = "TFLITE_METADATA"

  /// Metadata of these parts.
  public init(
    name: String? = nil, description: String? = nil, version: String? = nil,
    subgraphs: [SubgraphMetadata] = [], author: String? = nil, license: String? = nil,
    associatedFiles: [AssociatedFile] = [], minimumParserVersion: String? = nil
  ) {
    self.name = name
    self.description = description
    self.version = version
    self.subgraphs = subgraphs
    self.author = author
    self.license = license
    self.associatedFiles = associatedFiles
    self.minimumParserVersion = minimumParserVersion
  }

  /// The metadata that `bytes` encode, the contents of the buffer named `TFLITE_METADATA`.
  ///
  /// - Throws: `FlatBufferError` where the bytes are not metadata.
  public init(parsing bytes: Span<UInt8>) throws(FlatBufferError) {
    let table = try Table(root: bytes, identifier: Self.identifier)
    name = try table.string(0)
    description = try table.string(1)
    version = try table.string(2)
    subgraphs = try table.values(3, SubgraphMetadata.self)
    author = try table.string(4)
    license = try table.string(5)
    associatedFiles = try table.values(6, AssociatedFile.self)
    minimumParserVersion = try table.string(7)
  }
}

/// What metadata says about a subgraph.
public struct SubgraphMetadata: Sendable, Equatable, MetadataTable {
  /// The subgraph's name.
  public var name: String?
  /// What the subgraph does.
  public var description: String?
  /// The inputs, in the model's order.
  public var inputs: [TensorMetadata]
  /// The outputs, in the model's order.
  public var outputs: [TensorMetadata]
  /// Files that concern the subgraph as a whole.
  public var associatedFiles: [AssociatedFile]
  /// Preparation that involves several inputs.
  public var inputProcessUnits: [ProcessUnit]
  /// Finishing that involves several outputs.
  public var outputProcessUnits: [ProcessUnit]
  /// Inputs that belong together.
  public var inputGroups: [TensorGroup]
  /// Outputs that belong together.
  public var outputGroups: [TensorGroup]
  /// Anything else, for programs that know it.
  public var customMetadata: [CustomMetadata]

  /// A subgraph's metadata of these parts.
  public init(
    name: String? = nil, description: String? = nil, inputs: [TensorMetadata] = [],
    outputs: [TensorMetadata] = [], associatedFiles: [AssociatedFile] = [],
    inputProcessUnits: [ProcessUnit] = [], outputProcessUnits: [ProcessUnit] = [],
    inputGroups: [TensorGroup] = [], outputGroups: [TensorGroup] = [],
    customMetadata: [CustomMetadata] = []
  ) {
    self.name = name
    self.description = description
    self.inputs = inputs
    self.outputs = outputs
    self.associatedFiles = associatedFiles
    self.inputProcessUnits = inputProcessUnits
    self.outputProcessUnits = outputProcessUnits
    self.inputGroups = inputGroups
    self.outputGroups = outputGroups
    self.customMetadata = customMetadata
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    description = try table.string(1)
    inputs = try table.values(2, TensorMetadata.self)
    outputs = try table.values(3, TensorMetadata.self)
    associatedFiles = try table.values(4, AssociatedFile.self)
    inputProcessUnits = try table.values(5, ProcessUnit.self)
    outputProcessUnits = try table.values(6, ProcessUnit.self)
    inputGroups = try table.values(7, TensorGroup.self)
    outputGroups = try table.values(8, TensorGroup.self)
    customMetadata = try table.values(9, CustomMetadata.self)
  }
}

/// Tensors that belong together.
public struct TensorGroup: Sendable, Equatable, MetadataTable {
  /// The group's name.
  public var name: String?
  /// The names of the tensors, as in their metadata.
  public var tensorNames: [String]

  /// A group of these tensors.
  public init(
    name: String?, tensorNames: [String]
  ) {
    self.name = name
    self.tensorNames = tensorNames
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    tensorNames = try table.strings(1) ?? []
  }
}

/// Named bytes for programs that know them.
public struct CustomMetadata: Sendable, Equatable, MetadataTable {
  /// The name.
  public var name: String?
  /// The bytes.
  public var data: [UInt8]

  /// Bytes of this name.
  public init(
    name: String?, data: [UInt8]
  ) {
    self.name = name
    self.data = data
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    data = try table.bytes(1) ?? []
  }
}

/// A table of the metadata schema.
protocol MetadataTable {
  init(_ table: Table) throws(FlatBufferError)
  /// The table that `init` reads.
  func table() throws(MetadataError) -> FlatTable
}

extension Table {
  /// The tables of the vector in `slot` as values; none when the writer left it out.
  func values<Value: MetadataTable>(
    _ slot: Int, _ type: Value.Type
  ) throws(FlatBufferError) -> [Value] {
    let tables = try tables(slot)
    var values: [Value] = []
    for index in 0..<tables.count { values.append(try Value(try tables.table(at: index))) }
    return values
  }

  /// The table in `slot` as a value, or nil when the writer left it out.
  func value<Value: MetadataTable>(
    _ slot: Int, _ type: Value.Type
  ) throws(FlatBufferError) -> Value? {
    guard let table = try table(slot) else { return nil }
    return try Value(table)
  }
}
