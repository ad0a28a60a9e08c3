// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `SVDF`.
public struct SVDFOptions: OptionsTable {
  /// Filters per unit.
  public var rank: Int32 = 0
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    rank = try table.scalar(0, default: rank)
    fusedActivation = try table.enumeration(
      1, default: fusedActivation, field: "fused_activation_function")
    asymmetricQuantizeInputs = try table.bool(2, default: asymmetricQuantizeInputs)
  }
}

/// Options of `RNN`.
public struct RNNOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    asymmetricQuantizeInputs = try table.bool(1, default: asymmetricQuantizeInputs)
  }
}

/// Options of `UNIDIRECTIONAL_SEQUENCE_RNN`.
public struct SequenceRNNOptions: OptionsTable {
  /// Whether the first axis is time, not batch.
  public var timeMajor: Bool = false
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    timeMajor = try table.bool(0, default: timeMajor)
    fusedActivation = try table.enumeration(
      1, default: fusedActivation, field: "fused_activation_function")
    asymmetricQuantizeInputs = try table.bool(2, default: asymmetricQuantizeInputs)
  }
}

/// Options of `BIDIRECTIONAL_SEQUENCE_RNN`.
public struct BidirectionalSequenceRNNOptions: OptionsTable {
  /// Whether the first axis is time, not batch.
  public var timeMajor: Bool = false
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether both directions are written to the first output.
  public var mergesOutputs: Bool = false
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    timeMajor = try table.bool(0, default: timeMajor)
    fusedActivation = try table.enumeration(
      1, default: fusedActivation, field: "fused_activation_function")
    mergesOutputs = try table.bool(2, default: mergesOutputs)
    asymmetricQuantizeInputs = try table.bool(3, default: asymmetricQuantizeInputs)
  }
}

/// Options of `LSTM`.
public struct LSTMOptions: OptionsTable {
  /// What is applied to cell input and cell state.
  public var fusedActivation: FusedActivation = .none
  /// The largest magnitude of the cell state; 0 for no limit.
  public var cellClip: Float = 0
  /// The largest magnitude of a projected output; 0 for no limit.
  public var projectionClip: Float = 0
  /// Whether the cell has peepholes and projection, or is the basic one.
  public var kernelType: LSTMKernelType = .full
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    cellClip = try table.float(1, default: cellClip)
    projectionClip = try table.float(2, default: projectionClip)
    kernelType = try table.enumeration(3, default: kernelType, field: "kernel_type")
    asymmetricQuantizeInputs = try table.bool(4, default: asymmetricQuantizeInputs)
  }
}

/// Options of `UNIDIRECTIONAL_SEQUENCE_LSTM`.
public struct UnidirectionalSequenceLSTMOptions: OptionsTable {
  /// What is applied to cell input and cell state.
  public var fusedActivation: FusedActivation = .none
  /// The largest magnitude of the cell state; 0 for no limit.
  public var cellClip: Float = 0
  /// The largest magnitude of a projected output; 0 for no limit.
  public var projectionClip: Float = 0
  /// Whether the first axis is time, not batch.
  public var timeMajor: Bool = false
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false
  /// Whether recurrent weights are the diagonals of matrices.
  public var diagonalRecurrentTensors: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    cellClip = try table.float(1, default: cellClip)
    projectionClip = try table.float(2, default: projectionClip)
    timeMajor = try table.bool(3, default: timeMajor)
    asymmetricQuantizeInputs = try table.bool(4, default: asymmetricQuantizeInputs)
    diagonalRecurrentTensors = try table.bool(5, default: diagonalRecurrentTensors)
  }
}

/// Options of `BIDIRECTIONAL_SEQUENCE_LSTM`.
public struct BidirectionalSequenceLSTMOptions: OptionsTable {
  /// What is applied to cell input and cell state.
  public var fusedActivation: FusedActivation = .none
  /// The largest magnitude of the cell state; 0 for no limit.
  public var cellClip: Float = 0
  /// The largest magnitude of a projected output; 0 for no limit.
  public var projectionClip: Float = 0
  /// Whether both directions are written to the first output.
  public var mergesOutputs: Bool = false
  /// Whether the first axis is time, not batch.
  public var timeMajor: Bool = true
  /// Whether a hybrid kernel quantises its inputs with a zero point.
  public var asymmetricQuantizeInputs: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    cellClip = try table.float(1, default: cellClip)
    projectionClip = try table.float(2, default: projectionClip)
    mergesOutputs = try table.bool(3, default: mergesOutputs)
    timeMajor = try table.bool(4, default: timeMajor)
    asymmetricQuantizeInputs = try table.bool(5, default: asymmetricQuantizeInputs)
  }
}
