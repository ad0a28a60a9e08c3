// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import ModelFormat

extension ModelFile {
  /// The contents of a model file with only `part` of this model.
  ///
  /// Tables are copied field by field as `SchemaTable` describes them; of tensors, buffers,
  /// operator codes and subgraphs those that the part uses, in the order of their first use.
  /// Subgraphs that its nodes call come along whole. Values lie at multiples of 16 bytes, and
  /// inside the FlatBuffer even where the original has them behind it. Signatures stay if the part
  /// is a whole subgraph that they name; metadata and associated files describe the original and
  /// stay behind.
  ///
  /// - Parameters:
  ///   - part: the part, of this model.
  ///   - bytes: the whole contents of this model's file.
  ///   - description: what the new model says about itself.
  /// - Returns: the bytes.
  /// - Throws: `ExtractionError` for a part of another model, and what cannot be copied whole.
  package func bytes(
    of part: ModelPart, in bytes: Span<UInt8>, description: String
  ) throws(ExtractionError) -> [UInt8] {
    guard subgraphs.indices.contains(part.subgraph) else {
      throw .noSuchSubgraph(part.subgraph, count: subgraphs.count)
    }
    let graph = subgraphs[part.subgraph]
    for node in part.nodes where !graph.nodes.indices.contains(node) {
      throw .noSuchNode(node, subgraph: part.subgraph, count: graph.nodes.count)
    }
    for tensor in part.inputs + part.outputs where !graph.tensors.indices.contains(tensor) {
      throw .noSuchTensor(
        "\(tensor)", subgraph: part.subgraph, count: graph.tensors.count)
    }
    var writer = PartWriter(part, of: self)
    do throws(FlatBufferError) {
      let root = try Table(root: bytes, identifier: ModelFile.identifier)
      let table = try writer.model(root, description: description)
      let written = table.serialized(identifier: ModelFile.identifier)
      try PartWriter.require(written.count)
      return written
    } catch {
      throw .file(error)
    }
  }
}

/// Writes a part of a model: renumbers what it uses, and copies that.
struct PartWriter {
  private let file: ModelFile
  /// The subgraphs of the new model; those behind the first are whole ones of the old model.
  private var parts: [ModelPart]
  private var subgraphs = Renumbering()
  private var operatorCodes = Renumbering()
  private var buffers = Renumbering()
  /// The tensors of the subgraph that is being written.
  private var tensors = Renumbering()

  init(_ part: ModelPart, of file: ModelFile) {
    self.file = file
    parts = [part]
  }

  /// Throws where a file of `byteCount` bytes has more than offsets can reach.
  static func require(_ byteCount: Int) throws(FlatBufferError) {
    guard byteCount <= Int(Int32.max) else {
      throw FlatBufferError(.tooFar(limit: Int(Int32.max)), at: 0)
    }
  }

  /// The root table of the new model.
  mutating func model(
    _ root: Table, description: String
  ) throws(FlatBufferError) -> FlatTable {
    // Buffer 0 stands for "none".
    _ = buffers.index(of: 0)
    var signatures: [FlatTable] = []
    var graphs: [FlatTable] = []
    // Nodes that are copied may call further subgraphs.
    while graphs.count < parts.count {
      graphs.append(try subgraph(parts[graphs.count], root))
      if graphs.count == 1 { signatures = self.signatures() }
    }
    var codes: [FlatTable] = []
    let codeTables = try root.tables(Slot.Model.operatorCodes)
    for index in operatorCodes.old {
      codes.append(try copy(try codeTables.table(at: index), as: .operatorCode))
    }
    return FlatTable(
      [
        Slot.Model.version.slot: .int(UInt32(ModelFile.supportedVersion)),
        Slot.Model.operatorCodes: .tables(codes), Slot.Model.subgraphs: .tables(graphs),
        Slot.Model.description: .string(description),
        Slot.Model.buffers: .tables(try bufferTables(root)),
        Slot.Model.signatureDefs: signatures.isEmpty ? nil : .tables(signatures),
      ].compactMapValues(\.self))
  }

