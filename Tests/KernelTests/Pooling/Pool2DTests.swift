// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct Pool2DTests {
  static func options(
    width: Int32, stride: Int32 = 1, padding: Padding = .valid, activation: FusedActivation = .none
  ) -> Pool2DOptions {
    var options = Pool2DOptions()
    options.padding = padding
    (options.filterWidth, options.filterHeight) = (width, 1)
    (options.strideWidth, options.strideHeight) = (stride, 1)
    options.fusedActivation = activation
    return options
  }

  static let float = TensorType(.float32, [])

  @Test(arguments: KernelSet.all)
  func `averages divide by the elements inside the image`(kernels: KernelSet) throws {
    let result = try evaluate(
      .averagePool2D, options: Self.options(width: 2, stride: 2, padding: .same),
      [Tensor([1, 1, 3, 2], [1, 10, 2, 20, 3, 30] as [Float])],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == [1, 1, 2, 2])
    #expect(result[0].values() == [1.5, 15, 3, 30] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `the largest element of each window is taken`(kernels: KernelSet) throws {
    let result = try evaluate(
      .maxPool2D, options: Self.options(width: 2, activation: .relu6),
      [Tensor([1, 1, 4, 1], [-3, -1, 4, 7] as [Float])], outputs: [Self.float], kernels: kernels)
    #expect(result[0].values() == [0, 4, 6] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `L2 is the root of the mean square`(kernels: KernelSet) throws {
    let result = try evaluate(
      .l2Pool2D, options: Self.options(width: 2), [Tensor([1, 1, 2, 1], [1, 7] as [Float])],
      outputs: [Self.float], kernels: kernels)
    #expect(result[0].values() == [5] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `averages of codes are rounded half away from zero`(kernels: KernelSet) throws {
    let type = TensorType(.int8, [], quantization: Quantization(scale: 1))
    let result = try evaluate(
      .averagePool2D, options: Self.options(width: 2, stride: 2),
      [Tensor([1, 1, 4, 1], [-1, -2, 1, 2] as [Int8], scale: 1)], outputs: [type],
      kernels: kernels)
    #expect(result[0].values() == [-2, 2] as [Int8])
  }

  /// Real 6 is quantized value 3 + 6 / 0.5 = 15, real 0 quantized value 3.
  @Test(arguments: KernelSet.all)
  func `activations limit codes`(kernels: KernelSet) throws {
    let type = TensorType(.uint8, [], quantization: Quantization(scale: 0.5, zeroPoint: 3))
    let result = try evaluate(
      .maxPool2D, options: Self.options(width: 1, activation: .relu6),
      [Tensor([1, 1, 3, 1], [0, 9, 200] as [UInt8], scale: 0.5, zeroPoint: 3)], outputs: [type],
      kernels: kernels)
    #expect(result[0].values() == [3, 9, 15] as [UInt8])
  }

  @Test(arguments: KernelSet.all)
  func `a window larger than the image fits once with SAME and never with VALID`(
    kernels: KernelSet
  ) throws {
    let input = Tensor([1, 1, 2, 1], [5, 9] as [Int16], scale: 1)
    let type = TensorType(.int16, [], quantization: Quantization(scale: 1))
    let same = try evaluate(
      .averagePool2D, options: Self.options(width: .max, stride: .max, padding: .same), [input],
      outputs: [type], kernels: kernels)
    #expect(same[0].values() == [7] as [Int16])
    let valid = try evaluate(
      .averagePool2D, options: Self.options(width: .max), [input], outputs: [type],
      kernels: kernels)
    // Far wider than the image: no column is left, and TFLite drops the rows as well.
    #expect(valid[0].type.shape == [1, 0, 0, 1])
  }

  @Test(arguments: [options(width: 0), options(width: -1), options(width: 1, stride: 0)])
  func `windows without extent are refused`(options: Pool2DOptions) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .maxPool2D, options: options, [Tensor([1, 1, 1, 1], [1] as [Float])],
        outputs: [Self.float])
    }
  }
}
