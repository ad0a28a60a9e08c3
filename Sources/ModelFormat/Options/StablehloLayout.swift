// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `STABLEHLO_BROADCAST_IN_DIM`.
public struct StablehloBroadcastInDimOptions: OptionsTable {
  /// The output axis of each input axis.
  public var dimensions: [Int64] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    dimensions = try table.int64s(0) ?? dimensions
  }
}

/// Options of `STABLEHLO_CONCATENATE`.
public struct StablehloConcatenateOptions: OptionsTable {
  /// The axis along which inputs are joined.
  public var dimension: Int64 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    dimension = try table.scalar(0, default: dimension)
  }
}

/// Options of `STABLEHLO_DYNAMIC_SLICE`.
public struct StablehloDynamicSliceOptions: OptionsTable {
  /// The lengths of the slice.
  public var sliceSizes: [Int64] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    sliceSizes = try table.int64s(0) ?? sliceSizes
  }
}

/// Options of `STABLEHLO_GATHER`.
public struct StablehloGatherOptions: OptionsTable {
  /// The output axes that slices are written along.
  public var offsetDimensions: [Int64] = []
  /// The slice axes of length 1 that are removed.
  public var collapsedSliceDimensions: [Int64] = []
  /// The input axis of each component of an index.
  public var startIndexMap: [Int64] = []
  /// The axis of the indices that holds their components.
  public var indexVectorDimension: Int64 = 0
  /// The lengths of a slice.
  public var sliceSizes: [Int64] = []
  /// Whether the indices are promised to be sorted.
  public var indicesAreSorted: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    offsetDimensions = try table.int64s(0) ?? offsetDimensions
    collapsedSliceDimensions = try table.int64s(1) ?? collapsedSliceDimensions
    startIndexMap = try table.int64s(2) ?? startIndexMap
    indexVectorDimension = try table.scalar(3, default: indexVectorDimension)
    sliceSizes = try table.int64s(4) ?? sliceSizes
    indicesAreSorted = try table.bool(5, default: indicesAreSorted)
  }
}

/// Options of `STABLEHLO_IOTA`.
public struct StablehloIotaOptions: OptionsTable {
  /// The axis along which numbers ascend.
  public var dimension: Int64 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    dimension = try table.scalar(0, default: dimension)
  }
}

/// Options of `STABLEHLO_PAD`.
public struct StablehloPadOptions: OptionsTable {
  /// Elements added before each axis; negative ones are removed.
  public var low: [Int64] = []
  /// Elements added after each axis; negative ones are removed.
  public var high: [Int64] = []
  /// Elements added between neighbours, by axis.
  public var interior: [Int64] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    low = try table.int64s(0) ?? low
    high = try table.int64s(1) ?? high
    interior = try table.int64s(2) ?? interior
  }
}

/// Options of `STABLEHLO_SCATTER`.
public struct StablehloScatterOptions: OptionsTable {
  /// Whether the indices are promised to be sorted.
  public var indicesAreSorted: Bool = false
  /// The axes of the updates that form windows.
  public var updateWindowDimensions: [Int64] = []
  /// The operand axes of length 1 that windows lack.
  public var insertedWindowDimensions: [Int64] = []
  /// The operand axis of each component of an index.
  public var operandDimensions: [Int64] = []
  /// The axis of the indices that holds their components.
  public var indexVectorDimension: Int64 = 0
  /// Whether the indices are promised to be unique.
  public var uniqueIndices: Bool = false
  /// The subgraph that combines old and new value.
  public var updateComputation: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    indicesAreSorted = try table.bool(0, default: indicesAreSorted)
    updateWindowDimensions = try table.int64s(1) ?? updateWindowDimensions
    insertedWindowDimensions = try table.int64s(2) ?? insertedWindowDimensions
    operandDimensions = try table.int64s(3) ?? operandDimensions
    indexVectorDimension = try table.scalar(4, default: indexVectorDimension)
    uniqueIndices = try table.bool(5, default: uniqueIndices)
    updateComputation = try table.scalar(6, default: updateComputation)
  }
}

/// Options of `STABLEHLO_SLICE`.
public struct StablehloSliceOptions: OptionsTable {
  /// The first index, by axis.
  public var starts: [Int64] = []
  /// The index after the last, by axis.
  public var limits: [Int64] = []
  /// The step, by axis.
  public var strides: [Int64] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    starts = try table.int64s(0) ?? starts
    limits = try table.int64s(1) ?? limits
    strides = try table.int64s(2) ?? strides
  }
}

/// Options of `STABLEHLO_TRANSPOSE`.
public struct StablehloTransposeOptions: OptionsTable {
  /// The input axis of each output axis.
  public var permutation: [Int64] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    permutation = try table.int64s(0) ?? permutation
  }
}
