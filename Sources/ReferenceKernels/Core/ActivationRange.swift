// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

/// The interval that a fused activation clamps its operator's results to.
@frozen
@usableFromInline
package struct ActivationRange<Value: Comparable & Sendable>: Sendable {
  /// The least result.
  @usableFromInline package let lowest: Value
  /// The greatest result.
  @usableFromInline package let highest: Value

  /// The interval from `lowest` to `highest`.
  package init(_ lowest: Value, _ highest: Value) {
    self.lowest = lowest
    self.highest = highest
  }

  /// `value` limited to the interval; NaN stays NaN, as in TFLite's `min(max(…))`.
  @inlinable
  @inline(__always)
  package func clamp(_ value: Value) -> Value {
    let raised = value < lowest ? lowest : value
    return highest < raised ? highest : raised
  }
}

extension ActivationRange where Value == Float {
  /// The real interval of `activation`, where nothing but a finite number of `type` limits it.
  ///
  /// TANH and SIGN_BIT leave results as they are: TFLite's kernels accept and ignore them.
  package init<Element: FloatElement>(
    _ activation: FusedActivation, of type: Element.Type = Float.self
  ) {
    switch activation {
    case .none, .tanh, .signBit: self.init(-Element.greatestFinite, Element.greatestFinite)
    case .relu: self.init(0, Element.greatestFinite)
    case .reluN1To1: self.init(-1, 1)
    case .relu6: self.init(0, 6)
    }
  }
}

extension ActivationRange where Value: FixedWidthInteger {
  /// The interval of `activation` among plain integers.
  ///
  /// An unsigned type has no -1: TFLite takes its greatest number instead, so that RELU_N1_TO_1
  /// makes every result 1.
  package init(integer activation: FusedActivation) {
    switch activation {
    case .none, .tanh, .signBit: self.init(.min, .max)
    case .relu: self.init(0, .max)
    case .reluN1To1: self.init(Value(truncatingIfNeeded: -1), 1)
    case .relu6: self.init(0, 6)
    }
  }
}

extension ActivationRange where Value == Int32 {
  /// The quantized values of `activation`'s interval in a quantized output, within the type's own
  /// range.
  ///
  /// - Throws: `KernelError` as `init(_:output:as:)` of a real interval does.
  package init<Output: TensorElement & FixedWidthInteger>(
    _ activation: FusedActivation, output: Affine, as type: Output.Type
  ) throws(KernelError) {
    let real: ActivationRange<Float> =
      switch activation {
      case .none, .tanh, .signBit: ActivationRange<Float>(-.infinity, .infinity)
      case .relu: ActivationRange<Float>(0, .infinity)
      case .reluN1To1, .relu6: ActivationRange<Float>(activation)
      }
    try self.init(real, output: output, as: type)
  }

  /// The quantized values of a real interval in a quantized output, within the type's own range.
  ///
  /// Bounds are divided by the scale and rounded half away from zero in float32; infinite ones are
  /// the type's. TFLite: `CalculateActivationRangeQuantized` (`kernel_util.cc`).
  ///
  /// - Throws: `KernelError` where a bound has no 32-bit quantized value.
  package init<Output: TensorElement & FixedWidthInteger>(
    _ real: ActivationRange<Float>, output: Affine, as type: Output.Type
  ) throws(KernelError) {
    func quantized(_ bound: Float) throws(KernelError) -> Int32 {
      let steps = (bound / output.scale).rounded(.toNearestOrAwayFromZero)
      guard abs(steps) < 0x1p31 else {
        throw .invalid("\(bound) has no quantized value at scale \(output.scale)", .output(0))
      }
      return output.zeroPoint &+ Int32(steps)
    }
    let typeLowest = Int32(clamping: Output.min)
    let typeHighest = Int32(clamping: Output.max)
    self.init(
      real.lowest == -.infinity ? typeLowest : max(typeLowest, try quantized(real.lowest)),
      real.highest == .infinity ? typeHighest : min(typeHighest, try quantized(real.highest)))
  }
}
