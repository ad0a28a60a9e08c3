// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelFile {
  /// What the root table holds besides graphs and buffers.
  struct Header {
    let version: Int
    let description: String
    let metadata: [MetadataEntry]
    let externalGroups: [String]
    let externalBuffers: [ExternalBuffer]

    init(_ table: Table) throws(FlatBufferError) {
      version = Int(try table.scalar(Slot.Model.version))
      description = try table.string(Slot.Model.description) ?? ""

      var metadata: [MetadataEntry] = []
      let entries = try table.tables(Slot.Model.metadata)
      for index in 0..<entries.count {
        let entry = try entries.table(at: index)
        let buffer = Int(try entry.scalar(Slot.Metadata.buffer))
        let name = try entry.string(Slot.Metadata.name) ?? ""
        metadata.append(MetadataEntry(name: name, buffer: buffer))
      }
      self.metadata = metadata

      var groups: [String] = []
      let groupTables = try table.tables(Slot.Model.externalBufferGroups)
      for index in 0..<groupTables.count {
        let group = try groupTables.table(at: index)
        groups.append(try group.string(Slot.ExternalBufferGroup.name) ?? "")
      }
      externalGroups = groups

      var buffers: [ExternalBuffer] = []
      let bufferTables = try table.tables(Slot.Model.externalBuffers)
      for index in 0..<bufferTables.count {
        buffers.append(try ExternalBuffer(try bufferTables.table(at: index)))
      }
      externalBuffers = buffers
    }
  }

  /// The entries of the table that nodes refer to for their operator.
  static func operatorCodes(_ root: Table) throws(ModelError) -> [OperatorIdentity] {
    var codes: [OperatorIdentity] = []
    do {
      let tables = try root.tables(Slot.Model.operatorCodes)
      codes.reserveCapacity(tables.count)
      for index in 0..<tables.count {
        codes.append(try OperatorIdentity(try tables.table(at: index)))
      }
    } catch {
      throw ModelError(.malformed(error), path: [.operatorCode(codes.count)])
    }
    return codes
  }

  /// Where the contents of each buffer lie in the file.
  static func buffers(_ root: Table) throws(ModelError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    do {
      let tables = try root.tables(Slot.Model.buffers)
      ranges.reserveCapacity(tables.count)
      for index in 0..<tables.count {
        ranges.append(try bufferRange(try tables.table(at: index)))
      }
    } catch {
      throw ModelError(.malformed(error), path: [.buffer(ranges.count)])
    }
    return ranges
  }

  /// A buffer's contents: inside the FlatBuffer, or, in files beyond 2 GB, behind it.
  private static func bufferRange(_ table: Table) throws(FlatBufferError) -> Range<Int> {
    if let inside = try table.byteRange(Slot.Buffer.data) { return inside }
    let offset = try table.scalar(Slot.Buffer.offset)
    guard offset > 1 else { return 0..<0 }
    return try table.range(offset: offset, size: try table.scalar(Slot.Buffer.size))
  }

  static func subgraphs(
    _ root: Table, codes: [OperatorIdentity], nodeLimit: Int
  ) throws(ModelError) -> [Subgraph] {
    var subgraphs: [Subgraph] = []
    var nodesLeft = nodeLimit
    let tables: TableVector
    do {
      tables = try root.tables(Slot.Model.subgraphs)
    } catch {
      throw ModelError(.malformed(error))
    }
    for index in 0..<tables.count {
      do throws(ModelError) {
        let subgraph = try Subgraph(in: tables, at: index, codes: codes, nodeLimit: nodesLeft)
        nodesLeft -= subgraph.nodes.count
        subgraphs.append(subgraph)
      } catch {
        throw error.within(.subgraph(index))
      }
    }
    guard !subgraphs.isEmpty else { throw ModelError(.noSubgraphs) }
    return subgraphs
  }

  static func signatures(_ root: Table) throws(ModelError) -> [Signature] {
    var signatures: [Signature] = []
    do {
      let tables = try root.tables(Slot.Model.signatureDefs)
      for index in 0..<tables.count {
        signatures.append(try Signature(try tables.table(at: index)))
      }
    } catch {
      throw ModelError(.malformed(error), path: [.signature(signatures.count, name: "")])
    }
    return signatures
  }
}

extension ModelFile.ExternalBuffer {
  fileprivate init(_ table: Table) throws(FlatBufferError) {
    identifier = try table.scalar(Slot.ExternalBuffer.id)
    group = try table.scalar(Slot.ExternalBuffer.group)
    offset = try table.scalar(Slot.ExternalBuffer.offset)
    byteCount = try table.scalar(Slot.ExternalBuffer.length)
    packing = try table.string(Slot.ExternalBuffer.packing) ?? ""
  }
}

extension OperatorIdentity {
  /// Older files leave out the wide code; newer files put 127 or the code into the narrow one.
  fileprivate init(_ table: Table) throws(FlatBufferError) {
    let narrow = Int32(try table.scalar(Slot.OperatorCode.deprecatedBuiltinCode))
    let wide: Int32 = try table.scalar(Slot.OperatorCode.builtinCode)
    self.init(
      rawCode: max(narrow, wide), customName: try table.string(Slot.OperatorCode.customCode),
      version: try table.scalar(Slot.OperatorCode.version))
  }
}
