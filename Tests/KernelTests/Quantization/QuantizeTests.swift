// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct QuantizeTests {
  @Test(arguments: KernelSet.all)
  func `floats are rounded half away from zero and saturate`(kernels: KernelSet) throws {
    let type = TensorType(.int8, [], quantization: Quantization(scale: 0.5, zeroPoint: 3))
    let result = try evaluate(
      .quantize,
      [Tensor([7], [0, 0.25, -0.25, 0.2499999, 1.25, 1000, -1000] as [Float])],
      outputs: [type], kernels: kernels)
    #expect(result[0].values() == [3, 4, 2, 3, 6, 127, -128] as [Int8])
  }

  /// As TFLite does on x86: -2³¹ plus the zero point, which wraps where that is negative.
  @Test(arguments: KernelSet.all, [(Int64(0), Int8.min), (5, .min), (-1, .max)])
  func `what has no code counts as the least integer`(
    kernels: KernelSet, row: (zeroPoint: Int64, expected: Int8)
  ) throws {
    let type = TensorType(
      .int8, [], quantization: Quantization(scale: 0.5, zeroPoint: row.zeroPoint))
    let result = try evaluate(
      .quantize, [Tensor([4], [.nan, .infinity, -.infinity, 1e10] as [Float])], outputs: [type],
      kernels: kernels)
    #expect(result[0].values() == Array(repeating: row.expected, count: 4))
  }

  @Test(arguments: KernelSet.all)
  func `each channel has its scale`(kernels: KernelSet) throws {
    let quantization = Quantization(scales: [1, 0.5], zeroPoints: [0, 10], axis: 1)
    let codes = try evaluate(
      .quantize, [Tensor([2, 2, 1], [1, 1, 2, 2] as [Float])],
      outputs: [TensorType(.uint8, [], quantization: quantization)], kernels: kernels)
    #expect(codes[0].values() == [1, 12, 2, 14] as [UInt8])

    let input = Tensor(
      TensorType(.uint8, [2, 2, 1], quantization: quantization), codes[0].bytes,
      isConstant: false)
    let reals = try evaluate(
      .dequantize, [input], outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(reals[0].values() == [1, 1, 2, 2] as [Float])
  }

  /// Quantized values 1, -8, 7 of zero point 1 in two bytes, the first in the low half.
  @Test(arguments: KernelSet.all)
  func `int4 codes are packed`(kernels: KernelSet) throws {
    let type = TensorType(.int4, [], quantization: Quantization(scale: 0.5, zeroPoint: 1))
    let codes = try evaluate(
      .quantize, [Tensor([3], [0, -9, 9] as [Float])], outputs: [type], kernels: kernels)
    #expect(codes[0].values() == [0x81, 0x07] as [UInt8])
    let reals = try evaluate(
      .dequantize, codes, outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(reals[0].values() == [0, -4.5, 3] as [Float])
  }

  /// Scales 0.5 and 0.25: each quantized value counts double; uint8 has 128 more.
  @Test(arguments: KernelSet.all)
  func `codes are requantized`(kernels: KernelSet) throws {
    let type = TensorType(.uint8, [], quantization: Quantization(scale: 0.25, zeroPoint: 128))
    let result = try evaluate(
      .quantize, [Tensor([4], [-128, 0, 3, 127] as [Int8], scale: 0.5)], outputs: [type],
      kernels: kernels)
    #expect(result[0].values() == [0, 128, 134, 255] as [UInt8])
  }

  @Test(arguments: KernelSet.all)
  func `float16 is widened`(kernels: KernelSet) throws {
    let result = try evaluate(
      .dequantize, [Tensor([2], [1.5, -65504] as [Float16])],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [1.5, -65504] as [Float])
  }

  /// Quantized values 0...3 from -1 to 2, nudged to nothing: steps of 1.
  @Test(arguments: KernelSet.all)
  func `fake quantization snaps to the codes`(kernels: KernelSet) throws {
    var options = FakeQuantOptions()
    (options.minimum, options.maximum, options.bitCount) = (-1, 2, 2)
    let result = try evaluate(
      .fakeQuant, options: options, [Tensor([5], [-5, -0.6, 0.4, 0.5, 9] as [Float])],
      outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(result[0].values() == [-1, -1, 0, 1, 2] as [Float])
  }

  @Test(arguments: [(Float(0), Float(0), Int32(8), false), (0, 1, 0, false), (0, 1, 8, true)])
  func `fake quantization wants an interval, bits and the full range`(
    minimum: Float, maximum: Float, bits: Int32, narrow: Bool
  ) throws {
    var options = FakeQuantOptions()
    (options.minimum, options.maximum) = (minimum, maximum)
    (options.bitCount, options.narrowRange) = (bits, narrow)
    #expect(throws: KernelError.self) {
      try evaluate(
        .fakeQuant, options: options, [Tensor([1], [1] as [Float])],
        outputs: [TensorType(.float32, [])])
    }
  }

  @Test func `scales must fit the axis`() throws {
    for quantization in [
      Quantization(scales: [1, 2, 3], axis: 0), Quantization(scales: [1, 2], axis: 7),
      Quantization(scales: [1, 2], axis: -1),
    ] {
      #expect(throws: KernelError.self) {
        try evaluate(
          .quantize, [Tensor([2], [1, 2] as [Float])],
          outputs: [TensorType(.int8, [], quantization: quantization)])
      }
    }
  }

  @Test func `an empty tensor has no codes`() throws {
    let type = TensorType(.int8, [], quantization: Quantization(scale: 1))
    let result = try evaluate(
      .quantize, [Tensor([0, 2], [] as [Float])], outputs: [type])
    #expect(result[0].type.shape == [0, 2])
  }
}
