// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct FullyConnectedTests {
  static let float = TensorType(.float32, [])

  @Test(arguments: KernelSet.all)
  func `each unit has a row of weights`(kernels: KernelSet) throws {
    let result = try evaluate(
      .fullyConnected,
      [
        Tensor([1, 2, 2], [1, 2, 3, 4] as [Float]),
        Tensor([3, 2], [1, 0, 0, 1, 1, 1] as [Float]).constant,
        Tensor([3], [0, 0, 100] as [Float]).constant,
      ],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == [2, 3])
    #expect(result[0].values() == [1, 2, 103, 3, 4, 107] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `the leading axes are kept on demand`(kernels: KernelSet) throws {
    var options = FullyConnectedOptions()
    options.keepsRank = true
    let result = try evaluate(
      .fullyConnected, options: options,
      [
        Tensor([1, 2, 2], [1, 2, 3, 4] as [Float]),
        Tensor([1, 2], [1, -1] as [Float]).constant, nil,
      ],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == [1, 2, 1])
    #expect(result[0].values() == [-1, -1] as [Float])
  }

  /// ±1 · 0.5: away from zero in double precision, up in the single-rounding profile.
  @Test(
    arguments: KernelSet.all,
    [(Rounding.double, [1, -1]), (.single, [1, 0])] as [(Rounding, [Int8])])
  func `ties are rounded as the profile says`(
    kernels: KernelSet, profile: (rounding: Rounding, expected: [Int8])
  ) throws {
    let result = try evaluate(
      .fullyConnected,
      [
        Tensor([2, 1], [1, -1] as [Int8], scale: 0.5),
        Tensor([1, 1], [1] as [Int8], scale: 1).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))], kernels: kernels,
      rounding: profile.rounding)
    #expect(result[0].values() == profile.expected)
  }

  /// (3 + 1)·1 + (5 + 1)·2 + 4 = 20, times 0.5 · 0.5 / 0.5; 4·3 − 6 − 2 = 4, times half as much.
  @Test(arguments: KernelSet.all)
  func `int8 units have scales of their own`(kernels: KernelSet) throws {
    let result = try evaluate(
      .fullyConnected,
      [
        Tensor([1, 2], [3, 5] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2, 2], [1, 2, 3, -1] as [Int8], scales: [0.5, 0.25]).constant,
        Tensor([2], [4, -2] as [Int32]).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))],
      kernels: kernels)
    #expect(result[0].values() == [11, 2] as [Int8])
  }

  /// 0b10_01_11_00 holds 0, −1, 1 and −2.
  @Test(arguments: KernelSet.all)
  func `int2 weights are packed four to a byte`(kernels: KernelSet) throws {
    let weights = Tensor(
      TensorType(.int2, [1, 4], quantization: Quantization(scale: 1)),
      TensorBytes(copying: [0b1001_1100] as [UInt8]), isConstant: true)
    let result = try evaluate(
      .fullyConnected, [Tensor([1, 4], [1, 2, 4, 8] as [Int8], scale: 1), weights],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(result[0].values() == [-14] as [Int8])
  }

  @Test(arguments: KernelSet.all)
  func `uint8 activations may have int16 results`(kernels: KernelSet) throws {
    let result = try evaluate(
      .fullyConnected,
      [
        Tensor([1, 2], [200, 100] as [UInt8], scale: 1, zeroPoint: 100),
        Tensor([1, 2], [130, 1] as [UInt8], scale: 1, zeroPoint: 128).constant,
        Tensor([1], [1000] as [Int32]).constant,
      ],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(result[0].values() == [1200] as [Int16])
  }

  /// 1000 · 2000 · 2⁻¹⁰.
  @Test(arguments: KernelSet.all)
  func `int16 weights are scaled in fixed point`(kernels: KernelSet) throws {
    let result = try evaluate(
      .fullyConnected,
      [
        Tensor([1, 1], [1000] as [Int16], scale: 0.03125),
        Tensor([1, 1], [2000] as [Int16], scale: 0.03125).constant,
      ],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(result[0].values() == [1953] as [Int16])
  }

  /// 5 · 2³² + 7 is read as 7 and 5.
  @Test(
    arguments: KernelSet.all, [(.float32, [7, 5]), (.int64, [7, 9])] as [(ElementType, [Int16])])
  func `int16 weights read the bias that the options announce`(
    kernels: KernelSet, row: (type: ElementType, expected: [Int16])
  ) throws {
    var options = FullyConnectedOptions()
    options.quantizedBiasType = row.type
    let high: Int64 = row.type == .int64 ? 0 : 5 << 32
    let result = try evaluate(
      .fullyConnected, options: options,
      [
        Tensor([1, 1], [0] as [Int16], scale: 1), Tensor([2, 1], [0, 0] as [Int16], scale: 1),
        Tensor([2], [high + 7, 9] as [Int64]),
      ],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(result[0].values() == row.expected)
  }

  /// Rows are quantized one by one; a row of zeros gives the bias.
  @Test(arguments: KernelSet.all, [false, true])
  func `float rows meet integer weights`(kernels: KernelSet, isAsymmetric: Bool) throws {
    var options = FullyConnectedOptions()
    options.asymmetricQuantizeInputs = isAsymmetric
    let result = try evaluate(
      .fullyConnected, options: options,
      [
        Tensor([3, 2], [1, 1, 0, 0, 1000, 0] as [Float]),
        Tensor([2, 2], [2, 4, -4, 0] as [Int8], scale: 0.5).constant,
        Tensor([2], [0, 1] as [Float]).constant,
      ],
      outputs: [Self.float], kernels: kernels)
    let values = result[0].values(as: Float.self)
    for (value, expected) in zip(values, [3, -1, 0, 1, 1000, -1999] as [Float]) {
      #expect(abs(value - expected) <= 1e-5 * abs(expected))
    }
  }

  /// Weights of unit u are u + 1, stored without the sign bit of their quantized value.
  @Test(arguments: KernelSet.all)
  func `shuffled weights come in blocks`(kernels: KernelSet) throws {
    var options = FullyConnectedOptions()
    options.weightsFormat = .shuffled4x16Int8
    let result = try evaluate(
      .fullyConnected, options: options,
      [
        Tensor([1, 16], [UInt8](repeating: 129, count: 16), scale: 0.5, zeroPoint: 128),
        Tensor(
          [4, 16], (0..<64).map { UInt8($0 / 16 + 1) }, scale: 0.5, zeroPoint: 128
        ).constant,
        Tensor([4], [0, 1, 2, 3] as [Int32]).constant,
      ],
      outputs: [
        TensorType(.int16, [], quantization: Quantization(scale: 0.25)), TensorType(.uint8, []),
      ],
      kernels: kernels)
    #expect(result[0].values() == [16, 33, 50, 67] as [Int16])
    #expect(result[1].values() == [UInt8](repeating: 1, count: 16))
  }

  @Test func `activations that fill no row are refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .fullyConnected,
        [Tensor([3], [1, 2, 3] as [Float]), Tensor([1, 2], [1, 2] as [Float])],
        outputs: [Self.float])
    }
  }

  @Test func `a bias of another scale is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .fullyConnected,
        [
          Tensor([1, 1], [1] as [Int8], scale: 1), Tensor([1, 1], [1] as [Int8], scale: 1),
          Tensor([1], [1] as [Int32], scale: 2),
        ],
        outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))])
    }
  }
}
