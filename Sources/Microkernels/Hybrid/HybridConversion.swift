// SPDX-License-Identifier: Apache-2.0

/// A run of floats that become quantized values by the range of their image.
///
///     q = min(max(z + trunc(f·x ± 1/2), least), 127)
///
/// The half has the sign of `f·x`, and its addition rounds, as TFLite's does for blocks of eight
/// values. NaN becomes the least quantized value.
@unsafe
@frozen
@usableFromInline
package struct HybridConversion {
  /// The floats.
  @usableFromInline package var values: UnsafePointer<Float>
  /// Where the quantized values go.
  @usableFromInline package var quantizedValues: UnsafeMutablePointer<Int8>
  /// Floats, a multiple of eight.
  @usableFromInline package var count: Int
  /// `f`, the reciprocal of the scale.
  @usableFromInline package var factor: Float
  /// `z`.
  @usableFromInline package var zeroPoint: Int32
  /// The least quantized value.
  @usableFromInline package var least: Int32

  /// A run of these parts.
  package init(
    values: UnsafePointer<Float>, quantizedValues: UnsafeMutablePointer<Int8>, count: Int,
    factor: Float, zeroPoint: Int32, least: Int32
  ) {
    unsafe self.values = values
    unsafe self.quantizedValues = quantizedValues
    unsafe self.count = count
    unsafe self.factor = factor
    unsafe self.zeroPoint = zeroPoint
    unsafe self.least = least
  }
}

/// Quantizes floats from `start` on, by a loop without branches.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeBlocks(_ run: HybridConversion, from start: Int) {
  let (values, target, factor) = unsafe (run.values, run.quantizedValues, run.factor)
  let zeroPoint = Float(unsafe run.zeroPoint)
  let (lowest, highest) = (Float(unsafe run.least) - zeroPoint, 127 - zeroPoint)
  // Adding this to a number of less than 2^22 leaves it, rounded, in the low bits.
  let roundingOffset: Float = 0x1.8p23
  for index in unsafe start..<run.count {
    let exact = unsafe values[index] * factor
    let steps = exact + (exact < 0 ? -0.5 : 0.5)
    // NaN compares false and becomes the least quantized value.
    let raised = steps > lowest ? steps : lowest
    let limited = raised < highest ? raised : highest
    // Towards zero.
    let size = limited.magnitude
    let nearest = (size + roundingOffset) - roundingOffset
    let whole = nearest > size ? nearest - 1 : nearest
    let quantized = (limited < 0 ? -whole : whole) + zeroPoint
    unsafe target[index] = Int8(truncatingIfNeeded: (quantized + roundingOffset).bitPattern)
  }
}

/// Quantizes floats where the level has no conversions.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeBlocks<F: FloatInstructions, B: ByteInstructions>(
  _ run: HybridConversion, _: F.Type, _: B.Type
) {
  unsafe quantizeBlocks(run, from: 0)
}

/// Quantizes floats a vector at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeBlocks<F: FloatInstructions, B: ByteConversionInstructions>(
  _ run: HybridConversion, _: F.Type, _: B.Type
) where F.Vector == B.FloatVector {
  let factor = F.broadcast(unsafe run.factor)
  let half = F.broadcast(0.5)
  // What exceeds this is limited anyway, but would not fit a 32-bit lane.
  let limit = F.broadcast(1024)
  let zeroPoint = B.broadcast(unsafe run.zeroPoint)
  let lowest = B.broadcast(unsafe run.least &- run.zeroPoint)
  let highest = B.broadcast(unsafe 127 &- run.zeroPoint)
  var start = 0
  while unsafe start &+ F.laneCount <= run.count {
    let values = unsafe UnsafeRawPointer(run.values + start).loadUnaligned(as: F.Vector.self)
    let exact = F.multiply(values, factor)
    let steps = F.add(exact, F.flipSign(half, whereNegative: exact))
    // NaN goes through and is truncated to the least lane.
    let lanes = B.clampLanes(B.truncate(F.minimum(limit, steps)), lowest, highest)
    unsafe B.storeLowBytes(
      B.add(lanes, zeroPoint), to: UnsafeMutableRawPointer(run.quantizedValues + start))
    start &+= F.laneCount
  }
  unsafe quantizeBlocks(run, from: start)
}

/// The least and the greatest of `count` floats and zero; NaN does not count.
///
/// `fold` finds those of four lanes each, without NaN: within this function, the optimizer would make
/// hundreds of instructions of it.
@_alwaysEmitIntoClient
@inline(__always)
package func limits<F: FloatInstructions>(
  of values: UnsafeRawPointer, count: Int, _: F.Type,
  fold: (_ low: SIMD4<Float>, _ high: SIMD4<Float>) -> (lowest: Float, highest: Float)
) -> (lowest: Float, highest: Float) {
  let zero = F.broadcast(0)
  var lows = InlineArray<2, F.Vector>(repeating: zero)
  var highs = InlineArray<2, F.Vector>(repeating: zero)
  var index = 0
  while index &+ 2 &* F.laneCount <= count {
    for part in 0..<2 {
      let lanes = unsafe (values + (index &+ part &* F.laneCount) &* 4)
        .loadUnaligned(as: F.Vector.self)
      lows[part] = F.select(lanes, lessThan: lows[part], lanes, else: lows[part])
      highs[part] = F.select(highs[part], lessThan: lanes, lanes, else: highs[part])
    }
    index &+= 2 &* F.laneCount
  }
  let low = F.select(lows[0], lessThan: lows[1], lows[0], else: lows[1])
  let high = F.select(highs[0], lessThan: highs[1], highs[1], else: highs[0])
  var (lowQuad, highQuad) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
  unsafe withUnsafeBytes(of: (low, high)) { lanes in
    for quad in 0..<F.laneCount / 4 {
      let least = unsafe lanes.loadUnaligned(fromByteOffset: quad &* 16, as: SIMD4<Float>.self)
      let greatest = unsafe lanes.loadUnaligned(
        fromByteOffset: (F.laneCount &+ 4 &* quad) &* 4, as: SIMD4<Float>.self)
      lowQuad = lowQuad.replacing(with: least, where: least .< lowQuad)
      highQuad = highQuad.replacing(with: greatest, where: highQuad .< greatest)
    }
  }
  var (lowest, highest) = fold(lowQuad, highQuad)
  while index < count {
    let value = unsafe values.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
    if value < lowest { lowest = value }
    if value > highest { highest = value }
    index &+= 1
  }
  return (lowest, highest)
}
