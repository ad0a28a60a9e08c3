// SPDX-License-Identifier: Apache-2.0

/// Kernels of one instruction-set level on floats that are quantized at every evaluation, and on
/// their products with integer weights.
@safe
package final class HybridMicrokernels: Sendable {
  private let limits: Limits
  private let quantize: Quantize
  private let ranges: Ranges
  private let finish: Finish

  /// The least and the greatest of floats and zero; NaN does not count.
  package typealias Limits =
    @Sendable (_ values: UnsafeRawPointer, _ count: Int) -> (lowest: Float, highest: Float)
  /// Turns blocks of floats into quantized values.
  package typealias Quantize = @Sendable (HybridConversion) -> Void
  /// Finds scales and zero points for ranges.
  package typealias Ranges =
    @Sendable (_ ranges: UnsafeMutablePointer<HybridRanges>, _ count: Int) -> Void
  /// Turns sums into floats.
  package typealias Finish = @Sendable (HybridFinish) -> Void

  /// The kernels of these functions.
  package init(
    limits: @escaping Limits, quantize: @escaping Quantize, ranges: @escaping Ranges,
    finish: @escaping Finish
  ) {
    unsafe self.limits = limits
    unsafe self.quantize = quantize
    unsafe self.ranges = ranges
    unsafe self.finish = finish
  }

  /// The least and the greatest of `count` floats and zero; NaN does not count.
  @unsafe
  package func limits(
    of values: UnsafePointer<Float>, count: Int
  ) -> (lowest: Float, highest: Float) {
    unsafe limits(UnsafeRawPointer(values), count)
  }

  /// Turns blocks of floats into quantized values.
  @unsafe
  package func quantize(_ run: HybridConversion) { unsafe quantize(run) }

  /// Finds the scales and zero points for the first `count` ranges, which hold more than 0.
  package func quantize(_ ranges: inout HybridRanges, count: Int) {
    unsafe withUnsafeMutablePointer(to: &ranges) { unsafe self.ranges($0, count) }
  }

  /// Turns sums into floats, in place.
  @unsafe
  package func finish(_ task: HybridFinish) { unsafe finish(task) }
}
