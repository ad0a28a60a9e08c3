// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `ADD`.
public struct AddOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether 16-bit tensors have scales that are powers of two.
  public var powerOfTwoScaleInt16: Bool = true

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    powerOfTwoScaleInt16 = try table.bool(1, default: powerOfTwoScaleInt16)
  }
}

/// Options of `SUB`.
public struct SubOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none
  /// Whether 16-bit tensors have scales that are powers of two.
  public var powerOfTwoScaleInt16: Bool = true

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
    powerOfTwoScaleInt16 = try table.bool(1, default: powerOfTwoScaleInt16)
  }
}

/// Options of `MUL`.
public struct MulOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
  }
}

/// Options of `DIV`.
public struct DivOptions: OptionsTable {
  /// What is applied to each result.
  public var fusedActivation: FusedActivation = .none

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    fusedActivation = try table.enumeration(
      0, default: fusedActivation, field: "fused_activation_function")
  }
}

/// Options of `LEAKY_RELU`.
public struct LeakyReluOptions: OptionsTable {
  /// The slope for negative inputs.
  public var alpha: Float = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    alpha = try table.float(0, default: alpha)
  }
}

/// Options of `GELU`.
public struct GeluOptions: OptionsTable {
  /// Whether the approximation by `tanh` is used.
  public var approximate: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    approximate = try table.bool(0, default: approximate)
  }
}

/// Options of `ADD_N`, which has none.
public struct AddNOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `ABS`, which has none.
public struct AbsOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `ATAN2`, which has none.
public struct ATan2Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `BITCAST`, which has none.
public struct BitcastOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `BITWISE_XOR`, which has none.
public struct BitwiseXorOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `COS`, which has none.
public struct CosOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `EXP`, which has none.
public struct ExpOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `FLOOR_DIV`, which has none.
public struct FloorDivOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `FLOOR_MOD`, which has none.
public struct FloorModOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `HARD_SWISH`, which has none.
public struct HardSwishOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `MAXIMUM` and `MINIMUM`, which have none.
public struct MaximumMinimumOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `NEG`, which has none.
public struct NegOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `POW`, which has none.
public struct PowOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `RIGHT_SHIFT`, which has none.
public struct RightShiftOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SIGN`, which has none.
public struct SignOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SQUARE`, which has none.
public struct SquareOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SQUARED_DIFFERENCE`, which has none.
public struct SquaredDifferenceOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `ZEROS_LIKE`, which has none.
public struct ZerosLikeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
