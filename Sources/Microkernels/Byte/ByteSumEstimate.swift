// SPDX-License-Identifier: Apache-2.0

/// A sum of quantized values whose scales differ, in fewer bits than its exact terms have.
///
/// Terms are almost linear in their quantized values, so that the result is, in units of `2^−k`,
///
///     u = A·a + B·b + C
///
/// off by at most `d`, which is known from all terms. Where `u + d` lies more than `2d` above a
/// whole number, both have the same integer part, and that is the exact quantized value; the few
/// other pairs are told apart and computed exactly.
@frozen
@usableFromInline
package struct ByteSumEstimate: Sendable {
  /// The upper and the lower 8 bits of `A` and `B`, as words: `A = 256·high + low`.
  @usableFromInline let high: Int32
  @usableFromInline let low: Int32
  /// `(C + d) / 256`.
  @usableFromInline let addend: Int32
  /// `k`.
  @usableFromInline let shift: Int32
  /// The fraction from which on the integer part is certain.
  @usableFromInline let margin: Int32

  /// The estimate of `clamp(z + m · (left[a] + right[b]))`; nil where it would often be uncertain.
  ///
  /// - Parameters:
  ///   - left: the terms of the first operand's quantized values, from the least signed quantized
  ///     value on.
  ///   - right: those of the second operand's.
  ///   - factor: `m`.
  ///   - zeroPoint: `z`, as a signed quantized value.
  package init?(
    left: [Int32], right: [Int32], factor: ByteFactor, zeroPoint: Int32
  ) {
    guard factor.exponent < 0, factor.exponent >= -31 else { return nil }
    var best: Self?
    // The most bits with which the numbers stay within 32.
    for bits in stride(from: Int32(23), through: 16, by: -1) where best == nil {
      best = Self(left: left, right: right, factor: factor, zeroPoint: zeroPoint, bits: bits)
    }
    guard let best, best.isMostlyCertain else { return nil }
    self = best
  }

  private init?(
    left: [Int32], right: [Int32], factor: ByteFactor, zeroPoint: Int32, bits: Int32
  ) {
    let unit = Double(1 << Int64(bits))
    let step = Double(Int64(1) << Int64(0 - factor.exponent))
    let scale = Double(factor.significand) / (0x1p31 * step) * unit
    let (a, b) = (ByteLine(left, scale), ByteLine(right, scale))
    // Half a unit of the first rounding, and one for the sign in the second.
    let distance = (a.distance + b.distance + 1.5 / step * unit + 256).rounded(.up)
    let constant = a.start + b.start + unit * (Double(zeroPoint) + 0.5) + distance
    let reach = 128 * (abs(a.slope) + abs(b.slope)) + abs(constant) + distance
    guard reach < 0x1p31, abs(a.slope) < 0x1p22, abs(b.slope) < 0x1p22,
      64 * 8 * 2 * distance < unit
    else { return nil }
    let (first, second) = (Int32(a.slope), Int32(b.slope))
    high = (second >> 8) << 16 | (first >> 8) & 0xFFFF
    low = (second & 0xFF) << 16 | first & 0xFF
    addend = Int32((constant / 256).rounded())
    shift = bits
    margin = Int32(2 * distance) + 1
  }

  /// Whether hardly any of some pairs of quantized values are uncertain; where scales are simple
  /// multiples of each other many lie halfway between two quantized values.
  private var isMostlyCertain: Bool {
    let count = (0..<1024).count { index in
      let first = Int32(Int8(truncatingIfNeeded: index &* 37))
      let second = Int32(Int8(truncatingIfNeeded: index &* 101 &+ index >> 8))
      return sum(first, second) & (1 << shift - 1) < margin
    }
    return count <= 16
  }

  /// `u + d` of two signed quantized values.
  private func sum(_ a: Int32, _ b: Int32) -> Int32 {
    let highSum = ((high << 16) >> 16) &* a &+ (high >> 16) &* b &+ addend
    return highSum << 8 &+ (low & 0xFFFF) &* a &+ (low >> 16) &* b
  }
}

