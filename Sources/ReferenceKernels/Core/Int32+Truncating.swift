// SPDX-License-Identifier: Apache-2.0

extension Int32 {
  /// `value` truncated towards zero; the least integer for NaN and values out of range.
  ///
  /// C++ leaves those undefined; TFLite's kernels convert with x86's instruction, which this is.
  @inline(__always)
  package init(truncatingOrLeast value: Float) {
    self = value >= -0x1p31 && value < 0x1p31 ? Int32(value) : .min
  }

  /// `value` rounded half away from zero; the least integer for NaN and values out of range.
  ///
  /// Adding the largest float below ½ and truncating does the same as rounding: ½ itself would
  /// lift 0.49999997 to 1.
  @inline(__always)
  package init(roundingOrLeast value: Float) {
    let half = Float(signOf: value, magnitudeOf: 0x1.fffffep-2)
    self.init(truncatingOrLeast: value + half)
  }

  /// `value` truncated towards zero; the least integer for NaN and values out of range.
  @inline(__always)
  package init(truncatingOrLeast value: Double) {
    self = value > -0x1p31 - 1 && value < 0x1p31 ? Int32(value) : .min
  }

  /// `value` rounded half away from zero; the least integer for NaN and values out of range.
  ///
  /// The largest number below ½ is added, as for floats.
  @inline(__always)
  package init(roundingOrLeast value: Double) {
    self.init(
      truncatingOrLeast: value + Double(signOf: value, magnitudeOf: 0x1.fffffffffffffp-2))
  }
}