  private mutating func subgraph(
    _ part: ModelPart, _ root: Table
  ) throws(FlatBufferError) -> FlatTable {
    let table = try root.tables(Slot.Model.subgraphs).table(at: part.subgraph)
    tensors = Renumbering()
    let inputs = part.inputs.map { Int32(tensors.index(of: $0)) }
    var nodes: [FlatTable] = []
    let nodeTables = try table.tables(Slot.SubGraph.operators)
    for index in part.nodes {
      var copied = try copy(try nodeTables.table(at: index), as: .node)
      moveInside(&copied, file.subgraphs[part.subgraph].nodes[index])
      nodes.append(copied)
    }
    let outputs = part.outputs.map { Int32(tensors.index(of: $0)) }
    var copies: [FlatTable] = []
    let tensorTables = try table.tables(Slot.SubGraph.tensors)
    // Tensors that are copied may refer to further ones, which hold their scales.
    while copies.count < tensors.old.count {
      let old = tensors.old[copies.count]
      let tensor = try tensorTables.table(at: old)
      try requireOwnValues(old, of: part.subgraph, tensor)
      copies.append(try copy(tensor, as: .tensor))
    }
    var fields: [Int: FlatField] = [
      Slot.SubGraph.tensors: .tables(copies), Slot.SubGraph.inputs: .ints(inputs),
      Slot.SubGraph.outputs: .ints(outputs), Slot.SubGraph.operators: .tables(nodes),
    ]
    if let name = try table.string(Slot.SubGraph.name) {
      fields[Slot.SubGraph.name] = .string(name)
    }
    return FlatTable(fields)
  }

  /// Throws where a tensor's values lie in a file beside the model.
  private func requireOwnValues(
    _ index: Int, of subgraph: Int, _ table: Table
  ) throws(FlatBufferError) {
    let tensor = file.subgraphs[subgraph].tensors[index]
    guard tensor.externalBuffer == 0 else {
      throw FlatBufferError(
        .invalidValue(
          field: "external_buffer of tensor \(index) '\(tensor.name.printable)'",
          problem: "its values lie in another file"), at: table.position)
    }
  }

  /// Custom options that lie behind the FlatBuffer come inside.
  private func moveInside(_ table: inout FlatTable, _ node: ModelFile.Node) {
    let outside = [
      Slot.Operator.largeCustomOptionsOffset.slot, Slot.Operator.largeCustomOptionsSize.slot,
    ]
    guard outside.contains(where: { table.fields[$0] != nil }) else { return }
    for slot in outside { table.fields[slot] = nil }
    if table.fields[Slot.Operator.customOptions] == nil, !node.customOptions.isEmpty {
      table.fields[Slot.Operator.customOptions] = .bytes(
        node.customOptions, alignment: Self.alignment)
    }
  }

  /// The signatures of the first subgraph, if it is whole.
  private mutating func signatures() -> [FlatTable] {
    let graph = file.subgraphs[parts[0].subgraph]
    guard parts[0] == ModelPart(whole: parts[0].subgraph, of: graph) else { return [] }
    var tables: [FlatTable] = []
    for signature in file.signatures where signature.subgraph == parts[0].subgraph {
      let arguments = [signature.inputs, signature.outputs].map { arguments in
        FlatField.tables(
          arguments.map {
            FlatTable([
              Slot.TensorMap.name: .string($0.name),
              Slot.TensorMap.tensorIndex.slot: .int(UInt32(tensors.index(of: $0.tensor))),
            ])
          })
      }
      tables.append(
        FlatTable([
          Slot.SignatureDef.inputs: arguments[0], Slot.SignatureDef.outputs: arguments[1],
          Slot.SignatureDef.signatureKey: .string(signature.key),
        ]))
    }
    return tables
  }

  private func bufferTables(_ root: Table) throws(FlatBufferError) -> [FlatTable] {
    let ranges = buffers.old.map { $0 == 0 ? 0..<0 : file.buffers[$0] }
    try Self.require(ranges.reduce(0) { min($0 + $1.count, Int(Int32.max) + 1) })
    var tables: [FlatTable] = []
    for range in ranges {
      tables.append(
        range.isEmpty
          ? FlatTable()
          : FlatTable([
            Slot.Buffer.data: .bytes(try root.copy(range), alignment: Self.alignment)
          ]))
    }
    return tables
  }

  /// Where values and custom options lie: kernels and operators may read them in place.
  private static let alignment = 16
}

/// Copies of tables, by their description.
extension PartWriter {
  private mutating func copy(
    _ table: Table, as schema: SchemaTable
  ) throws(FlatBufferError) -> FlatTable {
    var fields: [Int: FlatField] = [:]
    for slot in schema.fields.count..<max(schema.fields.count, table.slotCount) {
      guard try !table.has(slot) else {
        throw FlatBufferError(
          .invalidValue(
            field: "slot \(slot) of \(schema.name)", problem: "not known here and would be lost"),
          at: table.position)
      }
    }
    for (slot, field) in schema.fields.enumerated() {
      fields[slot] = try copy(slot, of: table, field)
    }
    return FlatTable(fields)
  }

