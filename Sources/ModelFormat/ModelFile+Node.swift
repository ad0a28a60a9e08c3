// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelFile {
  /// An operator's occurrence in a subgraph.
  ///
  /// An object, as planning hands nodes on many times.
  package final class Node: Sendable {
    /// Which operator this is.
    package let identity: OperatorIdentity
    /// The tensors that are read; -1 for an optional one that is absent.
    package let inputs: [Int]
    /// The tensors that are written.
    package let outputs: [Int]
    /// Tensors that only the operator itself uses; -1 for absent ones.
    package let intermediates: [Int]
    /// The options of a builtin operator; nil when the file has none or an unknown kind.
    package let options: (any OptionsTable)?
    /// The options of a custom operator, most often a FlexBuffer.
    package let customOptions: [UInt8]
    /// Which inputs the operator changes: as many as inputs, or none.
    package let mutatingVariableInputs: [Bool]
    /// The entry of the debugging metadata; -1 for none.
    package let debugMetadata: Int32

    /// A node of these parts.
    package init(
      _ identity: OperatorIdentity, inputs: [Int], outputs: [Int], intermediates: [Int] = [],
      options: (any OptionsTable)? = nil, customOptions: [UInt8] = [],
      mutatingVariableInputs: [Bool] = [], debugMetadata: Int32 = -1
    ) {
      self.identity = identity
      self.inputs = inputs
      self.outputs = outputs
      self.intermediates = intermediates
      self.options = options
      self.customOptions = customOptions
      self.mutatingVariableInputs = mutatingVariableInputs
      self.debugMetadata = debugMetadata
    }

    /// The options as `type`: the schema's defaults if the file has none.
    package func options<Options: OptionsTable>(
      as type: Options.Type
    ) throws(ModelError) -> Options {
      guard let options else { return Options() }
      guard let wanted = options as? Options else {
        let found = Swift.type(of: options)
        throw ModelError(.wrongOptions(found: "\(found)", wanted: "\(type)"))
      }
      return wanted
    }
  }
}

extension ModelFile.Node {
  convenience init(_ table: Table, identity: OperatorIdentity) throws(FlatBufferError) {
    self.init(
      identity, inputs: try table.indices(Slot.Operator.inputs),
      outputs: try table.indices(Slot.Operator.outputs),
      intermediates: try table.indices(Slot.Operator.intermediates),
      options: try Self.options(table), customOptions: try Self.customOptions(table),
      mutatingVariableInputs: try table.bools(Slot.Operator.mutatingVariableInputs) ?? [],
      debugMetadata: try table.scalar(Slot.Operator.debugMetadataIndex))
  }

  private static func options(_ table: Table) throws(FlatBufferError) -> (any OptionsTable)? {
    if let type = OptionsUnion.first(try table.scalar(Slot.Operator.builtinOptionsType)),
      let options = try table.table(Slot.Operator.builtinOptions)
    {
      return try type.init(options)
    }
    if let type = OptionsUnion.second(try table.scalar(Slot.Operator.builtinOptions2Type)),
      let options = try table.table(Slot.Operator.builtinOptions2)
    {
      return try type.init(options)
    }
    return nil
  }

  /// Custom options lie in the table or, in files beyond 2 GB, behind the FlatBuffer.
  private static func customOptions(_ table: Table) throws(FlatBufferError) -> [UInt8] {
    if let inside = try table.bytes(Slot.Operator.customOptions) { return inside }
    let offset = try table.scalar(Slot.Operator.largeCustomOptionsOffset)
    guard offset > 1 else { return [] }
    let size = try table.scalar(Slot.Operator.largeCustomOptionsSize)
    return try table.copy(try table.range(offset: offset, size: size))
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
