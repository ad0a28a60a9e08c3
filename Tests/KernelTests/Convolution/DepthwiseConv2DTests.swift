// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct DepthwiseConv2DTests {
  static func options(_ padding: Padding, stride: Int32 = 1) -> DepthwiseConv2DOptions {
    var options = DepthwiseConv2DOptions()
    options.padding = padding
    (options.strideWidth, options.strideHeight) = (stride, stride)
    return options
  }

  @Test(arguments: KernelSet.all)
  func `channels do not mix`(kernels: KernelSet) throws {
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.valid),
      [
        Tensor([1, 1, 2, 2], [1, 10, 2, 20] as [Float]),
        Tensor([1, 1, 2, 2], [1, 2, 3, 4] as [Float]).constant,
        Tensor([2], [0.5, 0.25] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].type.shape == [1, 1, 1, 2])
    #expect(result[0].values() == [7.5, 100.25] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `the filter's depth says how many outputs a channel has`(kernels: KernelSet) throws {
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.valid),
      [
        Tensor([1, 1, 1, 2], [1, 2] as [Float]),
        Tensor([1, 1, 1, 4], [1, 2, 3, 4] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [1, 2, 6, 8] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `taps in the padding are left out`(kernels: KernelSet) throws {
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.same, stride: 2),
      [
        Tensor([1, 3, 3, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9] as [Float]),
        Tensor([1, 2, 2, 1], [1, 1, 1, 1] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [12, 9, 15, 9] as [Float])
  }

  /// (3 + 1)·2 + 4 = 12, times 0.5 · 0.5 / 0.5; (5 + 1)·(−1) + 2 = −4, times half as much.
  @Test(arguments: KernelSet.all)
  func `int8 channels have scales of their own`(kernels: KernelSet) throws {
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.valid),
      [
        Tensor([1, 1, 1, 2], [3, 5] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([1, 1, 1, 2], [2, -1] as [Int8], scales: [0.5, 0.25], axis: 3).constant,
        Tensor([2], [4, 2] as [Int32]).constant,
      ],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))],
      kernels: kernels)
    #expect(result[0].values() == [7, 0] as [Int8])
  }

  /// 0xF3 holds 3 and −1.
  @Test(arguments: KernelSet.all)
  func `int4 weights are packed two to a byte`(kernels: KernelSet) throws {
    let filter = Tensor(
      TensorType(.int4, [1, 1, 1, 2], quantization: Quantization(scale: 0.5)),
      TensorBytes(copying: [0xF3] as [UInt8]), isConstant: true)
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.valid),
      [Tensor([1, 1, 1, 2], [10, 10] as [Int8], scale: 1), filter],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 0.5))], kernels: kernels)
    #expect(result[0].values() == [30, -10] as [Int8])
  }

  /// Quantized values cover 0…2.55 in steps of 0.01.
  @Test(arguments: KernelSet.all)
  func `integer weights quantize float activations asymmetrically`(kernels: KernelSet) throws {
    let result = try evaluate(
      .depthwiseConv2D, options: Self.options(.valid),
      [
        Tensor([1, 1, 1, 2], [1, 2.55] as [Float]),
        Tensor([1, 1, 1, 2], [2, -1] as [Int8], scales: [0.5, 0.25], axis: 3).constant,
        Tensor([2], [0, 1] as [Float]).constant,
      ],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    let values = result[0].values(as: Float.self)
    #expect(abs(values[0] - 1) < 1e-5)
    #expect(abs(values[1] - 0.3625) < 1e-5)
  }

  @Test func `a filter for other channels is refused`() {
    #expect(throws: KernelError.self) {
      try evaluate(
        .depthwiseConv2D, options: Self.options(.valid),
        [Tensor([1, 1, 1, 2], [1, 2] as [Float]), Tensor([1, 1, 1, 3], [1, 2, 3] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }
}
