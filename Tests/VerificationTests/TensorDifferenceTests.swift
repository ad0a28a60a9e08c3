// SPDX-License-Identifier: Apache-2.0

import Npy
import RunComparisons
import Tensors
import Testing

/// Metrics of differences.
@Suite struct TensorDifferenceTests {
  private static func difference(
    _ other: [Float], from reference: [Float], tolerance: Tolerance? = nil
  ) throws -> TensorDifference {
    func typed(_ values: [Float]) throws -> TypedArray {
      let array = try NpyArray(values)
      return TypedArray(type: TensorType(.float32, array.shape), array: array)
    }
    return try #require(
      TensorDifference(of: typed(other), from: typed(reference), tolerance: tolerance))
  }

  private static func codes(
    _ codes: [Int8], scale: Float?, zeroPoint: Int64 = 0
  ) throws -> TypedArray {
    let array = try NpyArray(codes)
    let quantization = scale.map { Quantization(scale: $0, zeroPoint: zeroPoint) }
    return TypedArray(
      type: TensorType(.int8, array.shape, quantization: quantization), array: array)
  }

  private static func isNear(_ value: Double?, _ wanted: Double) -> Bool {
    value.map { abs($0 - wanted) < 1e-9 } ?? false
  }

  @Test func `by hand`() throws {
    let difference = try Self.difference([3, 4, 1, 2], from: [3, 4, 0, 0])
    #expect(difference.elementCount == 4)
    #expect(difference.differingCount == 2 && difference.excessCount == 2)
    #expect(difference.maximum == 2 && difference.maximumQuanta == nil)
    #expect(difference.meanSquare == 1.25)
    // Signal 25, noise 5, peak 4² over 1.25.
    #expect(Self.isNear(difference.signalToNoise, 6.989700043360188))
    #expect(Self.isNear(difference.peakSignalToNoise, 11.072099696478683))
    // 25 / (5 √30)
    #expect(Self.isNear(difference.cosine, 0.9128709291752769))
    #expect(difference.worst == .init(position: 3, reference: 0, other: 2))
    // In 128 bins of [0, 4] with half a count more, the first has 2.5 and 0.5, those of 1 and 2
    // have 0.5 and 1.5: (2.5 ln(2.5 / 0.5) + 2 · 0.5 ln(0.5 / 1.5)) / 68.
    #expect(Self.isNear(difference.divergence, 0.043014448417899136))
  }

  @Test func `equal integers`() throws {
    for scale in [nil, 0.5 as Float?] {
      let same = try Self.codes([1, -128, 7], scale: scale)
      let difference = try #require(TensorDifference(of: same, from: same, tolerance: nil))
      #expect(difference.elementCount == 3 && difference.differingCount == 0)
      #expect(difference.maximum == 0 && difference.maximumQuanta == scale.map { _ in 0 })
      #expect(difference.meanSquare == 0 && difference.signalToNoise == .infinity)
      #expect(difference.peakSignalToNoise == .infinity && difference.cosine == 1)
      #expect(difference.divergence == 0 && difference.worst == nil)
      let nothing = try Self.codes([], scale: scale)
      let none = try #require(TensorDifference(of: nothing, from: nothing, tolerance: nil))
      #expect(none.elementCount == 0 && none.meanSquare == nil && none.divergence == nil)
    }
  }

  @Test func `nothing differs`() throws {
    let difference = try Self.difference(
      [1, .nan, -.infinity, 0], from: [1, .nan, -.infinity, -0.0])
    #expect(difference.differingCount == 0 && !difference.isExcessive)
    #expect(difference.maximum == 0 && difference.meanSquare == 0)
    #expect(difference.signalToNoise == .infinity && difference.peakSignalToNoise == .infinity)
    #expect(difference.cosine == 1 && difference.divergence == 0 && difference.worst == nil)
    let nothing = try Self.difference([], from: [])
    #expect(nothing.meanSquare == nil && nothing.cosine == nil && nothing.maximum == 0)
  }

  @Test func `numbers that are not finite on one side only`() throws {
    for value in [Float.nan, .infinity] {
      let difference = try Self.difference([value, 2], from: [1, 2], tolerance: .absolute(1e30))
      #expect(difference.maximum == .infinity && difference.excessCount == 1)
      #expect(difference.meanSquare == .infinity && difference.signalToNoise == -.infinity)
      #expect(difference.worst?.position == 0)
    }
    let ends = try Self.difference(
      [-.greatestFiniteMagnitude, 0], from: [.greatestFiniteMagnitude, 0])
    #expect(try #require(ends.divergence) > 0)
  }

  @Test func `signs and zeros in the cosine`() throws {
    #expect(Self.isNear(try Self.difference([-1, -2], from: [1, 2]).cosine, -1))
    #expect(try Self.difference([0, 0], from: [1, 2]).cosine == 0)
    #expect(try Self.difference([1, 2], from: [0, 0]).cosine == 0)
    #expect(try Self.difference([1, 2], from: [0, 0]).signalToNoise == -.infinity)
  }

  @Test func `codes of one scale are counted in quanta and must be equal`() throws {
    let difference = try #require(
      TensorDifference(
        of: Self.codes([-128, 5, 0], scale: 0.5, zeroPoint: 3),
        from: Self.codes([127, 4, 0], scale: 0.5, zeroPoint: 3), tolerance: nil))
    #expect(difference.maximumQuanta == 255 && difference.maximum == 127.5)
    #expect(difference.differingCount == 2 && difference.excessCount == 2)
    #expect(difference.worst == .init(position: 0, reference: 62, other: -65.5))
    let tolerated = try #require(
      TensorDifference(
        of: Self.codes([5], scale: 0.5), from: Self.codes([4], scale: 0.5),
        tolerance: .absolute(0.5)))
    #expect(tolerated.differingCount == 1 && !tolerated.isExcessive)
  }

  @Test func `codes of different scales are compared as real numbers`() throws {
    let difference = try #require(
      TensorDifference(
        of: Self.codes([4, 2], scale: 0.5), from: Self.codes([2, 2], scale: 1), tolerance: nil))
    #expect(difference.maximumQuanta == nil)
    #expect(difference.differingCount == 1 && difference.maximum == 1)
    let plain = try #require(
      TensorDifference(
        of: Self.codes([4], scale: nil), from: Self.codes([5], scale: nil), tolerance: nil))
    #expect(plain.maximumQuanta == nil && plain.maximum == 1 && plain.isExcessive)
  }

  @Test func `other shapes and kinds are not compared`() throws {
    let row = TypedArray(type: TensorType(.float32, [2]), array: try NpyArray([Float(1), 2]))
    let column = TypedArray(
      type: TensorType(.float32, [2, 1]), array: try NpyArray([Float(1), 2], shape: [2, 1]))
    #expect(TensorDifference(of: row, from: column, tolerance: nil) == nil)
    let text = TypedArray(
      type: TensorType(.string, [2]),
      array: try NpyArray(.string(byteCount: 2), [2], bytes: [65, 66, 65, 0]))
    #expect(TensorDifference(of: row, from: text, tolerance: nil) == nil)
    let longer = TypedArray(
      type: TensorType(.string, [2]),
      array: try NpyArray(.string(byteCount: 3), [2], bytes: [65, 66, 0, 65, 65, 0]))
    let difference = try #require(TensorDifference(of: longer, from: text, tolerance: nil))
    #expect(difference.differingCount == 1 && difference.maximum == nil)
  }

  static let texts: [(String, DifferenceLimit?)] = [
    ("max_abs>0.1", DifferenceLimit(.maximum, .greater, 0.1)),
    ("snr<30", DifferenceLimit(.signalToNoise, .less, 30)),
    ("cosine<=0.99", DifferenceLimit(.cosine, .lessOrEqual, 0.99)),
    ("max_quanta>=2", DifferenceLimit(.maximumQuanta, .greaterOrEqual, 2)),
    ("kl>1e-3", DifferenceLimit(.divergence, .greater, 1e-3)),
    ("differing>0", DifferenceLimit(.differing, .greater, 0)), ("max_abs", nil), ("x>1", nil),
    ("mse=1", nil), ("mse>", nil), ("mse>>1", nil), ("mse>nan", nil), ("mse><1", nil), ("", nil),
  ]

  @Test(arguments: texts)
  func `limits are read`(text: String, limit: DifferenceLimit?) {
    #expect(DifferenceLimit(parsing: text) == limit)
  }

  @Test func `limits are broken where they say`() throws {
    let difference = try Self.difference([3, 4, 1, 2], from: [3, 4, 0, 0])
    func isBroken(_ text: String) throws -> Bool {
      try #require(DifferenceLimit(parsing: text)).isBroken(by: difference)
    }
    #expect(try isBroken("max_abs>1.9") && isBroken("max_abs>=2") && isBroken("max_abs<=2"))
    #expect(try !isBroken("max_abs>2") && !isBroken("max_abs<2"))
    #expect(try isBroken("snr<7") && !isBroken("snr<6.9") && isBroken("differing>1"))
    // There are no quanta here.
    #expect(try !isBroken("max_quanta<1000"))
  }
}
