// SPDX-License-Identifier: Apache-2.0

extension CourseProgram {
  @Sendable static func affineMapping(_ print: (String) -> Void) {
    /// Scale and zero point of int8 codes for the numbers from `low` to `high`.
    func parameters(_ low: Double, _ high: Double) -> (scale: Double, zeroPoint: Int) {
      let low = min(low, 0)  // zero must have a code of its own
      let high = max(high, 0)
      let scale = (high - low) / 255
      return (scale, -128 - Int((low / scale).rounded()))
    }
    for (low, high) in [(0.0, 1.0), (0.0, 6.0), (-1.0, 1.0), (0.5, 2.0)] {
      let (scale, zeroPoint) = parameters(low, high)
      let code = Int((0.7 / scale).rounded()) + zeroPoint
      let real = scale * Double(code - zeroPoint)
      print("\(low)…\(high): scale \(scale), zero point \(zeroPoint), 0.7 is \(code), back \(real)")
    }
  }

  @Sendable static func requantization(_ print: (String) -> Void) {
    /// `factor` as significand · 2^(exponent - 31), with 2^30 ≤ significand < 2^31.
    func fixedPoint(_ factor: Double) -> (significand: Int64, exponent: Int) {
      var exponent = Int(factor.exponent) + 1
      let fraction = factor / Double(sign: .plus, exponent: exponent, significand: 1)
      var significand = Int64((fraction * 2_147_483_648).rounded())
      if significand == 1 << 31 {  // rounded up to 1.0
        significand /= 2
        exponent += 1
      }
      return (significand, exponent)
    }

    /// `value` / 2^`shift`, rounded, halves away from zero.
    func shifted(_ value: Int64, by shift: Int) -> Int64 {
      let half = Int64(1) << (shift - 1)
      return value < 0 ? -((-value + half) >> shift) : (value + half) >> shift
    }

    let (significand, exponent) = fixedPoint(0.014586818004318047)
    let product = 2365 * significand
    let high = (product + (1 << 30)) >> 31
    let twice = shifted(high, by: -exponent)
    let total = 31 - exponent
    let once = (product + (Int64(1) << (total - 1))) >> total
    print("significand \(significand), exponent \(exponent)")
    print("exact \(2365 * 0.014586818004318047)")
    print("twice: \(high), then \(high) / 2^\(-exponent) = \(Double(high) / 64) → \(twice)")
    print("once: \(once)")
  }
}