/// A straight line through the multiples of terms, one for each signed quantized value.
private struct ByteLine {
  /// What a quantized value adds: a whole number.
  let slope: Double
  /// The line's height at the quantized value 0.
  let start: Double
  /// What no term is further away from the line.
  let distance: Double

  /// The line through `terms`, from the quantized value −128 on, times `scale`.
  init(_ terms: [Int32], _ scale: Double) {
    let ends = Double(terms.last ?? 0) - Double(terms.first ?? 0)
    let slope = (ends * scale / 255).rounded()
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for (index, term) in terms.enumerated() {
      let height = Double(term) * scale - slope * Double(index - 128)
      least = min(least, height)
      greatest = max(greatest, height)
    }
    self.slope = slope
    start = (least + greatest) / 2
    distance = (greatest - least) / 2
  }
}

/// The constants of `ByteSumEstimate` in all lanes.
@usableFromInline
package struct ByteEstimateVectors<Level: ByteLaneInstructions> {
  /// The upper and the lower 8 bits of `A` and `B`, as words.
  @usableFromInline package let (high, low): (Level.Vector, Level.Vector)
  /// `(C + d) / 256`.
  @usableFromInline package let addend: Level.Vector
  /// `A` and `B`.
  @usableFromInline package let (first, second): (Level.Vector, Level.Vector)

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ estimate: ByteSumEstimate) {
    (high, low) = (Level.broadcast(estimate.high), Level.broadcast(estimate.low))
    addend = Level.broadcast(estimate.addend)
    let (upper, lower) = (estimate.high, estimate.low)
    first = Level.broadcast((upper &<< 16) >> 8 &+ lower & 0xFFFF)
    second = Level.broadcast((upper >> 16) &<< 8 &+ lower >> 16)
  }
}

extension ByteLaneInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func estimates(
    _ left: Vector, _ right: Vector, _ terms: ByteEstimateVectors<Self>
  ) -> InlineArray<4, Vector> {
    let zero = broadcast(0)
    let pairs = interleaveBytes(left, right)
    return InlineArray { index in
      let bytes = interleaveBytes(zero, index < 2 ? pairs.low : pairs.high)
      let words = highBytes(index & 1 == 0 ? bytes.low : bytes.high)
      let upper = shiftLeft(add(dotWords(words, terms.high), terms.addend), by: 8)
      return add(upper, dotWords(words, terms.low))
    }
  }
}

/// Computes whole vectors of a run from `start` on as long as their quantized values are certain.
///
/// Returns the first pair of the vector that is not, or of those that fill no vector.
@_alwaysEmitIntoClient
@inline(__always)
package func estimateRow<Level: ByteLaneInstructions>(
  _ row: PlainRow, from start: Int, _ operands: ByteOperands, _ estimate: ByteSumEstimate,
  _ limits: ByteLimits<Level>
) -> Int {
  let flip = Level.broadcast(byte: operands.flip)
  let terms = ByteEstimateVectors<Level>(estimate)
  let fraction = Level.broadcast(1 &<< estimate.shift &- 1)
  let margin = Level.broadcast(estimate.margin)
  let step = Level.byteCount
  var start = start
  while unsafe start &+ step <= row.count {
    let left = unsafe Level.flip(Level.load(row.left + start), flip)
    let right = unsafe Level.flip(Level.load(row.right + start), flip)
    let sums = Level.estimates(left, right, terms)
    if Level.hasLess(sums[0], sums[1], sums[2], sums[3], fraction, than: margin) { break }
    let values = limits.values(
      Level.narrowInterleaved(
        Level.shiftRight(sums[0], by: estimate.shift),
        Level.shiftRight(sums[1], by: estimate.shift),
        Level.shiftRight(sums[2], by: estimate.shift),
        Level.shiftRight(sums[3], by: estimate.shift)))
    unsafe row.output.storeBytes(of: values, toByteOffset: start, as: Level.Vector.self)
    start &+= step
  }
  return start
}
