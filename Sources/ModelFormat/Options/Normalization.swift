// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `SOFTMAX`.
public struct SoftmaxOptions: OptionsTable {
  /// The factor of each score in the exponent.
  public var beta: Float = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    beta = try table.float(0, default: beta)
  }
}

/// Options of `LOG_SOFTMAX`, which has none.
public struct LogSoftmaxOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `L2_NORMALIZATION`.
public struct L2NormOptions: OptionsTable {
  /// What would be applied to each result; kernels ignore it.
  public var fusedActivation: FusedActivation = .none

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
  }
}

/// Options of `LOCAL_RESPONSE_NORMALIZATION`.
public struct LocalResponseNormalizationOptions: OptionsTable {
  /// Channels on each side that are summed.
  public var radius: Int32 = 0
  /// The summand that keeps the denominator from zero.
  public var bias: Float = 0
  /// The factor of the sum of squares.
  public var alpha: Float = 0
  /// The exponent of the denominator.
  public var beta: Float = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    radius = try table.scalar(0, default: radius)
    bias = try table.float(1, default: bias)
    alpha = try table.float(2, default: alpha)
    beta = try table.float(3, default: beta)
  }
}
