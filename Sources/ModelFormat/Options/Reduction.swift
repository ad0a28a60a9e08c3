// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `MEAN`, `SUM` and the `REDUCE_` operators.
public struct ReducerOptions: OptionsTable {
  /// Whether reduced axes stay, with length 1.
  public var keepsDimensions: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    keepsDimensions = try table.bool(0, default: keepsDimensions)
  }
}

/// Options of `ARG_MAX`.
public struct ArgMaxOptions: OptionsTable {
  /// The element type of the indices; the schema's default, `float32`, is no valid one.
  public var outputType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    outputType = try table.enumeration(0, default: outputType, field: "output_type")
  }
}

/// Options of `ARG_MIN`.
public struct ArgMinOptions: OptionsTable {
  /// The element type of the indices; the schema's default, `float32`, is no valid one.
  public var outputType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    outputType = try table.enumeration(0, default: outputType, field: "output_type")
  }
}

/// Options of `CUMSUM`.
public struct CumsumOptions: OptionsTable {
  /// Whether each sum leaves its own element out.
  public var exclusive: Bool = false
  /// Whether sums run from the end of the axis.
  public var reverse: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    exclusive = try table.bool(0, default: exclusive)
    reverse = try table.bool(1, default: reverse)
  }
}

/// Options of `TOPK_V2`, which has none.
public struct TopKV2Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SEGMENT_SUM`, which has none.
public struct SegmentSumOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `UNSORTED_SEGMENT_MAX`, which has none.
public struct UnsortedSegmentMaxOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `UNSORTED_SEGMENT_MIN`, which has none.
public struct UnsortedSegmentMinOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `UNSORTED_SEGMENT_PROD`, which has none.
public struct UnsortedSegmentProdOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `UNSORTED_SEGMENT_SUM`, which has none.
public struct UnsortedSegmentSumOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `NON_MAX_SUPPRESSION_V4`, which has none.
public struct NonMaxSuppressionV4Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `NON_MAX_SUPPRESSION_V5`, which has none.
public struct NonMaxSuppressionV5Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
