// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// What operators on quantized values give where products are rounded once, recomputed directly.
///
/// There is no public build of the original to record: its build flag TFLITE_SINGLE_ROUNDING is
/// off in every package. The formulas are the original's, in integers without bounds.
@Suite struct RoundingOnceTests {
  static let seeds = 0..<24
  typealias Codes = TensorElement & FixedWidthInteger

  /// One element-wise case: operands and what they should give.
  struct Problem<Code: Codes> {
    var random: SeededRandom
    let left: TestAffine
    let right: TestAffine
    let output: TestAffine
    let leftQuantized: [Code]
    let rightQuantized: [Code]

    init(seed: Int, count: Int = 97) {
      random = SeededRandom(seed: seed)
      left = .random(for: Code.self, &random)
      right = .random(for: Code.self, &random)
      output = .random(for: Code.self, &random)
      leftQuantized = random.codes(count, as: Code.self)
      rightQuantized = random.codes(count, as: Code.self)
    }

    /// The quantized values less their zero points.
    var pairs: [(left: Int, right: Int)] {
      zip(leftQuantized, rightQuantized).map { (Int($0) - left.zero, Int($1) - right.zero) }
    }

    /// Checks an operator of one or two operands against `expected` on every kernel set.
    func expect(
      _ code: OperatorCode, options: (any OptionsTable)? = nil, operands: Int = 2,
      _ expected: [Code], output: TestAffine? = nil
    ) throws {
      let target = output ?? self.output
      let inputs = [
        Tensor(
          [leftQuantized.count], leftQuantized, scale: left.scale, zeroPoint: Int64(left.zero)),
        Tensor(
          [rightQuantized.count], rightQuantized, scale: right.scale, zeroPoint: Int64(right.zero)),
      ]
      for kernels in KernelSet.all {
        let result = try evaluate(
          code, options: options, Array(inputs.prefix(operands)),
          outputs: [
            TensorType(
              Code.elementType, [],
              quantization: Quantization(scale: target.scale, zeroPoint: Int64(target.zero)))
          ],
          kernels: kernels, rounding: .single)
        #expect(result[0].values(as: Code.self) == expected, "\(code), \(kernels.name)")
      }
    }
  }

  @Test func `the definition, by hand`() {
    #expect(RoundingOnce(0.5)(3) == 2)
    #expect(RoundingOnce(0.5)(-3) == -1)
    #expect(RoundingOnce(0.25)(5) == 1)
    #expect(RoundingOnce(1.0 / 3)(5) == 2)
    #expect(RoundingOnce(-0.5)(3) == -1)
    #expect(RoundingOnce(4)(7) == 28)
  }

  @Test(arguments: seeds)
  func `sums and differences meet at twice the larger scale`(seed: Int) throws {
    func check<Code: Codes>(_: Code.Type, shift: Int) throws {
      let problem = Problem<Code>(seed: seed)
      // The output's step must exceed the shifted sum's.
      let output = problem.output
      let larger = 2 * Double(max(problem.left.scale, problem.right.scale))
      let first = RoundingOnce(Double(problem.left.scale) / larger)
      let second = RoundingOnce(Double(problem.right.scale) / larger)
      let last = RoundingOnce(larger / (Double(1 << shift) * Double(output.scale)))
      func codes(_ sign: Int) -> [Code] {
        problem.pairs.map { left, right in
          Code.code(last(first(left << shift) + sign * second(right << shift)), output)
        }
      }
      try problem.expect(.add, codes(1))
      try problem.expect(.sub, codes(-1))
    }
    try check(Int8.self, shift: 20)
    try check(UInt8.self, shift: 20)
    // Without the power-of-two form that the option asks for by default.
    let problem = Problem<Int16>(seed: seed)
    var options = AddOptions()
    options.powerOfTwoScaleInt16 = false
    let larger = 2 * Double(max(problem.left.scale, problem.right.scale))
    let first = RoundingOnce(Double(problem.left.scale) / larger)
    let second = RoundingOnce(Double(problem.right.scale) / larger)
    let last = RoundingOnce(larger / (Double(1 << 15) * Double(problem.output.scale)))
    try problem.expect(
      .add, options: options,
      problem.pairs.map { left, right in
        .code(last(first(left << 15) + second(right << 15)), problem.output)
      })
  }

