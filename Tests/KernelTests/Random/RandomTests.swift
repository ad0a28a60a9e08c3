// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct RandomTests {
  /// The known answers that the authors of the generators publish with Random123.
  @Test func `Philox gives the published words`() {
    let zero = CounterGenerators.philox((0, 0, 0, 0), key: (0, 0))
    let zeroIsRight = zero == (0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8)
    #expect(zeroIsRight)
    let digits = CounterGenerators.philox(
      (0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344), key: (0xA409_3822, 0x299F_31D0))
    let digitsAreRight = digits == (0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1)
    #expect(digitsAreRight)
  }

  @Test func `Threefry gives the published words`() {
    let zeroIsRight =
      CounterGenerators.threefry((0, 0), key: (0, 0)) == (0x6B20_0159, 0x99BA_4EFE)
    #expect(zeroIsRight)
    let digits = CounterGenerators.threefry(
      (0x243F_6A88, 0x85A3_08D3), key: (0x1319_8A2E, 0x0370_7344))
    let digitsAreRight = digits == (0xC492_3A9C, 0x483D_F7A0)
    #expect(digitsAreRight)
  }

  static func options(_ seed: Int64, _ seed2: Int64) -> RandomOptions {
    var options = RandomOptions()
    (options.seed, options.seed2) = (seed, seed2)
    return options
  }

  static func numbers(
    _ code: OperatorCode, _ shape: [Int32], _ options: RandomOptions, _ kernels: KernelSet
  ) throws -> [Float] {
    try evaluate(
      code, options: options, [Tensor([shape.count], shape).constant],
      outputs: [TensorType(.float32, [])], kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `uniform numbers lie below 1 and depend on the seed only`(kernels: KernelSet) throws {
    let first = try Self.numbers(.randomUniform, [3, 3], Self.options(1, 0), kernels)
    #expect(first.count == 9)
    #expect(first.allSatisfy { 0..<1 ~= $0 })
    #expect(try Self.numbers(.randomUniform, [9], Self.options(1, 0), kernels) == first)
    #expect(try Self.numbers(.randomUniform, [9], Self.options(2, 0), kernels) != first)
  }

  @Test(arguments: KernelSet.all)
  func `without a seed the numbers can be repeated`(kernels: KernelSet) throws {
    let first = try Self.numbers(.randomStandardNormal, [5], Self.options(0, 0), kernels)
    #expect(try Self.numbers(.randomStandardNormal, [5], Self.options(0, 0), kernels) == first)
    #expect(Set(first).count == 5)
  }

  /// exp(−100) is beyond any random number, and a logit that is not finite counts nothing.
  @Test(arguments: KernelSet.all)
  func `impossible classes are never drawn`(kernels: KernelSet) throws {
    let logits = Tensor([1, 4], [-.infinity, -100, 3, .nan] as [Float])
    let drawn = try evaluate(
      .multinomial, options: Self.options(4, 2), [logits, Tensor([], [50] as [Int32]).constant],
      outputs: [TensorType(.int64, [])], kernels: kernels)
    #expect(drawn[0].type.shape == [1, 50])
    #expect(drawn[0].values() == Array(repeating: 2, count: 50) as [Int64])
  }

  @Test(arguments: KernelSet.all)
  func `bits come with the state that continues them`(kernels: KernelSet) throws {
    var options = StablehloRngBitGeneratorOptions()
    options.algorithm = .threefry
    let results = try evaluate(
      .stablehloRngBitGenerator, options: options, [Tensor([2], [0, 0] as [UInt64])],
      outputs: [TensorType(.uint64, [2]), TensorType(.uint64, [1])], kernels: kernels)
    #expect(results[0].values() == [0, 1] as [UInt64])
    #expect(results[1].values() == [0x99BA_4EFE_6B20_0159] as [UInt64])
  }

  @Test(arguments: [[-1], [1 << 30, 1 << 30]] as [[Int32]])
  func `shapes that cannot be are refused`(shape: [Int32]) throws {
    #expect(throws: KernelError.self) {
      try Self.numbers(.randomUniform, shape, Self.options(1, 1), .reference)
    }
  }
}
