// SPDX-License-Identifier: Apache-2.0

extension Int32 {
  /// `value` truncated towards zero; the least integer for NaN and values out of range.
  ///
  /// C++ leaves those undefined; TFLite's kernels convert with x86's instruction, which this is.
  @inline(__always)
  package init(truncatingOrLeast value: Float) {
    self = value >= -0x1p31 && value < 0x1p31 ? Int32(value) : .min
  }

  /// `value` truncated towards zero; the least integer for NaN and values out of range.
  @inline(__always)
  package init(truncatingOrLeast value: Double) {
    self = value > -0x1p31 - 1 && value < 0x1p31 ? Int32(value) : .min
  }
}
