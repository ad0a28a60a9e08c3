// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelFile.SparsityParameters {
  init?(inTensor tensor: Table) throws(FlatBufferError) {
    guard let table = try tensor.table(6) else { return nil }
    guard let traversalOrder = try table.int32s(0) else {
      throw FlatBufferError(.missingField(name: "traversal_order"), at: table.position)
    }
    self.traversalOrder = traversalOrder.map { Int($0) }
    blockMap = try table.indices(1)
    let tables = try table.tables(2)
    var dimensions: [Dimension] = []
    for index in 0..<tables.count {
      dimensions.append(try Dimension(try tables.table(at: index)))
    }
    self.dimensions = dimensions
  }
}

extension ModelFile.SparsityParameters.Dimension {
  init(_ table: Table) throws(FlatBufferError) {
    let format: Int8 = try table.scalar(0)
    switch format {
    case 0: self = .dense(size: Int(try table.scalar(1, default: Int32(0))))
    case 1:
      self = .compressed(
        segments: try Self.numbers(table, typeSlot: 2, name: "array_segments"),
        indices: try Self.numbers(table, typeSlot: 4, name: "array_indices"))
    default:
      throw FlatBufferError(
        .unknownValue(field: "dimension format", value: Int(format)), at: table.position)
    }
  }

  /// The numbers of a union of vectors of three widths.
  private static func numbers(
    _ table: Table, typeSlot: Int, name: String
  ) throws(FlatBufferError) -> [Int32] {
    let member: UInt8 = try table.scalar(typeSlot)
    guard member != 0, let vector = try table.table(typeSlot + 1) else {
      throw FlatBufferError(.missingField(name: name), at: table.position)
    }
    switch member {
    case 1: return try vector.int32s(0) ?? []
    case 2: return try vector.uint16s(0)?.map { Int32($0) } ?? []
    case 3: return try vector.bytes(0)?.map { Int32($0) } ?? []
    default:
      throw FlatBufferError(.unknownValue(field: name, value: Int(member)), at: table.position)
    }
  }
}
