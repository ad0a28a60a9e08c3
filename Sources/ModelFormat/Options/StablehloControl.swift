// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `STABLEHLO_CASE`.
public struct StablehloCaseOptions: OptionsTable {
  /// The subgraphs, one of which runs.
  public var branches: [Int32] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    branches = try table.int32s(0) ?? branches
  }
}

/// Options of `STABLEHLO_CUSTOM_CALL`.
public struct StablehloCustomCallOptions: OptionsTable {
  /// The name of what is called.
  public var target: String = ""
  /// Whether the call may not be dropped.
  public var hasSideEffect: Bool = false
  /// Text for whatever runs the call.
  public var backendConfiguration: String = ""
  /// The version of the calling convention.
  public var apiVersion: Int32 = 0
  /// The subgraphs that the call may run.
  public var calledComputations: [Int32] = []
  /// Attributes, encoded.
  public var customAttributes: [UInt8] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    target = try table.string(0) ?? target
    hasSideEffect = try table.bool(1, default: hasSideEffect)
    backendConfiguration = try table.string(2) ?? backendConfiguration
    apiVersion = try table.scalar(3, default: apiVersion)
    calledComputations = try table.int32s(4) ?? calledComputations
    customAttributes = try table.bytes(5) ?? customAttributes
  }
}

/// Options of `STABLEHLO_SORT`.
public struct StablehloSortOptions: OptionsTable {
  /// The axis that is sorted.
  public var dimension: Int64 = 0
  /// Whether equal elements keep their order.
  public var isStable: Bool = false
  /// The subgraph that compares two elements.
  public var comparator: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    dimension = try table.scalar(0, default: dimension)
    isStable = try table.bool(1, default: isStable)
    comparator = try table.scalar(2, default: comparator)
  }
}

/// Options of `STABLEHLO_WHILE`.
public struct StablehloWhileOptions: OptionsTable {
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
