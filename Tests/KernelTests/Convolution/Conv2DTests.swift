// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct Conv2DTests {
  /// A float convolution worked out by hand.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: Shape
    let values: [Float]
    let filter: Shape
    let weights: [Float]
    let bias: [Float]
    var options = Conv2DOptions(.valid)
    let output: Shape
    let expected: [Float]
  }

  static let nine: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9]

  static let rows = [
    Row(
      testDescription: "a window slides and the bias is added",
      input: [1, 3, 3, 1], values: nine, filter: [1, 2, 2, 1], weights: [1, 0, 0, -1],
      bias: [10], output: [1, 2, 2, 1], expected: [6, 6, 6, 6]),
    Row(
      testDescription: "SAME pads the odd pixel at the end",
      input: [1, 3, 3, 1], values: nine, filter: [1, 2, 2, 1], weights: [1, 1, 1, 1],
      bias: [0], options: Conv2DOptions(.same, stride: 2), output: [1, 2, 2, 1],
      expected: [12, 9, 15, 9]),
    Row(
      testDescription: "dilation skips pixels",
      input: [1, 3, 3, 1], values: nine, filter: [1, 2, 2, 1], weights: [1, 1, 1, 1],
      bias: [0], options: Conv2DOptions(.valid, dilation: 2), output: [1, 1, 1, 1],
      expected: [20]),
    Row(
      testDescription: "groups read their own channels",
      input: [1, 1, 1, 4], values: [1, 2, 3, 4], filter: [2, 1, 1, 2],
      weights: [10, 20, 30, 40], bias: [0, 0], output: [1, 1, 1, 2], expected: [50, 250]),
    Row(
      testDescription: "relu6 limits both ends",
      input: [1, 1, 3, 1], values: [-1, 3, 9], filter: [1, 1, 1, 1], weights: [1],
      bias: [0], options: Conv2DOptions(.valid, activation: .relu6), output: [1, 1, 3, 1],
      expected: [0, 3, 6]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `float sums`(kernels: KernelSet, row: Row) throws {
    let result = try evaluate(
      .conv2D, options: row.options,
      [
        Tensor(row.input, row.values), Tensor(row.filter, row.weights).constant,
        Tensor([row.bias.count], row.bias).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].type.shape == row.output)
    #expect(result[0].values() == row.expected)
  }

  /// (3 + 1)·1 + (5 + 1)·2 + 4 = 20, times 0.5 · 0.5 / 0.5; 4·3 − 6 − 2 = 4, times half as much.
  @Test(arguments: KernelSet.all)
  func `int8 channels have scales of their own`(kernels: KernelSet) throws {
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid),
      [
        Tensor([1, 1, 1, 2], [3, 5] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2, 1, 1, 2], [1, 2, 3, -1] as [Int8], scales: [0.5, 0.25]).constant,
        Tensor([2], [4, -2] as [Int32]).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))],
      kernels: kernels)
    #expect(result[0].values() == [11, 2] as [Int8])
  }

  /// (12 − 10)·(5 − 3) + (8 − 10)·(2 − 3) = 6, times 0.5 · 2 / 1.
  @Test(arguments: KernelSet.all)
  func `uint8 weights have a zero point`(kernels: KernelSet) throws {
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid),
      [
        Tensor([1, 1, 1, 2], [12, 8] as [UInt8], scale: 0.5, zeroPoint: 10),
        Tensor([1, 1, 1, 2], [5, 2] as [UInt8], scale: 2, zeroPoint: 3).constant,
        Tensor([1], [0] as [Int32]).constant,
      ],
      outputs: [TensorType(.uint8, [], quantization: Quantization(scale: 1, zeroPoint: 100))],
      kernels: kernels)
    #expect(result[0].values() == [106] as [UInt8])
  }

  /// 0xE1 holds 1 and −2, the low nibble first: 4·1 + 6·(−2) = −8, halved.
  @Test(arguments: KernelSet.all)
  func `int4 weights are packed two to a byte`(kernels: KernelSet) throws {
    let filter = Tensor(
      TensorType(.int4, [1, 1, 1, 2], quantization: Quantization(scale: 0.5)),
      TensorBytes(copying: [0xE1] as [UInt8]), isConstant: true)
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid),
      [
        Tensor([1, 1, 1, 2], [4, 6] as [Int8], scale: 0.5), filter,
        Tensor([1], [0] as [Int32]).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5))], kernels: kernels)
    #expect(result[0].values() == [-4] as [Int8])
  }

  /// 100·127 + 200·(−3) + bias, times 0.5 · 0.5 / 25.
  @Test(arguments: KernelSet.all)
  func `int16 activations take a bias of either width`(kernels: KernelSet) throws {
    for bias in [Tensor([1], [300] as [Int32]), Tensor([1], [300] as [Int64])] {
      let result = try evaluate(
        .conv2D, options: Conv2DOptions(.valid),
        [
          Tensor([1, 1, 1, 2], [100, 200] as [Int16], scale: 0.5),
          Tensor([1, 1, 1, 2], [127, -3] as [Int8], scale: 0.5).constant, bias.constant,
        ],
        outputs: [TensorType(.int16, [], quantization: Quantization(scale: 25))],
        kernels: kernels)
      #expect(result[0].values() == [124] as [Int16])
    }
  }

  /// The quantized values of 1 and −0.5 are 127 and −64: (254 − 64) · 0.5 / 127 + 1.
  @Test(arguments: KernelSet.all)
  func `one filter scale quantizes activations symmetrically`(kernels: KernelSet) throws {
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid),
      [
        Tensor([1, 1, 1, 2], [1, -0.5] as [Float]),
        Tensor([1, 1, 1, 2], [2, 1] as [Int8], scale: 0.5).constant,
        Tensor([1], [1] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(abs(result[0].values(as: Float.self)[0] - 1.7480315) < 1e-6)
  }

  /// Quantized values cover 0…2.55 in steps of 0.01; each image has its own scale.
  @Test(arguments: KernelSet.all)
  func `several filter scales quantize activations asymmetrically`(kernels: KernelSet) throws {
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid),
      [
        Tensor([2, 1, 1, 2], [0, 2.55, 0, 255] as [Float]),
        Tensor([2, 1, 1, 2], [1, 1, 2, -1] as [Int8], scales: [0.5, 0.25]).constant,
        Tensor([2], [0, 0] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    let values = result[0].values(as: Float.self)
    for (value, expected) in zip(values, [1.275, -0.6375, 127.5, -63.75] as [Float]) {
      #expect(abs(value - expected) < 1e-5 * abs(expected))
    }
  }

  @Test(arguments: [
    Conv2DOptions(.valid, stride: 0), Conv2DOptions(.valid, stride: .min),
    Conv2DOptions(.valid, dilation: 0),
  ])
  func `options that make no convolution are refused`(options: Conv2DOptions) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .conv2D, options: options,
        [
          Tensor([1, 1, 1, 1], [1] as [Float]), Tensor([1, 1, 1, 1], [1] as [Float]),
          Tensor([1], [1] as [Float]),
        ],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test(arguments: [FusedActivation.tanh, .signBit])
  func `activations that are no limits leave results as they are`(
    activation: FusedActivation
  ) throws {
    let result = try evaluate(
      .conv2D, options: Conv2DOptions(.valid, activation: activation),
      [
        Tensor([1, 1, 1, 1], [-3] as [Float]), Tensor([1, 1, 1, 1], [2] as [Float]),
        Tensor([1], [1] as [Float]),
      ],
      outputs: [TensorType(.float32, [])])
    #expect(result[0].values(as: Float.self) == [-5])
  }

  @Test func `a missing bias is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .conv2D, options: Conv2DOptions(.valid),
        [Tensor([1, 1, 1, 1], [1] as [Float]), Tensor([1, 1, 1, 1], [1] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }
}

extension Conv2DOptions {
  init(
    _ padding: Padding, stride: Int32 = 1, dilation: Int32 = 1,
    activation: FusedActivation = .none
  ) {
    self.init()
    self.padding = padding
    (strideWidth, strideHeight) = (stride, stride)
    (dilationWidth, dilationHeight) = (dilation, dilation)
    fusedActivation = activation
  }
}
