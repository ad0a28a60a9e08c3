// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import SeededRandom
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
  static let image = Tensor([1, 2, 4, 1], [1, 5, 2, 2, 3, 4, 2, 0] as [Float])

  @Test(arguments: KernelSet.all)
  func `maxima go back to where they were`(kernels: KernelSet) throws {
    let pooled = try evaluate(
      custom: "MaxPoolingWithArgmax2D", options: Self.structure(Self.pooling), [Self.image],
      outputs: [Self.float, Self.float], kernels: kernels)
    #expect(pooled[0].values() == [5, 2] as [Float])
    #expect(pooled[1].values() == [1.1, 0.1] as [Float])
    let back = try evaluate(
      custom: "MaxUnpooling2D", options: Self.structure(Self.pooling), pooled,
      outputs: [Self.float], kernels: kernels)
    #expect(back[0].type.shape == [1, 2, 4, 1])
    #expect(back[0].values() == [0, 5, 2, 0, 0, 0, 0, 0] as [Float])
  }

  @Test(arguments: KernelSet.all, [.nan, .infinity, -1, 4, 3e38] as [Float])
  func `a location outside of the output is passed over`(
    kernels: KernelSet, location: Float
  ) throws {
    let back = try evaluate(
      custom: "MaxUnpooling2D", options: Self.structure(Self.pooling),
      [Tensor([1, 1, 1, 1], [7] as [Float]), Tensor([1, 1, 1, 1], [location])],
      outputs: [Self.float], kernels: kernels)
    #expect(back[0].values() == [0, 0, 0, 0] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `a huge window of no images takes no memory`(kernels: KernelSet) throws {
    let back = try evaluate(
      custom: "MaxUnpooling2D", options: Self.structure([1, 1, 1, 1 << 19, 1 << 19, 0]),
      [Tensor([0, 1, 1, 1], [] as [Float]), Tensor([0, 1, 1, 1], [] as [Float])],
      outputs: [Self.float], kernels: kernels)
    #expect(back[0].type.shape.elementCount == 0)
  }

  @Test(arguments: 0..<30)
  func `maxima and their places are found by vectors, bit for bit`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let fields: [Int32] = [
      random.pick([1, 2]), random.pick([1, 2]), random.pick([1, 2, 3]), random.pick([1, 2, 3]),
      random.pick([1, 2, 3]), random.pick([0, 3]),
    ]
    let shape: Shape = [random.pick([1, 2]), 7, 6, random.pick([1, 3, 8, 20])]
    let image = Tensor(shape, random.floats(shape.elementCount).map { ($0 * 4).rounded() })
    func results(_ kernels: KernelSet) throws -> [[Float]] {
      let pooled = try evaluate(
        custom: "MaxPoolingWithArgmax2D", options: Self.structure(fields), [image],
        outputs: [Self.float, Self.float], kernels: kernels)
      // Some places lie in other windows, or beyond the image.
      let places = pooled[1].values(as: Float.self).map {
        Int.random(in: 0..<9, using: &random) == 0 ? $0 + random.pick([2, 5, -3]) : $0
      }
      random = SeededRandom(seed: seed)
      let back = try evaluate(
        custom: "MaxUnpooling2D", options: Self.structure(fields),
        [pooled[0], Tensor(pooled[1].type.shape, places)], outputs: [Self.float],
        kernels: kernels)
      return [pooled[0].values(), pooled[1].values(), back[0].values()]
    }
    random = SeededRandom(seed: seed)
    let expected = try results(.reference)
    #expect(try results(.optimized) == expected)
  }

  /// Images of 1x2 become 2x6 with SAME padding and 2x5 with VALID; positions count channels.
  @Test(
    arguments: KernelSet.all,
    [
      ([1, 3, 2, 2, 2, 0], [2, 2, 6, 2], [0: 4, 3: 1, 10: 3, 19: 2, 29: 6, 33: 8, 36: 7]),
      ([2, 3, 2, 2, 2, 0], [2, 2, 5, 2], [0: 4, 3: 1, 10: 3, 19: 2, 25: 6, 29: 8, 32: 7]),
    ] as [([Int32], Shape, [Int: Float])])
  func `maxima go to positions in the image`(
    kernels: KernelSet, row: (options: [Int32], shape: Shape, elements: [Int: Float])
  ) throws {
    let result = try evaluate(
      custom: "LiteRtMaxUnpooling2D", options: Self.structure(row.options),
      [
        Tensor([2, 1, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8] as [Float]),
        Tensor([2, 1, 2, 2], [3, 19, 10, 0, 12, 5, 12, 9] as [Int32]),
      ], outputs: [Self.float], kernels: kernels)
    #expect(result[0].type.shape == row.shape)
    let expected = (0..<row.shape.elementCount).map { row.elements[$0] ?? 0 }
    #expect(result[0].values() == expected)
  }

  @Test(arguments: [-1, 24, .min, .max] as [Int32])
  func `a position beyond the image is refused`(position: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        custom: "LiteRtMaxUnpooling2D", options: Self.structure([1, 3, 2, 2, 2, 0]),
        [
          Tensor([1, 1, 2, 2], [1, 2, 3, 4] as [Float]),
          Tensor([1, 1, 2, 2], [0, 1, 2, position]),
        ], outputs: [Self.float])
    }
  }

  @Test(
    arguments: [
      [], [2, 2, 2, 2], [0, 2, 2, 2, 2, 0], [1, 0, 2, 2, 2, 0], [1, 2, 2, -1, 2, 0],
      [1, 2, 2, 2, 2, 9],
    ] as [[Int32]])
  func `options that are short or out of range are refused`(fields: [Int32]) {
    #expect(throws: KernelError.self) {
      try evaluate(
        custom: "MaxPoolingWithArgmax2D", options: Self.structure(fields), [Self.image],
        outputs: [Self.float, Self.float])
    }
  }
}
