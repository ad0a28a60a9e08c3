// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// What `HybridQuantization` does to floats, by vectors; the same quantized values and parameters.
@unsafe
struct FloatQuantizer {
  private let values: UnsafePointer<Float>
  private let count: Int
  private let quantizedValues: UnsafeMutablePointer<Int8>
  private let kernels: HybridMicrokernels

  /// The quantization of `count` values into `quantizedValues`.
  init(
    _ values: UnsafePointer<Float>, count: Int, quantizedValues: UnsafeMutablePointer<Int8>,
    _ kernels: HybridMicrokernels
  ) {
    unsafe self.values = values
    unsafe self.count = count
    unsafe self.quantizedValues = quantizedValues
    unsafe self.kernels = kernels
  }

  /// Quantizes the values; returns what the quantized values stand for.
  func run(_ kind: HybridQuantization) -> Affine {
    let (lowest, highest) = unsafe kernels.limits(of: values, count: count)
    guard lowest != highest else {
      unsafe quantizedValues.update(repeating: 0, count: count)
      return Affine(scale: 1, zeroPoint: 0)
    }
    switch kind {
    case .symmetric:
      let range = max(-lowest, highest)
      unsafe write(factor: 127 / range, zeroPoint: 0, least: -127)
      return Affine(scale: range / 127, zeroPoint: 0)
    case .asymmetric:
      let affine = HybridQuantization.asymmetric(lowest, highest)
      unsafe write(factor: 1 / affine.scale, zeroPoint: affine.zeroPoint, least: -128)
      return affine
    }
  }

  /// Blocks of eight values, and what fills none, by the rule for each.
  private func write(factor: Float, zeroPoint: Int32, least: Int32) {
    let blocks = unsafe count & ~7
    unsafe kernels.quantize(
      HybridConversion(
        values: values, quantizedValues: quantizedValues, count: blocks, factor: factor,
        zeroPoint: zeroPoint, least: least))
    for index in unsafe blocks..<count {
      unsafe quantizedValues[index] = HybridQuantization.quantized(
        values[index], factor: factor, Float(zeroPoint), least: Float(least))
    }
  }
}
