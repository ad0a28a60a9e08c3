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
      version = Int(try table.scalar(0, default: UInt32(0)))
      description = try table.string(3) ?? ""

      var metadata: [MetadataEntry] = []
      let entries = try table.tables(6)
      for index in 0..<entries.count {
        let entry = try entries.table(at: index)
        let buffer = Int(try entry.scalar(1, default: UInt32(0)))
        metadata.append(MetadataEntry(name: try entry.string(0) ?? "", buffer: buffer))
      }
      self.metadata = metadata

      var groups: [String] = []
      let groupTables = try table.tables(8)
      for index in 0..<groupTables.count {
        groups.append(try groupTables.table(at: index).string(0) ?? "")
      }
      externalGroups = groups

      var buffers: [ExternalBuffer] = []
      let bufferTables = try table.tables(9)
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
      let tables = try root.tables(1)
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
      let tables = try root.tables(4)
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
    if let inside = try table.byteRange(0) { return inside }
    let offset: UInt64 = try table.scalar(1)
    guard offset > 1 else { return 0..<0 }
    return try table.range(offset: offset, size: try table.scalar(2))
  }

  static func subgraphs(
    _ root: Table, codes: [OperatorIdentity], nodeLimit: Int
  ) throws(ModelError) -> [Subgraph] {
    var subgraphs: [Subgraph] = []
    var nodesLeft = nodeLimit
    let tables: TableVector
    do {
      tables = try root.tables(2)
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
      let tables = try root.tables(7)
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
    identifier = try table.scalar(0)
    group = try table.scalar(1)
    offset = try table.scalar(2)
    byteCount = try table.scalar(3)
    packing = try table.string(4) ?? ""
  }
}
