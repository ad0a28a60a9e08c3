// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelFile {
  /// A graph: tensors, and the nodes that compute them in order.
  package struct Subgraph: Sendable, Equatable {
    /// The name, empty if the file gives none.
    package let name: String
    /// All tensors that nodes refer to.
    package let tensors: [Tensor]
    /// The tensors that the caller provides.
    package let inputs: [Int]
    /// The tensors that the caller receives.
    package let outputs: [Int]
    /// The nodes in execution order.
    package let nodes: [Node]
    /// The entry of the debugging metadata; -1 for none.
    package let debugMetadata: Int32
  }

  /// A named entry point: names for the inputs and outputs of a subgraph.
  package struct Signature: Sendable, Equatable {
    /// The name.
    package let key: String
    /// The subgraph that runs.
    package let subgraph: Int
    /// The named inputs, in the file's order.
    package let inputs: [Argument]
    /// The named outputs, in the file's order.
    package let outputs: [Argument]

    /// A name for a tensor.
    package struct Argument: Sendable, Equatable {
      package let name: String
      package let tensor: Int
    }
  }
}

extension ModelFile.Subgraph {
  /// The index of the tensor that `text` names, or else numbers; nil where there is none.
  package func tensorIndex(called text: String) -> Int? {
    if let named = tensors.firstIndex(where: { $0.name == text }) { return named }
    return Int(text).flatMap { tensors.indices.contains($0) ? $0 : nil }
  }

  init(
    in tables: TableVector, at index: Int, codes: [OperatorIdentity], nodeLimit: Int
  ) throws(ModelError) {
    let table: Table
    do {
      table = try tables.table(at: index)
      inputs = try table.indices(Slot.SubGraph.inputs)
      outputs = try table.indices(Slot.SubGraph.outputs)
      name = try table.string(Slot.SubGraph.name) ?? ""
      debugMetadata = try table.scalar(Slot.SubGraph.debugMetadataIndex)
    } catch {
      throw ModelError(.malformed(error))
    }
    tensors = try Self.tensors(table)
    nodes = try Self.nodes(table, codes: codes, limit: nodeLimit)
  }

  private static func tensors(_ table: Table) throws(ModelError) -> [ModelFile.Tensor] {
    var tensors: [ModelFile.Tensor] = []
    var name = ""
    do {
      let tables = try table.tables(Slot.SubGraph.tensors)
      tensors.reserveCapacity(tables.count)
      for index in 0..<tables.count {
        name = ""
        let tensor = try tables.table(at: index)
        name = try tensor.string(Slot.Tensor.name) ?? ""
        tensors.append(try ModelFile.Tensor(tensor, name: name))
      }
    } catch {
      throw ModelError(.malformed(error), path: [.tensor(tensors.count, name: name)])
    }
    return tensors
  }

  private static func nodes(
    _ table: Table, codes: [OperatorIdentity], limit: Int
  ) throws(ModelError) -> [ModelFile.Node] {
    var nodes: [ModelFile.Node] = []
    var name = ""
    do throws(FlatBufferError) {
      let tables = try table.tables(Slot.SubGraph.operators)
      guard tables.count <= limit else {
        throw FlatBufferError(
          .invalidValue(
            field: "operators", problem: "\(tables.count) nodes, of which the limit leaves \(limit)"
          ),
          at: table.position)
      }
      nodes.reserveCapacity(tables.count)
      for index in 0..<tables.count {
        name = ""
        let node = try tables.table(at: index)
        let code = Int(try node.scalar(Slot.Operator.opcodeIndex))
        guard code < codes.count else {
          throw FlatBufferError(
            .invalidValue(field: "opcode_index", problem: "\(code) of \(codes.count)"),
            at: node.position)
        }
        name = codes[code].name
        nodes.append(try ModelFile.Node(node, identity: codes[code]))
      }
    } catch {
      throw ModelError(.malformed(error), path: [.operator(nodes.count, name: name)])
    }
    return nodes
  }
}

extension ModelFile.Signature {
  init(_ table: Table) throws(FlatBufferError) {
    inputs = try Self.arguments(table, slot: Slot.SignatureDef.inputs)
    outputs = try Self.arguments(table, slot: Slot.SignatureDef.outputs)
    guard let key = try table.string(Slot.SignatureDef.signatureKey) else {
      throw FlatBufferError(.missingField(name: "signature_key"), at: table.position)
    }
    self.key = key
    subgraph = Int(try table.scalar(Slot.SignatureDef.subgraphIndex))
  }

  private static func arguments(
    _ table: Table, slot: Int
  ) throws(FlatBufferError) -> [Argument] {
    let tables = try table.tables(slot)
    var arguments: [Argument] = []
    for index in 0..<tables.count {
      let entry = try tables.table(at: index)
      let tensor = Int(try entry.scalar(Slot.TensorMap.tensorIndex))
      let name = try entry.string(Slot.TensorMap.name) ?? ""
      arguments.append(Argument(name: name, tensor: tensor))
    }
    return arguments
  }
}
