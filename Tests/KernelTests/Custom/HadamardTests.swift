// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// `aeq.hadamard_rotation`.
@Suite struct HadamardTests {
  static func rotated(
    _ shape: Shape, _ values: [Float], size: Int64, kernels: KernelSet = .reference
  ) throws -> Tensor {
    try evaluate(
      custom: "aeq.hadamard_rotation", options: flexMap(["hadamard_size": .int(size)]),
      [Tensor(shape, values)], outputs: [TensorType(.float32, [])], kernels: kernels)[0]
  }

  /// Rows 1 1 1 1, 1 −1 1 −1, 1 1 −1 −1 and 1 −1 −1 1, each by ½.
  @Test(arguments: KernelSet.all)
  func `each block is multiplied by the matrix`(kernels: KernelSet) throws {
    let whole = try Self.rotated([1, 4], [1, 2, 3, 6], size: 4, kernels: kernels)
    #expect(whole.type.shape == [1, 4])
    #expect(whole.values() == [6, -2, -3, 1] as [Float])
    // Twice is the identity.
    #expect(
      try Self.rotated([4], whole.values(), size: 4, kernels: kernels).values()
        == [1, 2, 3, 6] as [Float])
    let blocks = try Self.rotated([2, 4], [1, 1, 0, 2, 3, 3, 3, 5], size: 1, kernels: kernels)
    #expect(blocks.values() == [1, 1, 0, 2, 3, 3, 3, 5] as [Float])
    let pairs = try Self.rotated([1, 4], [1, 1, 0, 2], size: 2, kernels: kernels)
    for (value, wanted) in zip(pairs.values(as: Float.self), [2, 0, 2, -2] as [Float]) {
      #expect(abs(value - wanted / Float(2).squareRoot()) < 1e-6)
    }
  }

  @Test(arguments: [0, -4, 3, 8, 1 << 40, .min] as [Int64])
  func `sizes that are no powers of two, or do not divide the rows, are refused`(size: Int64) {
    #expect(throws: KernelError.self) {
      try Self.rotated([1, 4], [1, 2, 3, 4], size: size)
    }
  }
}
