// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension SparsityParameters {
  init?(inTensor tensor: Table) throws(FlatBufferError) {
    guard let table = try tensor.table(Slot.Tensor.sparsity) else { return nil }
    guard let traversalOrder = try table.int32s(Slot.SparsityParameters.traversalOrder) else {
      throw FlatBufferError(.missingField(name: "traversal_order"), at: table.position)
    }
    let tables = try table.tables(Slot.SparsityParameters.dimMetadata)
    var dimensions: [Dimension] = []
    for index in 0..<tables.count {
      dimensions.append(try Dimension(try tables.table(at: index)))
    }
    self.init(
      traversalOrder: traversalOrder.map { Int($0) },
      blockMap: try table.indices(Slot.SparsityParameters.blockMap), dimensions: dimensions)
  }
}

extension SparsityParameters.Dimension {
  init(_ table: Table) throws(FlatBufferError) {
    let format: DimensionType = try table.enumeration(
      Slot.DimensionMetadata.format, default: .dense, field: "dimension format")
    switch format {
    case .dense: self = .dense(size: Int(try table.scalar(Slot.DimensionMetadata.denseSize)))
    case .sparseCsr:
      self = .compressed(
        segments: try Self.numbers(
          table, Slot.DimensionMetadata.arraySegmentsType, Slot.DimensionMetadata.arraySegments,
          name: "array_segments"),
        indices: try Self.numbers(
          table, Slot.DimensionMetadata.arrayIndicesType, Slot.DimensionMetadata.arrayIndices,
          name: "array_indices"))
    }
  }

  /// The numbers of a union of vectors of three widths.
  private static func numbers(
    _ table: Table, _ type: ScalarField<UInt8>, _ slot: Int, name: String
  ) throws(FlatBufferError) -> [Int32] {
    let member = try table.scalar(type)
    guard member != 0, let vector = try table.table(slot) else {
      throw FlatBufferError(.missingField(name: name), at: table.position)
    }
    switch SchemaUnion.sparseIndexVector.member(member)?.name {
    case SchemaTable.int32Vector.name: return try vector.int32s(Slot.Int32Vector.values) ?? []
    case SchemaTable.uint16Vector.name:
      return try vector.uint16s(Slot.Uint16Vector.values)?.map { Int32($0) } ?? []
    case SchemaTable.uint8Vector.name:
      return try vector.bytes(Slot.Uint8Vector.values)?.map { Int32($0) } ?? []
    case _:
      throw FlatBufferError(.unknownValue(field: name, value: Int(member)), at: table.position)
    }
  }
}
