// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

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

extension CellActivation {
  /// The function's value, as a step; without an activation there is none.
  @inline(__always)
  func callAsFunction(_ x: Float, _ steps: inout some Steps) -> Float {
    function == .none ? x : steps.note(name, text(x), self(x))
  }

  private var name: String {
    switch function {
    case .none: "none"
    case .relu, .reluN1To1, .relu6: "rectified"
    case .tanh: "tanh"
    case .signBit: "sign bit"
    }
  }

  private func text(_ x: Float) -> String {
    switch function {
    case .none: "\(x)"
    case .relu: "max(0, \(x))"
    case .reluN1To1: "\(x) to -1...1"
    case .relu6: "\(x) to 0...6"
    case .tanh: "tanh(\(x))"
    case .signBit: "1 where \(x) has a sign, else 0"
    }
  }
}