  @Test(arguments: seeds)
  func `products`(seed: Int) throws {
    func check<Code: Codes>(_: Code.Type, wide: Float) throws {
      let problem = Problem<Code>(seed: seed)
      let output = problem.output.scaled(problem.output.scale * wide)
      let factor = RoundingOnce(
        Double(problem.left.scale * problem.right.scale / output.scale))
      try problem.expect(
        .mul, problem.pairs.map { .code(factor($0 * $1), output) }, output: output)
    }
    try check(Int8.self, wide: 4)
    try check(UInt8.self, wide: 4)
    try check(Int16.self, wide: 1024)
  }

  @Test(arguments: seeds)
  func `squared differences`(seed: Int) throws {
    let problem = Problem<Int8>(seed: seed)
    let output = problem.output.scaled(problem.output.scale * 8)
    let larger = 2 * Double(max(problem.left.scale, problem.right.scale))
    let first = RoundingOnce(Double(problem.left.scale) / larger)
    let second = RoundingOnce(Double(problem.right.scale) / larger)
    let last = RoundingOnce(larger * larger / (Double(1 << 14) * Double(output.scale)))
    try problem.expect(
      .squaredDifference,
      problem.pairs.map { left, right in
        let difference = first(left << 7) - second(right << 7)
        return .code(last(difference * difference), output)
      }, output: output)
  }

  @Test(arguments: seeds)
  func `activations and new scales`(seed: Int) throws {
    func check<Code: Codes>(_: Code.Type) throws {
      let problem = Problem<Code>(seed: seed)
      let (input, output) = (problem.left, problem.output)
      let same = RoundingOnce(Double(input.scale / output.scale))
      let values = problem.pairs.map(\.left)
      try problem.expect(
        .relu, operands: 1,
        values.map { max(.code(same($0), output), Code(clamping: output.zero)) })
      var leaky = LeakyReluOptions()
      leaky.alpha = 0.3
      let steep = RoundingOnce(Double(input.scale * 0.3 / output.scale))
      try problem.expect(
        .leakyRelu, options: leaky, operands: 1,
        values.map { .code($0 >= 0 ? same($0) : steep($0), output) })
      let ratio = RoundingOnce(Double(input.scale) / Double(output.scale))
      if Code.self != Int16.self {
        try problem.expect(.quantize, operands: 1, values.map { .code(ratio($0), output) })
      }
      let slope = RoundingOnce(Double(input.scale * problem.right.scale / output.scale))
      try problem.expect(
        .prelu,
        problem.pairs.map { .code($0 >= 0 ? same($0) : slope($0 * $1), output) })
    }
    try check(Int8.self)
    try check(UInt8.self)
  }

  @Test(arguments: seeds)
  func `comparisons on a scale of their own`(seed: Int) throws {
    let problem = Problem<Int8>(seed: seed)
    let (first, second) = (
      RoundingOnce(Double(problem.left.scale)), RoundingOnce(Double(problem.right.scale))
    )
    let expected = problem.pairs.map { first($0 << 8) < second($1 << 8) }
    for kernels in KernelSet.all {
      let result = try evaluate(
        .less,
        [
          Tensor(
            [97], problem.leftQuantized, scale: problem.left.scale,
            zeroPoint: Int64(problem.left.zero)),
          Tensor(
            [97], problem.rightQuantized, scale: problem.right.scale,
            zeroPoint: Int64(problem.right.zero)),
        ], outputs: [TensorType(.bool, [])], kernels: kernels, rounding: .single)
      #expect(result[0].values(as: BoolByte.self).map(\.value) == expected)
    }
  }
}
