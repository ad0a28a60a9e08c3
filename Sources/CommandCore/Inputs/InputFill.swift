// SPDX-License-Identifier: Apache-2.0

package import Npy
package import Tensors

/// Values for inputs that no file gives.
///
/// Random values are uniform over the whole range of integer and quantized types, or over a range
/// that is given, uniform over [-1, 1] for floats and for both parts of complex numbers, and fair
/// for truth values; strings are up to eight small letters. The generator is SplitMix64, so a seed means the same values
/// everywhere.
package struct InputFill {
  /// The kinds of values.
  package enum Kind: String {
    /// Zero as stored; empty strings.
    case zeros
    /// One as stored; the string `1`.
    case ones
    /// Different values that depend on the seed.
    case random
    /// Random values, but zeros where a model may take them for indices or sizes.
    case harmless

    /// The words of `--fill`.
    package static let words = ["zeros", "ones", "random"]
  }

  package let kind: Kind
  private var generator: SplitMix64
  /// What the integers of the tensor being filled are taken from; nil for all.
  private var integerRange: ClosedRange<Int>?

  package init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    generator = SplitMix64(state: seed)
  }

  /// The bytes of a tensor.
  ///
  /// - Parameters:
  ///   - type: the tensor's type.
  ///   - range: what random integers are taken from, where they are not quantized; nil for all.
  /// - Returns: as many bytes as the type has; nil for types that nobody can fill.
  /// - Throws: `NpyError` where there are too many strings.
  package mutating func bytes(
    for type: TensorType, range: ClosedRange<Int>? = nil
  ) throws(NpyError) -> [UInt8]? {
    let count = type.shape.elementCount
    if kind == .zeros, let byteCount = type.byteCount {
      return [UInt8](repeating: 0, count: byteCount)
    }
    integerRange = kind == .random && type.quantization == nil ? range : nil
    if kind == .harmless, type.quantization == nil, Self.mayBeIndices(type.elementType) {
      return type.byteCount.map { [UInt8](repeating: 0, count: $0) }
    }
    switch type.elementType {
    case .float32: return bytes(count) { Float($0) }
    case .float16: return bytes(count) { Float16($0) }
    case .bfloat16: return bytes(count) { BFloat16(Float($0)) }
    case .float64: return bytes(count) { $0 }
    case .complex64: return bytes(2 * count) { Float($0) }
    case .complex128: return bytes(2 * count) { $0 }
    case .bool: return (0..<count).map { _ in UInt8(truncatingIfNeeded: stored() & 1) }
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      return integers(count, byteCount: (type.elementType.bitCount ?? 8) / 8)
    case .int4, .uint4: return packed(count, bits: 4)
    case .int2: return packed(count, bits: 2)
    case .string:
      let strings = (0..<count).map { _ in string() }
      return try NpyError.translating { () throws(StringTensor.Malformed) in
        try StringTensor.bytes(of: strings)
      }
    case .resource, .variant: return nil
    }
  }

  private static func mayBeIndices(_ type: ElementType) -> Bool {
    switch type {
    case .int32, .int64, .uint32, .uint64, .int16, .uint16: true
    case _: false
    }
  }

  /// The next stored integer: 0, 1 or 64 random bits.
  private mutating func stored() -> UInt64 {
    switch kind {
    case .zeros: 0
    case .ones: 1
    case .random, .harmless: inRange(generator.next())
    }
  }

  /// 64 random bits as they are, or as a number of the range.
  private func inRange(_ bits: UInt64) -> UInt64 {
    guard let integerRange else { return bits }
    // The range is of axis lengths, so its length fits.
    let count = UInt64(integerRange.upperBound &- integerRange.lowerBound) &+ 1
    return count == 0 ? bits : UInt64(bitPattern: Int64(integerRange.lowerBound)) &+ bits % count
  }

  /// The next real number.
  private mutating func real() -> Double {
    switch kind {
    case .zeros: 0
    case .ones: 1
    case .random, .harmless: Double(generator.next() >> 11) * 0x1p-52 - 1
    }
  }

  private mutating func bytes<Element: BitwiseCopyable>(
    _ count: Int, _ element: (Double) -> Element
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * MemoryLayout<Element>.size)
    for _ in 0..<count {
      let value = element(real())
      unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private mutating func integers(_ count: Int, byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * byteCount)
    for _ in 0..<count {
      let value = stored()
      for location in 0..<byteCount {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * location)))
      }
    }
    return bytes
  }

  private mutating func packed(_ count: Int, bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (count * bits + 7) / 8)
    let mask = UInt64(1 << bits) - 1
    for index in 0..<count {
      let location = index * bits
      bytes[location / 8] |= UInt8(stored() & mask) << UInt8(location % 8)
    }
    return bytes
  }

  private mutating func string() -> [UInt8] {
    switch kind {
    case .zeros: return []
    case .ones: return [UInt8(ascii: "1")]
    case .random, .harmless:
      let length = Int(generator.next() % 9)
      return (0..<length).map { _ in UInt8(ascii: "a") + UInt8(generator.next() % 26) }
    }
  }
}

/// Steele, Lea and Flood's generator: a counter whose bits are mixed.
package struct SplitMix64 {
  package var state: UInt64

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
