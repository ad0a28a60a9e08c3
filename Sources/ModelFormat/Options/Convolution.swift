// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `CONV_2D`.
public struct Conv2DOptions: OptionsTable {
  /// How the borders of the input are treated.
  public var padding: Padding = .same
  /// Columns between neighbouring windows.
  public var strideWidth: Int32 = 0
  /// Rows between neighbouring windows.
  public var strideHeight: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Columns between neighbouring taps of a window.
  public var dilationWidth: Int32 = 1
  /// Rows between neighbouring taps of a window.
  public var dilationHeight: Int32 = 1
  /// The element type of bias and accumulator, if set; `float32` when not.
  public var quantizedBiasType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    padding = try table.enumeration(0, default: padding, field: "padding")
    strideWidth = try table.scalar(1, default: strideWidth)
    strideHeight = try table.scalar(2, default: strideHeight)
    fusedActivation = try table.enumeration(
      3, default: fusedActivation, field: "fused_activation_function")
    dilationWidth = try table.scalar(4, default: dilationWidth)
    dilationHeight = try table.scalar(5, default: dilationHeight)
    quantizedBiasType = try table.enumeration(
      6, default: quantizedBiasType, field: "quantized_bias_type")
  }
}

/// Options of `CONV_3D` and `CONV_3D_TRANSPOSE`.
public struct Conv3DOptions: OptionsTable {
  /// How the borders of the input are treated.
  public var padding: Padding = .same
  /// Planes between neighbouring windows.
  public var strideDepth: Int32 = 0
  /// Columns between neighbouring windows.
  public var strideWidth: Int32 = 0
  /// Rows between neighbouring windows.
  public var strideHeight: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Planes between neighbouring taps of a window.
  public var dilationDepth: Int32 = 1
  /// Columns between neighbouring taps of a window.
  public var dilationWidth: Int32 = 1
  /// Rows between neighbouring taps of a window.
  public var dilationHeight: Int32 = 1

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    padding = try table.enumeration(0, default: padding, field: "padding")
    strideDepth = try table.scalar(1, default: strideDepth)
    strideWidth = try table.scalar(2, default: strideWidth)
    strideHeight = try table.scalar(3, default: strideHeight)
    fusedActivation = try table.enumeration(
      4, default: fusedActivation, field: "fused_activation_function")
    dilationDepth = try table.scalar(5, default: dilationDepth)
    dilationWidth = try table.scalar(6, default: dilationWidth)
    dilationHeight = try table.scalar(7, default: dilationHeight)
  }
}

/// Options of `DEPTHWISE_CONV_2D`.
public struct DepthwiseConv2DOptions: OptionsTable {
  /// How the borders of the input are treated.
  public var padding: Padding = .same
  /// Columns between neighbouring windows.
  public var strideWidth: Int32 = 0
  /// Rows between neighbouring windows.
  public var strideHeight: Int32 = 0
  /// Output channels per input channel; redundant, the shapes decide.
  public var depthMultiplier: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Columns between neighbouring taps of a window.
  public var dilationWidth: Int32 = 1
  /// Rows between neighbouring taps of a window.
  public var dilationHeight: Int32 = 1

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    padding = try table.enumeration(0, default: padding, field: "padding")
    strideWidth = try table.scalar(1, default: strideWidth)
    strideHeight = try table.scalar(2, default: strideHeight)
    depthMultiplier = try table.scalar(3, default: depthMultiplier)
    fusedActivation = try table.enumeration(
      4, default: fusedActivation, field: "fused_activation_function")
    dilationWidth = try table.scalar(5, default: dilationWidth)
    dilationHeight = try table.scalar(6, default: dilationHeight)
  }
}

/// Options of `TRANSPOSE_CONV`.
public struct TransposeConvOptions: OptionsTable {
  /// How the borders of the output are treated.
  public var padding: Padding = .same
  /// Columns between the windows of neighbouring inputs.
  public var strideWidth: Int32 = 0
  /// Rows between the windows of neighbouring inputs.
  public var strideHeight: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// The element type of bias and accumulator, if set; `float32` when not.
  public var quantizedBiasType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    padding = try table.enumeration(0, default: padding, field: "padding")
    strideWidth = try table.scalar(1, default: strideWidth)
    strideHeight = try table.scalar(2, default: strideHeight)
    fusedActivation = try table.enumeration(
      3, default: fusedActivation, field: "fused_activation_function")
    quantizedBiasType = try table.enumeration(
      4, default: quantizedBiasType, field: "quantized_bias_type")
  }
}

/// Options of `DILATE`, which has none.
public struct DilateOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
