// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

@Suite struct FourierTests {
  static func transform(
    _ input: Tensor, _ lengths: [Int32], kernels: KernelSet = .reference
  ) throws -> Tensor {
    try evaluate(
      .rfft2D, [input, Tensor([2], lengths).constant], outputs: [TensorType(.complex64, [])],
      kernels: kernels)[0]
  }

  /// Y₀₀ = 1 + 2 + 3 + 4, Y₀₁ = 1 − 2 + 3 − 4, Y₁₀ = 1 + 2 − 3 − 4, Y₁₁ = 1 − 2 − 3 + 4.
  @Test(arguments: KernelSet.all)
  func `two by two numbers give sums and differences`(kernels: KernelSet) throws {
    let result = try Self.transform(
      Tensor([2, 2], [1, 2, 3, 4] as [Float]), [2, 2], kernels: kernels)
    #expect(result.type.shape == [2, 2])
    let numbers = result.values(as: Complex<Float>.self)
    #expect(numbers.map(\.real) == [10, -2, -4, 0])
    #expect(numbers.map(\.imaginary) == [0, 0, 0, 0])
  }

  /// A unit one step after the start turns by −90° per frequency.
  @Test(arguments: KernelSet.all)
  func `a shifted unit turns with the frequency`(kernels: KernelSet) throws {
    let result = try Self.transform(
      Tensor([1, 2], [0, 1] as [Float]), [1, 4], kernels: kernels)
    let numbers = result.values(as: Complex<Float>.self)
    #expect(zip(numbers.map(\.real), [1, 0, -1]).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(zip(numbers.map(\.imaginary), [0, -1, 0]).allSatisfy { abs($0 - $1) < 1e-7 })
  }

  @Test(arguments: [1, 3, 8, 9, 20], [2, 8, 64, 512])
  func `images of one row are transformed side by side, bit for bit`(
    count: Int, length: Int
  ) throws {
    var random = SeededRandom(seed: count)
    for given in [length, length - 1, length + 3] {
      for rows in [1, 2] {
        let shape: Shape = [count, rows, given]
        try OptimizedProblem(
          seed: count, code: .rfft2D, options: nil,
          inputs: [
            Tensor(shape, random.floats(shape.elementCount)),
            Tensor([2], [1, Int32(length)]).constant,
          ], output: TensorType(.complex64, []), rounding: .double
        ).expectSameBytes()
      }
    }
  }

  @Test(arguments: [[3, 4], [0, 4], [4, -4], [1 << 15, 1 << 30]] as [[Int32]])
  func `lengths that are no powers of two or too long are refused`(lengths: [Int32]) throws {
    let input = Tensor([1 << 12, 1, 1], [Float](repeating: 1, count: 1 << 12))
    #expect(throws: KernelError.self) { try Self.transform(input, lengths) }
  }
}
