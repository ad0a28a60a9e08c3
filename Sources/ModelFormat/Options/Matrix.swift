// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `FULLY_CONNECTED`.
public struct FullyConnectedOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// How the weights are laid out.
  public var weightsFormat: FullyConnectedWeightsFormat = .default
  /// Whether the output keeps all axes of the input but the last.
  public var keepsRank: Bool = false
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false
  /// The element type of bias and accumulator, if set; `float32` when not.
  public var quantizedBiasType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    weightsFormat = try table.enumeration(1, default: weightsFormat, field: "weights_format")
    keepsRank = try table.bool(2, default: keepsRank)
    asymmetricQuantizeInputs = try table.bool(3, default: asymmetricQuantizeInputs)
    quantizedBiasType = try table.enumeration(
      4, default: quantizedBiasType, field: "quantized_bias_type")
  }
}

/// Options of `BATCH_MATMUL`.
public struct BatchMatMulOptions: OptionsTable {
  /// Whether the left matrices are transposed.
  public var transposesLeft: Bool = false
  /// Whether the right matrices are transposed.
  public var transposesRight: Bool = false
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    transposesLeft = try table.bool(0, default: transposesLeft)
    transposesRight = try table.bool(1, default: transposesRight)
    asymmetricQuantizeInputs = try table.bool(2, default: asymmetricQuantizeInputs)
  }
}

/// Options of `MATRIX_DIAG`, which has none.
public struct MatrixDiagOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `MATRIX_SET_DIAG`, which has none.
public struct MatrixSetDiagOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
