// SPDX-License-Identifier: Apache-2.0

/// How the product of fixed-point scaling is rounded: the numerics profile of a run.
public enum Rounding: String, Sendable, Hashable, CaseIterable {
  /// gemmlowp's two roundings: the product to 32 bits, then the shift. TFLite's reference.
  case double
  /// One rounding of the 64-bit product, half up: TFLite built with `TFLITE_SINGLE_ROUNDING`.
  case single
}
