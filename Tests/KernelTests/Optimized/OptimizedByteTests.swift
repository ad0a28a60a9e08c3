// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for element-wise operators and means of 8-bit quantized values, bit for bit.
@Suite struct OptimizedByteTests {
  static let operators: [OperatorCode] = [.add, .sub, .mul]

  @Test(arguments: operators, 0..<24)
  func `every pair of codes`(code: OperatorCode, seed: Int) throws {
    if seed % 2 == 0 {
      try Self.expectSamePairs(code, as: Int8.self, seed: seed)
    } else {
      try Self.expectSamePairs(code, as: UInt8.self, seed: seed)
    }
  }

  @Test(arguments: 0..<12)
  func `squared differences of every pair of codes`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let codes = (0..<0x10000).map { Int8(truncatingIfNeeded: $0) }
    let others = (0..<0x10000).map { Int8(truncatingIfNeeded: $0 >> 8) }
    func operand(_ codes: [Int8]) -> Tensor {
      Tensor(
        [256, 256], codes, scale: random.pick([0.5, 0.02, 0.0199]),
        zeroPoint: random.pick([0, -128, 127, 5]))
    }
    // Rows of all pairs, and columns of one number each.
    let other =
      seed % 3 == 0 ? Tensor([256, 1], Array(codes[..<256]), scale: 0.1) : operand(others)
    try OptimizedProblem(
      seed: seed, code: .squaredDifference, options: nil, inputs: [operand(codes), other],
      output: TensorType(
        .int8, [],
        quantization: Quantization(
          scale: random.pick([0.3, 10, 0.004, 0.0001]), zeroPoint: random.pick([0, -128, 127]))),
      rounding: seed % 2 == 0 ? .double : .single
    ).expectSameBytes()
  }

  private static func expectSamePairs<Code: TensorElement & FixedWidthInteger>(
    _ code: OperatorCode, as type: Code.Type, seed: Int
  ) throws {
    var random = SeededRandom(seed: seed)
    func quantization() -> Quantization {
      Quantization(
        scale: random.pick([0.5, 0.02, 0.0199, 1e-5, Float.random(in: 0.001...1, using: &random)]),
        zeroPoint: Int64(random.pick([.min, .max, Code.random(in: .min ... .max, using: &random)]))
      )
    }
    func operand(_ codes: [Code]) -> Tensor {
      let quantization = quantization()
      return Tensor(
        [codes.count], codes, scale: quantization.scales[0],
        zeroPoint: quantization.zeroPoints[0])
    }
    let left = (0..<0x10000).map { Code(truncatingIfNeeded: $0) }
    let right = (0..<0x10000).map { Code(truncatingIfNeeded: $0 >> 8) }
    try OptimizedProblem(
      seed: seed, code: code, options: nil, inputs: [operand(left), operand(right)],
      output: TensorType(Code.elementType, [], quantization: quantization()),
      rounding: seed / 2 % 2 == 0 ? .double : .single
    ).expectSameBytes()
  }

  @Test func `estimates of sums exist unless many of them lie halfway between codes`() {
    func estimate(_ scale: Double, _ output: Double) -> ByteSumEstimate? {
      func terms(_ scale: Double) -> [Int32] {
        let multiplier = FixedPointMultiplier(scale / 2, rounding: .double)
        return (-128...127).map { multiplier.scale(Int32($0) << 20) }
      }
      let factor = FixedPointMultiplier(2 / (0x1p20 * output), rounding: .double)
      return ByteSumEstimate(
        left: terms(1), right: terms(scale),
        factor: ByteFactor(significand: factor.significand, exponent: factor.exponent),
        zeroPoint: -3)
    }
    var random = SeededRandom(seed: 3)
    let found = (0..<100).count { _ in
      estimate(
        Double.random(in: 0.1...1, using: &random), Double.random(in: 1...4, using: &random)) != nil
    }
    #expect(found > 90)
    #expect(estimate(1, 2) == nil)
    #expect(estimate(0.5, 1) == nil)
    #expect(estimate(1, 1) != nil)
  }

  @Test(
    arguments: operators,
    [
      ([2, 9, 7, 16], [2, 1, 1, 16]), ([1, 3, 1, 1], [4, 3, 11, 5]), ([5, 1, 33], [5, 70, 33]),
      ([3, 1500], [1500]), ([1, 1025], [9, 1025]), ([130, 1], [1, 99]), ([1], [20_000]), ([], []),
      ([3, 40, 1, 24], [1, 40, 8, 24]), ([0, 4], [1, 4]),
    ] as [(Shape, Shape)])
  func `repeated operands`(code: OperatorCode, shapes: (Shape, Shape)) throws {
    for isSwapped in [false, true] {
      let (left, right) = isSwapped ? (shapes.1, shapes.0) : shapes
      var random = SeededRandom(seed: left.elementCount)
      func operand(_ shape: Shape) -> Tensor {
        Tensor(
          shape, random.codes(shape.elementCount, as: Int8.self),
          scale: random.pick([0.02, 0.03]), zeroPoint: random.pick([0, -5]))
      }
      try OptimizedProblem(
        seed: left.elementCount, code: code, options: nil, inputs: [operand(left), operand(right)],
        output: TensorType(.int8, [], quantization: Quantization(scale: 0.04, zeroPoint: 3)),
        rounding: .double
      ).expectSameBytes()
    }
  }

  @Test(
    arguments: [(3, 2), (5, 16), (49, 200), (255, 31), (256, 64), (257, 65), (1000, 130)],
    [OptimizedFormat.int8, .uint8])
  func `means of columns`(size: (rows: Int, columns: Int), format: OptimizedFormat) throws {
    for seed in 0..<4 {
      var random = SeededRandom(seed: seed)
      let shape: Shape = [2, size.rows, size.columns]
      let input =
        format == .int8
        ? Tensor(
          shape, random.codes(shape.elementCount, as: Int8.self), scale: 0.05, zeroPoint: 3)
        : Tensor(
          shape, random.codes(shape.elementCount, as: UInt8.self), scale: 0.05, zeroPoint: 3)
      let output = Quantization(scale: random.pick([0.05, 0.03]), zeroPoint: random.pick([3, 9]))
      try OptimizedProblem(
        seed: seed, code: .mean, options: nil, inputs: [input, Tensor([1], [1 as Int32]).constant],
        output: TensorType(format == .int8 ? .int8 : .uint8, [], quantization: output),
        rounding: random.pick([.double, .single])
      ).expectSameBytes()
    }
  }

  @Test(arguments: [1, 63, 64, 127, 8192, 8255, 50_001])
  func `tables of bytes`(count: Int) throws {
    var random = SeededRandom(seed: count)
    try OptimizedProblem(
      seed: count, code: .logistic, options: nil,
      inputs: [
        Tensor([count], random.codes(count, as: UInt8.self), scale: 0.05, zeroPoint: 100)
      ],
      output: TensorType(.uint8, [], quantization: Quantization(scale: 1 / 256, zeroPoint: 0)),
      rounding: .double
    ).expectSameBytes(on: MicrokernelSet.tested + MicrokernelSet.variants)
  }
}
