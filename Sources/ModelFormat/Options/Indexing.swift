// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `GATHER`.
public struct GatherOptions: OptionsTable {
  /// The axis that the indices select along.
  public var axis: Int32 = 0
  /// Leading axes that input and indices share.
  public var batchDimensions: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    axis = try table.scalar(0, default: axis)
    batchDimensions = try table.scalar(1, default: batchDimensions)
  }
}

/// Options of `ONE_HOT`.
public struct OneHotOptions: OptionsTable {
  /// Where the new axis is inserted; -1 appends it.
  public var axis: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    axis = try table.scalar(0, default: axis)
  }
}

/// Options of `STRIDED_SLICE`.
public struct StridedSliceOptions: OptionsTable {
  /// Bits of the axes whose start is ignored.
  public var beginMask: Int32 = 0
  /// Bits of the axes whose end is ignored.
  public var endMask: Int32 = 0
  /// The bit of the entry that stands for all axes not named.
  public var ellipsisMask: Int32 = 0
  /// Bits of the entries that insert an axis of length 1.
  public var newAxisMask: Int32 = 0
  /// Bits of the axes that are reduced to one index and removed.
  public var shrinkAxisMask: Int32 = 0
  /// Whether ends count from the start of each slice.
  public var isOffset: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    beginMask = try table.scalar(0, default: beginMask)
    endMask = try table.scalar(1, default: endMask)
    ellipsisMask = try table.scalar(2, default: ellipsisMask)
    newAxisMask = try table.scalar(3, default: newAxisMask)
    shrinkAxisMask = try table.scalar(4, default: shrinkAxisMask)
    isOffset = try table.bool(5, default: isOffset)
  }
}

/// Options of `SPARSE_TO_DENSE`.
public struct SparseToDenseOptions: OptionsTable {
  /// Whether indices are promised to be sorted and unique.
  public var validatesIndices: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    validatesIndices = try table.bool(0, default: validatesIndices)
  }
}

/// Options of `UNIQUE`.
public struct UniqueOptions: OptionsTable {
  /// The element type of the indices.
  public var indexType: ElementType = .int32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    indexType = try table.enumeration(0, default: indexType, field: "idx_out_type")
  }
}

/// Options of `BUCKETIZE`.
public struct BucketizeOptions: OptionsTable {
  /// The limits between buckets, ascending.
  public var boundaries: [Float] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    boundaries = try table.floats(0) ?? boundaries
  }
}

/// Options of `DYNAMIC_UPDATE_SLICE`, which has none.
public struct DynamicUpdateSliceOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `GATHER_ND`, which has none.
public struct GatherNdOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SCATTER_ND`, which has none.
public struct ScatterNdOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SLICE`, which has none.
public struct SliceOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
