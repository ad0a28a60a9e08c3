// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// The number with this many digits after the point: `12.50`.
  package func fixed(_ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let scaled = (magnitude * factor).rounded()
    guard isFinite, scaled < 0x1p53 else { return withoutSignOfNaN }
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(Int64(scaled)) }
    // Beyond 2⁵³ there is no whole part.
    let (whole, part) =
      factor < 0x1p53
      ? Int64(scaled).quotientAndRemainder(dividingBy: Int64(factor)) : (0, Int64(scaled))
    let fraction = String(part)
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return sign + String(whole) + "." + zeros + fraction
  }

  /// The number with this many digits after the point at the most: `12.5` with two.
  package func fixed(upTo digits: Int) -> String { Self.withoutZeros(fixed(digits)) }

  /// The number with about `digits` significant digits and no zeros behind the last one.
  package func short(_ digits: Int = 6) -> String {
    guard isFinite else { return withoutSignOfNaN }
    guard magnitude >= 1e-4, magnitude < 1e15 else {
      return self == 0 ? "0" : scientific(digits)
    }
    var decimals = digits - 1
    var rest = magnitude
    while rest >= 10, decimals > 0 {
      rest /= 10
      decimals -= 1
    }
    while rest < 1 {
      rest *= 10
      decimals += 1
    }
    return fixed(upTo: decimals)
  }

  /// The number with up to 4 significant digits, fewer where it takes more than `limit` characters.
  package func short(upTo limit: Int) -> String {
    let digits = [4, 3, 2, 1]
    let plain = digits.map { short($0) }
    if let text = plain.first(where: { $0.utf8.count <= limit }) { return text }
    let powers = digits.map { powerOfTen($0) }
    return powers.first { $0.utf8.count <= limit } ?? powers[3]
  }

  /// The number as it is described, but for the sign of what is no number, which says nothing.
  private var withoutSignOfNaN: String { isNaN ? "nan" : "\(self)" }

  /// A number of 1 and more as `1.5e+07`.
  private func powerOfTen(_ digits: Int) -> String {
    guard isFinite else { return withoutSignOfNaN }
    var (rest, exponent) = (self, 0)
    while rest.magnitude >= 10 {
      rest /= 10
      exponent += 1
    }
    return "\(rest.fixed(upTo: digits - 1))e+\(exponent < 10 ? "0" : "")\(exponent)"
  }

  /// The number as `1.5e-07`, for those that are very small or large.
  private func scientific(_ digits: Int) -> String {
    let parts = "\(self)".split(separator: "e")
    guard parts.count == 2, let significand = Double(parts[0]) else { return "\(Float(self))" }
    return "\(significand.fixed(upTo: digits - 1))e\(parts[1])"
  }

  /// Digits without zeros at the end of those behind the point.
  private static func withoutZeros(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
    var digits = text.utf8[...]
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.last == UInt8(ascii: ".") { digits.removeLast() }
    return String(Substring(digits))
  }
}

extension Int {
  /// The number of bytes in the largest binary unit: `1.5 MiB`.
  package var byteText: String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(self)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(self) B" : "\(value.short(3)) \(units[unit])"
  }
}
