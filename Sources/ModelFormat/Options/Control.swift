// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `CALL`.
public struct CallOptions: OptionsTable {
  /// The subgraph that is called.
  public var subgraph: UInt32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    subgraph = try table.scalar(0, default: subgraph)
  }
}

/// Options of `CALL_ONCE`.
public struct CallOnceOptions: OptionsTable {
  /// The subgraph that runs once.
  public var initializer: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    initializer = try table.scalar(0, default: initializer)
  }
}

/// Options of `IF`.
public struct IfOptions: OptionsTable {
  /// The subgraph that runs when the condition holds.
  public var thenSubgraph: Int32 = 0
  /// The subgraph that runs when it does not.
  public var elseSubgraph: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    thenSubgraph = try table.scalar(0, default: thenSubgraph)
    elseSubgraph = try table.scalar(1, default: elseSubgraph)
  }
}

/// Options of `WHILE`.
public struct WhileOptions: OptionsTable {
  /// The subgraph that decides whether to go on.
  public var condition: Int32 = 0
  /// The subgraph that is repeated.
  public var body: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    condition = try table.scalar(0, default: condition)
    body = try table.scalar(1, default: body)
  }
}

/// Options of `STABLEHLO_COMPOSITE`.
public struct StableHLOCompositeOptions: OptionsTable {
  /// The name of the composite operation.
  public var name: String = ""
  /// The subgraph that says what the operation does.
  public var decomposition: Int32 = 0
  /// The operation's attributes, encoded.
  public var attributes: [UInt8] = []
  /// How the attributes are encoded.
  public var attributesFormat: CustomOptionsFormat = .flexBuffers
  /// The version of the composite operation.
  public var version: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0) ?? name
    decomposition = try table.scalar(1, default: decomposition)
    attributes = try table.bytes(2) ?? attributes
    attributesFormat = try table.enumeration(
      3, default: attributesFormat, field: "composite_attributes_format")
    version = try table.scalar(4, default: version)
  }
}
