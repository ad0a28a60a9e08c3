// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct MediaPipeTests {
  static let float = TensorType(.float32, [])

  /// 32-bit numbers in little-endian order.
  static func structure(_ fields: [Int32]) -> [UInt8] {
    fields.flatMap { field in
      (0..<4).map { UInt8(truncatingIfNeeded: field >> (8 * $0)) }
    }
  }

  /// The numbers 1 and 2, each spread over two elements by the weights 1 and 10, plus 0.5.
  @Test(arguments: KernelSet.all)
  func `a transposed convolution starts from the bias`(kernels: KernelSet) throws {
    let result = try evaluate(
      custom: "Convolution2DTransposeBias", options: Self.structure([1, 2, 2]),
      [
        Tensor([1, 1, 2, 1], [1, 2] as [Float]),
        Tensor([1, 1, 2, 1], [1, 10] as [Float]).constant,
        Tensor([1], [0.5] as [Float]).constant,
      ], outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == [1, 1, 4, 1])
    #expect(result[0].values() == [1.5, 10.5, 2.5, 20.5] as [Float])
  }

  static let pooling: [Int32] = [2, 2, 2, 2, 2, 0]
  static let picture = Tensor([1, 2, 4, 1], [1, 5, 2, 2, 3, 4, 2, 0] as [Float])

  @Test(arguments: KernelSet.all)
  func `maxima go back to where they were`(kernels: KernelSet) throws {
    let pooled = try evaluate(
      custom: "MaxPoolingWithArgmax2D", options: Self.structure(Self.pooling), [Self.picture],
      outputs: [Self.float, Self.float], kernels: kernels)
    #expect(pooled[0].values() == [5, 2] as [Float])
    #expect(pooled[1].values() == [1.1, 0.1] as [Float])
    let back = try evaluate(
      custom: "MaxUnpooling2D", options: Self.structure(Self.pooling), pooled,
      outputs: [Self.float], kernels: kernels)
    #expect(back[0].type.shape == [1, 2, 4, 1])
    #expect(back[0].values() == [0, 5, 2, 0, 0, 0, 0, 0] as [Float])
  }

  @Test(arguments: [.nan, .infinity, -1, 4, 3e38] as [Float])
  func `a place outside of the output is passed over`(place: Float) throws {
    let back = try evaluate(
      custom: "MaxUnpooling2D", options: Self.structure(Self.pooling),
      [Tensor([1, 1, 1, 1], [7] as [Float]), Tensor([1, 1, 1, 1], [place])],
      outputs: [Self.float])
    #expect(back[0].values() == [0, 0, 0, 0] as [Float])
  }

  @Test(
    arguments: [
      [], [2, 2, 2, 2], [0, 2, 2, 2, 2, 0], [1, 0, 2, 2, 2, 0], [1, 2, 2, -1, 2, 0],
      [1, 2, 2, 2, 2, 9],
    ] as [[Int32]])
  func `options that are short or out of range are refused`(fields: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        custom: "MaxPoolingWithArgmax2D", options: Self.structure(fields), [Self.picture],
        outputs: [Self.float, Self.float])
    }
  }
}
