// SPDX-License-Identifier: Apache-2.0

internal import Tensors

/// How far two arrays agree.
public enum Agreement: Sendable, Equatable {
  /// Every value is the same.
  case exact
  /// Numbers differ by at most `largest`, which is no more than `allowed`.
  case within(largest: Double, allowed: Double)
  /// They differ, for this reason.
  case differs(String)

  /// Whether the arrays agree exactly or within the tolerance.
  public var isAgreement: Bool {
    switch self {
    case .exact, .within: true
    case .differs: false
    }
  }

  /// The one of two that agrees less, by how much of its tolerance it takes.
  package func worse(_ other: Agreement) -> Agreement {
    switch (self, other) {
    case (.differs, _), (.within, .exact), (.exact, .exact): self
    case (_, .differs), (.exact, .within): other
    case (.within(let largest, let allowed), .within(let otherLargest, let otherAllowed)):
      largest * otherAllowed >= otherLargest * allowed ? self : other
    }
  }
}

/// How far a float may be off.
public enum Tolerance: Sendable, Equatable {
  /// This much, whatever the element.
  case absolute(Double)
  /// This much times the expected array's largest finite magnitude, and at least 1e-9.
  case ofLargest(Double)
  /// `absolute + relative × |expected|`, element by element, as NumPy's `allclose` has it.
  case perElement(absolute: Double, relative: Double)

  /// What holds where a case gives none: 2e-5 of the largest magnitude.
  public static let usual = Tolerance.ofLargest(2e-5)

  /// What an element that should have `magnitude` may be off by.
  package func allowed(_ magnitude: Double, largest: Double) -> Double {
    switch self {
    case .absolute(let allowed): allowed
    case .ofLargest(let factor): max(factor * largest, 1e-9)
    case .perElement(let absolute, let relative): absolute + relative * magnitude
    }
  }
}

extension NpyArray {
  /// Compares the array with what it should be.
  ///
  /// Types and shapes must be equal; integers, truth values and strings too. Floats and complex
  /// numbers may be off by `tolerance`, and must be NaN at the same locations.
  public func agreement(
    with expected: NpyArray, tolerance: Tolerance = .usual
  ) -> Agreement {
    guard shape == expected.shape else {
      return .differs("shape \(shape) for \(expected.shape)")
    }
    switch (elementType, expected.elementType) {
    case (.string(let length), .string(let wanted)):
      return stringAgreement(length, with: expected, wanted)
    case let (type, wanted) where type != wanted:
      return .differs("type \(type) for \(wanted)")
    case _: break
    }
    if bytes == expected.bytes { return .exact }
    switch elementType {
    case .bool, .string, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      return integerAgreement(with: expected)
    case .float16, .float32, .float64:
      return floatAgreement(with: expected, tolerance: tolerance, parts: 1)
    case .complex64, .complex128:
      return floatAgreement(with: expected, tolerance: tolerance, parts: 2)
    }
  }

  private func stringAgreement(
    _ length: Int, with expected: NpyArray, _ wanted: Int
  ) -> Agreement {
    func trimmed(_ bytes: [UInt8], _ position: Int, _ length: Int) -> ArraySlice<UInt8> {
      let string = bytes[position * length..<(position + 1) * length]
      return string[...(string.lastIndex { $0 != 0 } ?? string.startIndex - 1)]
    }
    let differing = (0..<shape.elementCount).count {
      trimmed(bytes, $0, length) != trimmed(expected.bytes, $0, wanted)
    }
    return differing == 0 ? .exact : .differs("\(differing)/\(shape.elementCount) differ")
  }

  private func integerAgreement(with expected: NpyArray) -> Agreement {
    let (values, wanted) = (integers(), expected.integers())
    var differing = 0
    var most: UInt64 = 0
    for (value, wanted) in zip(values, wanted) where value != wanted {
      differing += 1
      let (high, low) = value > wanted ? (value, wanted) : (wanted, value)
      most = max(most, UInt64(bitPattern: high &- low))
    }
    if differing == 0 { return .exact }
    return .differs("\(differing)/\(shape.elementCount) differ, most \(most)")
  }

  private func floatAgreement(
    with expected: NpyArray, tolerance: Tolerance, parts: Int
  ) -> Agreement {
    let (values, wanted) = (numbers(), expected.numbers())
    let starts = stride(from: 0, to: values.count, by: parts)
    let magnitudes = starts.map { Self.magnitude(wanted[$0..<$0 + parts]) }
    let largest = magnitudes.lazy.filter(\.isFinite).max() ?? 0
    var worst = (element: 0, distance: 0.0, allowed: 1.0)
    for (element, start) in starts.enumerated() {
      let value = values[start..<start + parts]
      let want = wanted[start..<start + parts]
      let isNaN = value.contains { $0.isNaN }
      guard isNaN == want.contains(where: { $0.isNaN }) else {
        return .differs("NaN elsewhere: element \(element)")
      }
      if isNaN || value == want { continue }
      let difference = Self.magnitude(zip(value, want).map { $0 - $1 }[...])
      let distance = difference.isNaN ? .infinity : difference
      let allowed = tolerance.allowed(magnitudes[element], largest: largest)
      if distance * worst.allowed > worst.distance * allowed {
        worst = (element, distance, allowed)
      }
    }
    if worst.distance == 0 { return .exact }
    if worst.distance <= worst.allowed, worst.distance.isFinite {
      return .within(largest: worst.distance, allowed: worst.allowed)
    }
    return .differs(
      "element \(worst.element) off by \(Float(worst.distance)), "
        + "allowed \(Float(worst.allowed)), largest \(Float(largest))")
  }

  private static func magnitude(_ parts: ArraySlice<Double>) -> Double {
    parts.count == 1
      ? abs(parts[parts.startIndex]) : parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }
}
