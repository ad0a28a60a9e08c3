// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum FloatVectors: FloatPrimitives {}
  private enum ByteVectors: BytePrimitives {}

  /// The least and the greatest of floats and zero.
  func floatLimits(_ values: UnsafeRawPointer, _ count: Int) -> (lowest: Float, highest: Float) {
    unsafe limits(of: values, count: count, FloatVectors.self, fold: foldFloatLimits)
  }

  @inline(never)
  func foldFloatLimits(
    _ low: SIMD4<Float>, _ high: SIMD4<Float>
  ) -> (lowest: Float, highest: Float) {
    let (first, second) = (low.x < low.y ? low.x : low.y, low.z < low.w ? low.z : low.w)
    let (third, fourth) = (high.x > high.y ? high.x : high.y, high.z > high.w ? high.z : high.w)
    return (first < second ? first : second, third > fourth ? third : fourth)
  }

  /// Floats quantized by the range of their image.
  func quantizeByRange(_ run: HybridConversion) {
    unsafe quantizeBlocks(run, FloatVectors.self, ByteVectors.self)
  }

  /// Scales and zero points for ranges of floats.
  func quantizeHybridRanges(_ ranges: UnsafeMutablePointer<HybridRanges>, _ count: Int) {
    unsafe quantizeRanges(ranges, count: count)
  }

  /// Sums of products with quantized floats as floats.
  func finishHybridSums(_ task: HybridFinish) {
    switch unsafe (task.roundsSums, task.scalesInTurn) {
    case (false, false): unsafe finishWrappingSumsByProduct(task)
    case (false, true): unsafe finishWrappingSumsInTurn(task)
    case (true, _): unsafe finishRoundedSums(task)
    }
  }

  @inline(never)
  func finishWrappingSumsByProduct(_ task: HybridFinish) {
    unsafe finishWrappingSums(task, scalesInTurn: false, FloatVectors.self, ByteVectors.self)
  }

  @inline(never)
  func finishWrappingSumsInTurn(_ task: HybridFinish) {
    unsafe finishWrappingSums(task, scalesInTurn: true, FloatVectors.self, ByteVectors.self)
  }

  @inline(never)
  func finishRoundedSums(_ task: HybridFinish) {
    unsafe finishSums(task, scalesInTurn: task.scalesInTurn) { sum, columnSum, _, zeroPoint in
      // A whole number, which goes through a 32-bit integer unchanged or as the least of them.
      let total = Float(sum) - Float(columnSum) * zeroPoint
      return total >= -0x1p31 && total < 0x1p31 ? total : -0x1p31
    }
  }
#endif