  /// The field in `slot` as it is written; nil where it is left out.
  private mutating func copy(
    _ slot: Int, of table: Table, _ field: SchemaField
  ) throws(FlatBufferError) -> FlatField? {
    switch field.kind {
    case .scalar(let scalar): return try bits(slot, of: table, scalar)
    case .member: return try bits(slot, of: table, .uint8)
    case .string: return try table.string(slot).map { .string($0) }
    case .vector(let scalar, let alignment):
      return try vector(slot, of: table, stride: scalar.byteCount, alignment: alignment)
    case .customOptions, .contents:
      return try vector(slot, of: table, stride: 1, alignment: Self.alignment)
    case .index(let reference, let scalar):
      let old = Int(truncatingIfNeeded: try table.integer(slot, scalar))
      guard let new = try index(of: old, among: reference, field.name, table) else { return nil }
      return .scalar(UInt64(truncatingIfNeeded: new), byteCount: scalar.byteCount)
    case .indices(let reference):
      guard let old = try table.int32s(slot) else { return nil }
      var new: [Int32] = []
      for value in old {
        new.append(Int32(try index(of: Int(value), among: reference, field.name, table) ?? -1))
      }
      return .ints(new)
    case .table(let schema):
      guard let inner = try table.table(slot) else { return nil }
      return .table(try copy(inner, as: schema))
    case .tables(let schema):
      guard try table.has(slot) else { return nil }
      let vector = try table.tables(slot)
      var copies: [FlatTable] = []
      for index in 0..<vector.count {
        copies.append(try copy(try vector.table(at: index), as: schema))
      }
      return .tables(copies)
    case .union(let union):
      let code: UInt8 = try table.scalar(slot - 1)
      guard code != 0, let inner = try table.table(slot) else { return nil }
      guard let schema = union.member(code) else {
        throw FlatBufferError(
          .unknownValue(field: "member of \(union.name)", value: Int(code)), at: table.position)
      }
      return .table(try copy(inner, as: schema))
    }
  }

  private func bits(
    _ slot: Int, of table: Table, _ scalar: SchemaScalar
  ) throws(FlatBufferError) -> FlatField? {
    guard try table.has(slot) else { return nil }
    let value = try table.integer(slot, scalar)
    return .scalar(UInt64(bitPattern: value), byteCount: scalar.byteCount)
  }

  private func vector(
    _ slot: Int, of table: Table, stride: Int, alignment: Int
  ) throws(FlatBufferError) -> FlatField? {
    guard let (start, count) = try table.elements(slot, stride: stride) else { return nil }
    let bytes = try table.copy(start..<start + stride * count)
    return .vector(bytes, stride: stride, alignment: alignment)
  }

  /// The index in the new model of what has the index `old` in the old one; nil for none.
  private mutating func index(
    of old: Int, among reference: SchemaReference, _ field: String, _ table: Table
  ) throws(FlatBufferError) -> Int? {
    func require(_ count: Int) throws(FlatBufferError) {
      guard 0..<count ~= old else {
        throw FlatBufferError(
          .invalidValue(field: field, problem: "\(old) of \(count)"), at: table.position)
      }
    }
    switch reference {
    case .operatorCode: return operatorCodes.index(of: old)
    case .tensor: return old < 0 ? nil : tensors.index(of: old)
    case .buffer:
      guard old != 0, !file.buffers[old].isEmpty else { return nil }
      return buffers.index(of: old)
    case .subgraph:
      guard old != -1 else { return -1 }
      try require(file.subgraphs.count)
      let new = subgraphs.index(of: old) + 1
      if new == parts.count { parts.append(ModelPart(whole: old, of: file.subgraphs[old])) }
      return new
    // These belong to what stays behind.
    case .signatureTensor, .externalBuffer, .externalGroup, .debugMetadata: return nil
    }
  }
}

/// New numbers for old ones, in the order of their first use.
private struct Renumbering {
  /// The old numbers by the new ones.
  private(set) var old: [Int] = []
  private var new: [Int: Int] = [:]

  /// The new number for `number`.
  mutating func index(of number: Int) -> Int {
    if let index = new[number] { return index }
    new[number] = old.count
    old.append(number)
    return old.count - 1
  }
}
