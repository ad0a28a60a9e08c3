// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// The activation that a recurrent cell applies to its state; unlike fused activations it may be
/// any of the schema's.
///
/// Without an activation TFLite leaves the buffer that the result belongs to as it finds it. Most
/// kernels apply activations in place, so that this is the value itself; `FloatLSTMLoop` says
/// where it is not. TFLite: `ApplyActivationToVector` (`tensor_utils.h`).
package struct CellActivation: Sendable {
  /// The schema's name for it.
  package let function: FusedActivation

  /// The activation `function`.
  package init(_ function: FusedActivation) { self.function = function }

  /// The function's value.
  package func callAsFunction(_ x: Float) -> Float {
    switch function {
    case .none: x
    case .relu: max(0, x)
    case .reluN1To1: max(-1, min(x, 1))
    case .relu6: max(0, min(x, 6))
    case .tanh: RationalTanh.value(x)
    case .signBit: x.sign == .minus ? 1 : 0
    }
  }
}
