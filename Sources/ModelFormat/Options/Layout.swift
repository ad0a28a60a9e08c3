// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `RESHAPE`.
public struct ReshapeOptions: OptionsTable {
  /// The output's dimensions, used when no shape tensor is given.
  public var newShape: [Int32] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    newShape = try table.int32s(0) ?? newShape
  }
}

/// Options of `CONCATENATION`.
public struct ConcatenationOptions: OptionsTable {
  /// The axis along which inputs are joined.
  public var axis: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    axis = try table.scalar(0, default: axis)
    fusedActivation = try table.enumeration(
      1, default: fusedActivation, field: "fused_activation_function")
  }
}

/// Options of `PACK`.
public struct PackOptions: OptionsTable {
  /// The number of inputs.
  public var valuesCount: Int32 = 0
  /// Where the new axis is inserted.
  public var axis: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    valuesCount = try table.scalar(0, default: valuesCount)
    axis = try table.scalar(1, default: axis)
  }
}

/// Options of `UNPACK`.
public struct UnpackOptions: OptionsTable {
  /// The number of outputs.
  public var count: Int32 = 0
  /// The axis that is taken apart.
  public var axis: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    count = try table.scalar(0, default: count)
    axis = try table.scalar(1, default: axis)
  }
}

/// Options of `SPLIT`.
public struct SplitOptions: OptionsTable {
  /// The number of outputs.
  public var splitCount: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    splitCount = try table.scalar(0, default: splitCount)
  }
}

/// Options of `SPLIT_V`.
public struct SplitVOptions: OptionsTable {
  /// The number of outputs.
  public var splitCount: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    splitCount = try table.scalar(0, default: splitCount)
  }
}

/// Options of `SQUEEZE`.
public struct SqueezeOptions: OptionsTable {
  /// The axes of length 1 that are removed; all of them when empty.
  public var axes: [Int32] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    axes = try table.int32s(0) ?? axes
  }
}

/// Options of `SPACE_TO_DEPTH`.
public struct SpaceToDepthOptions: OptionsTable {
  /// Rows and columns of a block.
  public var blockSize: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    blockSize = try table.scalar(0, default: blockSize)
  }
}

/// Options of `DEPTH_TO_SPACE`.
public struct DepthToSpaceOptions: OptionsTable {
  /// Rows and columns of a block.
  public var blockSize: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    blockSize = try table.scalar(0, default: blockSize)
  }
}

/// Options of `MIRROR_PAD`.
public struct MirrorPadOptions: OptionsTable {
  /// Whether the border itself is repeated.
  public var mode: MirrorPadMode = .reflect

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    mode = try table.enumeration(0, default: mode, field: "mode")
  }
}

/// Options of `REVERSE_SEQUENCE`.
public struct ReverseSequenceOptions: OptionsTable {
  /// The axis that is reversed.
  public var sequenceAxis: Int32 = 0
  /// The axis that the lengths belong to.
  public var batchAxis: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    sequenceAxis = try table.scalar(0, default: sequenceAxis)
    batchAxis = try table.scalar(1, default: batchAxis)
  }
}

/// Options of `SHAPE`.
public struct ShapeOptions: OptionsTable {
  /// The element type of the dimensions.
  public var outputType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    outputType = try table.enumeration(0, default: outputType, field: "out_type")
  }
}

/// Options of `BATCH_TO_SPACE_ND`, which has none.
public struct BatchToSpaceNDOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SPACE_TO_BATCH_ND`, which has none.
public struct SpaceToBatchNDOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `BROADCAST_TO`, which has none.
public struct BroadcastToOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `EXPAND_DIMS`, which has none.
public struct ExpandDimsOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `FILL`, which has none.
public struct FillOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `PAD`, which has none.
public struct PadOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `PADV2`, which has none.
public struct PadV2Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `RANGE`, which has none.
public struct RangeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `RANK`, which has none.
public struct RankOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `REVERSE_V2`, which has none.
public struct ReverseV2Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `TILE`, which has none.
public struct TileOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `TRANSPOSE`, which has none.
public struct TransposeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
