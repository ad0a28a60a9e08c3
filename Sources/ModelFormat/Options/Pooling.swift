// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `AVERAGE_POOL_2D`, `MAX_POOL_2D` and `L2_POOL_2D`.
public struct Pool2DOptions: OptionsTable {
  /// How the borders of the input are treated.
  public var padding: Padding = .same
  /// Columns between neighbouring windows.
  public var strideWidth: Int32 = 0
  /// Rows between neighbouring windows.
  public var strideHeight: Int32 = 0
  /// Columns of a window.
  public var filterWidth: Int32 = 0
  /// Rows of a window.
  public var filterHeight: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    padding = try table.enumeration(0, default: padding, field: "padding")
    strideWidth = try table.scalar(1, default: strideWidth)
    strideHeight = try table.scalar(2, default: strideHeight)
    filterWidth = try table.scalar(3, default: filterWidth)
    filterHeight = try table.scalar(4, default: filterHeight)
    fusedActivation = try table.enumeration(
      5, default: fusedActivation, field: "fused_activation_function")
  }
}

/// Options of the deprecated `REDUCE_WINDOW`.
public struct ReduceWindowOptions: OptionsTable {
  /// How the elements of a window are combined.
  public var function: ReduceWindowFunction = .unsupported

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    function = try table.enumeration(0, default: function, field: "reduce_function")
  }
}
