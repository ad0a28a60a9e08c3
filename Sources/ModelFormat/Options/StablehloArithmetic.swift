// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `STABLEHLO_COMPARE`.
public struct StablehloCompareOptions: OptionsTable {
  /// The relation that is tested.
  public var direction: StablehloComparisonDirection = .equal
  /// How operands are compared.
  public var type: StablehloComparisonType = .noType

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    direction = try table.enumeration(0, default: direction, field: "comparison_direction")
    type = try table.enumeration(1, default: type, field: "compare_type")
  }
}

/// Options of `STABLEHLO_DOT_GENERAL`.
public struct StablehloDotGeneralOptions: OptionsTable {
  /// The left operand's batch axes.
  public var leftBatchingDimensions: [Int64] = []
  /// The right operand's batch axes.
  public var rightBatchingDimensions: [Int64] = []
  /// The left operand's summed axes.
  public var leftContractingDimensions: [Int64] = []
  /// The right operand's summed axes.
  public var rightContractingDimensions: [Int64] = []
  /// The precision asked of each operand.
  public var precisions: [StablehloPrecision] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    leftBatchingDimensions = try table.int64s(0) ?? leftBatchingDimensions
    rightBatchingDimensions = try table.int64s(1) ?? rightBatchingDimensions
    leftContractingDimensions = try table.int64s(2) ?? leftContractingDimensions
    rightContractingDimensions = try table.int64s(3) ?? rightContractingDimensions
    precisions = try table.enumerations(4, field: "precision_config")
  }
}

/// Options of `STABLEHLO_CONVOLUTION`.
public struct StablehloConvolutionOptions: OptionsTable {
  /// Steps between neighbouring windows, by spatial axis.
  public var windowStrides: [Int64] = []
  /// Elements added before and after each spatial axis, in pairs.
  public var padding: [Int64] = []
  /// Distances of input elements, by spatial axis.
  public var inputDilation: [Int64] = []
  /// Distances of kernel taps, by spatial axis.
  public var kernelDilation: [Int64] = []
  /// Whether the kernel is reversed, by spatial axis.
  public var windowReversal: [Bool] = []
  /// The input's batch axis.
  public var inputBatchDimension: Int64 = 0
  /// The input's channel axis.
  public var inputFeatureDimension: Int64 = 0
  /// The input's spatial axes.
  public var inputSpatialDimensions: [Int64] = []
  /// The kernel's axis of input channels.
  public var kernelInputFeatureDimension: Int64 = 0
  /// The kernel's axis of output channels.
  public var kernelOutputFeatureDimension: Int64 = 0
  /// The kernel's spatial axes.
  public var kernelSpatialDimensions: [Int64] = []
  /// The output's batch axis.
  public var outputBatchDimension: Int64 = 0
  /// The output's channel axis.
  public var outputFeatureDimension: Int64 = 0
  /// The output's spatial axes.
  public var outputSpatialDimensions: [Int64] = []
  /// Groups that channels are divided into.
  public var featureGroupCount: Int64 = 0
  /// Groups that the batch is divided into.
  public var batchGroupCount: Int64 = 0
  /// The precision asked of each operand.
  public var precisions: [StablehloPrecision] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    windowStrides = try table.int64s(0) ?? windowStrides
    padding = try table.int64s(1) ?? padding
    inputDilation = try table.int64s(2) ?? inputDilation
    kernelDilation = try table.int64s(3) ?? kernelDilation
    windowReversal = try table.bools(4) ?? windowReversal
    inputBatchDimension = try table.scalar(5, default: inputBatchDimension)
    inputFeatureDimension = try table.scalar(6, default: inputFeatureDimension)
    inputSpatialDimensions = try table.int64s(7) ?? inputSpatialDimensions
    kernelInputFeatureDimension = try table.scalar(8, default: kernelInputFeatureDimension)
    kernelOutputFeatureDimension = try table.scalar(9, default: kernelOutputFeatureDimension)
    kernelSpatialDimensions = try table.int64s(10) ?? kernelSpatialDimensions
    outputBatchDimension = try table.scalar(11, default: outputBatchDimension)
    outputFeatureDimension = try table.scalar(12, default: outputFeatureDimension)
    outputSpatialDimensions = try table.int64s(13) ?? outputSpatialDimensions
    featureGroupCount = try table.scalar(14, default: featureGroupCount)
    batchGroupCount = try table.scalar(15, default: batchGroupCount)
    precisions = try table.enumerations(16, field: "precision_config")
  }
}

/// Options of `STABLEHLO_REDUCE`.
public struct StablehloReduceOptions: OptionsTable {
  /// The axes that are reduced.
  public var dimensions: [Int64] = []
  /// The subgraph that combines two values.
  public var body: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    dimensions = try table.int64s(0) ?? dimensions
    body = try table.scalar(1, default: body)
  }
}

/// Options of `STABLEHLO_REDUCE_WINDOW`.
public struct StablehloReduceWindowOptions: OptionsTable {
  /// The lengths of a window, by axis.
  public var windowDimensions: [Int64] = []
  /// Steps between neighbouring windows, by axis.
  public var windowStrides: [Int64] = []
  /// Distances of input elements, by axis.
  public var baseDilations: [Int64] = []
  /// Distances of elements in a window, by axis.
  public var windowDilations: [Int64] = []
  /// Elements added before and after each axis, in pairs.
  public var padding: [Int64] = []
  /// The subgraph that combines two values.
  public var body: Int32 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    windowDimensions = try table.int64s(0) ?? windowDimensions
    windowStrides = try table.int64s(1) ?? windowStrides
    baseDilations = try table.int64s(2) ?? baseDilations
    windowDilations = try table.int64s(3) ?? windowDilations
    padding = try table.int64s(4) ?? padding
    body = try table.scalar(5, default: body)
  }
}

/// Options of `STABLEHLO_SHIFT_LEFT`, which has none.
public struct StablehloShiftLeftOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
