// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Sums of products and of quantized values where results are rounded once, recomputed directly.
@Suite struct RoundingOnceSumTests {
  static let seeds = 0..<24

  /// A product of a row-major matrix and weights by output channel, as every operator here is.
  struct Product<Code: TensorElement & FixedWidthInteger> {
    static var rows: Int { 5 }
    static var depth: Int { 19 }
    static var channels: Int { 7 }
    let input: TestAffine
    let output: TestAffine
    let filterZero: Int
    let scales: [Float]
    let codes: [Code]
    let weights: [Code]
    let sums: [Int32]

    init(seed: Int, perChannel: Bool) {
      var random = SeededRandom(seed: seed)
      input = .random(for: Code.self, &random)
      let target = TestAffine.random(for: Code.self, &random)
      output = target.scaled(target.scale * 4)
      filterZero = Code.isSigned ? 0 : 131
      scales = (0..<(perChannel ? Self.channels : 1)).map { index in
        index % 3 == 0 ? 0.015625 : Float.random(in: 0.004...0.02, using: &random)
      }
      codes = random.codes(Self.rows * Self.depth, as: Code.self)
      weights = random.codes(Self.channels * Self.depth, as: Code.self)
      sums = (0..<Self.channels).map { _ in Int32.random(in: -9000...9000, using: &random) }
    }

    /// What rounding the sums once gives, by the factor of each channel.
    func expected(_ factor: (Int) -> Double, bias: Bool = true) -> [Code] {
      (0..<Self.rows * Self.channels).map { index in
        let (row, channel) = index.quotientAndRemainder(dividingBy: Self.channels)
        var sum = bias ? Int(sums[channel]) : 0
        for term in 0..<Self.depth {
          sum +=
            (Int(codes[row * Self.depth + term]) - input.zero)
            * (Int(weights[channel * Self.depth + term]) - filterZero)
        }
        return .code(RoundingOnce(factor(channel))(sum), output)
      }
    }

    /// Checks an operator with these operands.
    func expect(
      _ code: OperatorCode, options: (any OptionsTable)? = nil, inputShape: Shape,
      filterShape: Shape, _ expected: [Code], arrange: ([Tensor]) -> [Tensor]
    ) throws {
      let filter =
        scales.count == 1
        ? Tensor(filterShape, weights, scale: scales[0], zeroPoint: Int64(filterZero))
        : Tensor(filterShape, weights, scales: scales, axis: 0)
      let operands = [
        Tensor(inputShape, codes, scale: input.scale, zeroPoint: Int64(input.zero)),
        filter.constant, Tensor([Self.channels], sums).constant,
      ]
      for kernels in KernelSet.all {
        let result = try evaluate(
          code, options: options, arrange(operands),
          outputs: [
            TensorType(
              Code.elementType, [],
              quantization: Quantization(scale: output.scale, zeroPoint: Int64(output.zero)))
          ],
          kernels: kernels, rounding: .single)
        #expect(result[0].values(as: Code.self) == expected, "\(code), \(kernels.name)")
      }
    }
  }

  @Test(arguments: seeds, [false, true])
  func `convolutions of int8`(seed: Int, perChannel: Bool) throws {
    let product = Product<Int8>(seed: seed, perChannel: perChannel)
    let expected = product.expected { channel in
      Double(product.input.scale) * Double(product.scales[perChannel ? channel : 0])
        / Double(product.output.scale)
    }
    let shape: Shape = [1, 1, 5, 19]
    try product.expect(
      .conv2D, options: Conv2DOptions(.valid), inputShape: shape, filterShape: [7, 1, 1, 19],
      expected
    ) { $0 }
    var transposed = TransposeConvOptions()
    (transposed.strideWidth, transposed.strideHeight) = (1, 1)
    let outputShape = Tensor([4], [1, 1, 5, 7] as [Int32]).constant
    try product.expect(
      .transposeConv, options: transposed, inputShape: shape, filterShape: [7, 1, 1, 19],
      expected
    ) { [outputShape, $0[1], $0[0], $0[2]] }
  }

  @Test(arguments: seeds)
  func `convolutions of uint8 form their factor in single precision`(seed: Int) throws {
    let product = Product<UInt8>(seed: seed, perChannel: false)
    let factor = Double(product.input.scale * product.scales[0]) / Double(product.output.scale)
    try product.expect(
      .conv2D, options: Conv2DOptions(.valid), inputShape: [1, 1, 5, 19],
      filterShape: [7, 1, 1, 19], product.expected { _ in factor }
    ) { $0 }
  }

  @Test(arguments: seeds)
  func `matrix products`(seed: Int) throws {
    let product = Product<Int8>(seed: seed, perChannel: false)
    let factor = Double(product.input.scale * product.scales[0]) / Double(product.output.scale)
    var options = BatchMatMulOptions()
    options.transposesRight = true
    try product.expect(
      .batchMatMul, options: options, inputShape: [5, 19], filterShape: [7, 19],
      product.expected({ _ in factor }, bias: false)
    ) { Array($0.prefix(2)) }
  }

  /// With two roundings FULLY_CONNECTED multiplies in double precision, with one it does not.
  @Test(arguments: seeds)
  func `fully connected layers`(seed: Int) throws {
    let product = Product<Int8>(seed: seed, perChannel: false)
    let factor =
      Double(product.input.scale) * Double(product.scales[0]) / Double(product.output.scale)
    try product.expect(
      .fullyConnected, inputShape: [5, 19], filterShape: [7, 19],
      product.expected { _ in factor }
    ) { $0 }
  }

  @Test(arguments: seeds)
  func `means divide the factor`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let input = TestAffine.random(for: Int8.self, &random)
    let output = TestAffine.random(for: Int8.self, &random)
    let count = Int.random(in: 2...9, using: &random)
    let codes = random.codes(6 * count, as: Int8.self)
    let whole = RoundingOnce(Double(input.scale) / Double(output.scale))
    let shift = min(count.leadingBit, 31 + whole.exponent)
    let factor = RoundingOnce(
      significand: (whole.significand << shift) / Int128(count),
      exponent: whole.exponent - shift)
    let expected = (0..<6).map { row -> Int8 in
      let sum = codes[row * count..<(row + 1) * count].reduce(0) { $0 + Int($1) }
      return .code(factor(sum - count * input.zero), output)
    }
    for kernels in KernelSet.all {
      let result = try evaluate(
        .mean, options: ReducerOptions(),
        [
          Tensor([6, count], codes, scale: input.scale, zeroPoint: Int64(input.zero)),
          Tensor([1], [1] as [Int32]).constant,
        ],
        outputs: [
          TensorType(
            .int8, [],
            quantization: Quantization(scale: output.scale, zeroPoint: Int64(output.zero)))
        ], kernels: kernels, rounding: .single)
      #expect(result[0].values(as: Int8.self) == expected, "\(kernels.name)")
    }
  }
}

extension Int {
  /// The position of the leading bit.
  fileprivate var leadingBit: Int { Int.bitWidth - 1 - leadingZeroBitCount }
}
