// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import Tensors

/// The interval that a fused activation clamps its operator's results to.
package struct ActivationRange<Value: Comparable & Sendable>: Sendable {
  /// The least result.
  package let lowest: Value
  /// The greatest result.
  package let highest: Value

  /// The interval from `lowest` to `highest`.
  package init(_ lowest: Value, _ highest: Value) {
    self.lowest = lowest
    self.highest = highest
  }

  /// `value` limited to the interval; NaN stays NaN, as in TFLite's `min(max(…))`.
  @inline(__always)
  package func clamp(_ value: Value) -> Value {
    let raised = value < lowest ? lowest : value
    return highest < raised ? highest : raised
  }
}

extension ActivationRange where Value == Float {
  /// The real interval of `activation`.
  ///
  /// - Throws: `KernelError` for TANH and SIGN_BIT, which no TFLite kernel fuses.
  package init(_ activation: FusedActivation) throws(KernelError) {
    switch activation {
    case .none: self.init(-.greatestFiniteMagnitude, .greatestFiniteMagnitude)
    case .relu: self.init(0, .greatestFiniteMagnitude)
    case .reluN1To1: self.init(-1, 1)
    case .relu6: self.init(0, 6)
    case .tanh, .signBit: throw .unsupported("fused activation \(activation)")
    }
  }
}

extension ActivationRange where Value: FixedWidthInteger {
  /// The interval of `activation` among plain integers.
  ///
  /// - Throws: `KernelError` for activations that no TFLite kernel fuses.
  package init(integer activation: FusedActivation) throws(KernelError) {
    switch activation {
    case .none: self.init(.min, .max)
    case .relu: self.init(0, .max)
    case .reluN1To1: self.init(Value(clamping: -1), 1)
    case .relu6: self.init(0, 6)
    case .tanh, .signBit: throw .unsupported("fused activation \(activation)")
    }
  }
}

extension ActivationRange where Value == Int32 {
  /// The codes of `activation`'s interval in a quantised output, within the type's own range.
  ///
  /// TFLite: `CalculateActivationRangeQuantized` (`kernel_util.cc`): bounds are divided by the
  /// scale and rounded half away from zero in float32.
  ///
  /// - Throws: `KernelError` for activations that no TFLite kernel fuses.
  package init<Output: TensorElement & FixedWidthInteger>(
    _ activation: FusedActivation, output: Affine, as type: Output.Type
  ) throws(KernelError) {
    let real = try ActivationRange<Float>(activation)
    let typeLowest = Int32(clamping: Output.min)
    let typeHighest = Int32(clamping: Output.max)
    func code(_ bound: Float) -> Int32 {
      let steps = (bound / output.scale).rounded(.toNearestOrAwayFromZero)
      let code = Double(output.zeroPoint) + Double(steps)
      return code.isNaN ? output.zeroPoint : Int32(max(min(code, 0x1p31 - 1), -0x1p31))
    }
    switch activation {
    case .none: self.init(typeLowest, typeHighest)
    case .relu: self.init(max(typeLowest, code(real.lowest)), typeHighest)
    case .reluN1To1, .relu6, .tanh, .signBit:
      self.init(max(typeLowest, code(real.lowest)), min(typeHighest, code(real.highest)))
    }
  }
}
