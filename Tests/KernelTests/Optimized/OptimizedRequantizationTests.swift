// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for softmax and products of quantized values, for means of rows and for copied
/// pixels against the reference kernels, bit for bit but for means of long rows of floats.
@Suite struct OptimizedRequantizationTests {
  @Test(arguments: 0..<30)
  func `matrix products of pairs`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (rows, depth, columns) = (
      random.pick([5, 12, 30]), random.pick([1, 7, 64, 130]), random.pick([1, 16, 17, 70])
    )
    var options = BatchMatMulOptions()
    options.transposesRight = Bool.random(using: &random)
    options.transposesLeft = Bool.random(using: &random)
    let (left, right): ([Int], [Int]) = random.pick([
      ([2, 3], [2, 3]), ([3], []), ([1, 3], [2, 1]), ([], []),
    ])
    let rightShape = try Shape.checked(
      right + (options.transposesRight ? [columns, depth] : [depth, columns]))
    let leftShape = try Shape.checked(
      left + (options.transposesLeft ? [depth, rows] : [rows, depth]))
    let matrices = Tensor(
      rightShape, random.codes(rightShape.elementCount, as: Int8.self), scale: 0.02,
      zeroPoint: random.pick([0, 0, -7]))
    try OptimizedProblem(
      seed: seed, code: .batchMatMul, options: options,
      inputs: [
        Tensor(
          leftShape, random.codes(leftShape.elementCount, as: Int8.self), scale: 0.01,
          zeroPoint: random.pick([0, -128, 127, 4])),
        Bool.random(using: &random) ? matrices : matrices.constant,
      ],
      output: TensorType(
        .int8, [],
        quantization: Quantization(
          scale: random.pick([0.02, 0.3, 0.0001]), zeroPoint: random.pick([0, -128, 9]))),
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: 0..<30)
  func `matrix products by weights that another node computes`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (rows, depth, units) = (
      random.pick([5, 12, 30]), random.pick([1, 7, 64, 130]), random.pick([1, 16, 17, 70])
    )
    try OptimizedProblem(
      seed: seed, code: .fullyConnected, options: FullyConnectedOptions(),
      inputs: [
        Tensor(
          [rows, depth], random.codes(rows * depth, as: Int8.self), scale: 0.01,
          zeroPoint: random.pick([0, -128, 127, 4])),
        Tensor(
          [units, depth], random.codes(units * depth, as: Int8.self), scale: 0.02,
          zeroPoint: random.pick([0, 0, -7])),
      ],
      output: TensorType(
        .int8, [],
        quantization: Quantization(
          scale: random.pick([0.02, 0.3, 0.0001]), zeroPoint: random.pick([0, -128, 9]))),
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  /// Every float16 value there is, and lengths that vectors do not divide.
  @Test(arguments: [1, 15, 16, 17, 1_000, 65_536])
  func `float16 values widened`(count: Int) throws {
    let values = (0..<count).map { Float16(bitPattern: UInt16(truncatingIfNeeded: $0 &* 40_503)) }
    try OptimizedProblem(
      seed: 0, code: .dequantize, options: nil, inputs: [Tensor([count], values)],
      output: TensorType(.float32, [count]), rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: [ElementType.int8, .uint8], 0..<30)
  func softmax(type: ElementType, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    try softmax(
      [random.pick([1, 3]), random.pick([1, 2, 10, 255, 256, 1001])], type, seed: seed, &random)
  }

  /// As of pixels of few classes.
  @Test(arguments: [ElementType.int8, .uint8], 0..<16)
  func `softmax of many short rows`(type: ElementType, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    try softmax([4_100, 1 + seed % 4], type, seed: seed, &random)
  }

  private func softmax(
    _ shape: Shape, _ type: ElementType, seed: Int, _ random: inout SeededRandom
  ) throws {
    var options = SoftmaxOptions()
    options.beta = random.pick([1, 0.3, 4])
    let scale = random.pick([0.01, 0.1, 0.9, 3]) as Float
    let count = shape.elementCount
    let input =
      type == .int8
      ? Tensor(shape, random.codes(count, as: Int8.self), scale: scale, zeroPoint: 3)
      : Tensor(shape, random.codes(count, as: UInt8.self), scale: scale, zeroPoint: 3)
    let problem = OptimizedProblem(
      seed: seed, code: .softmax, options: options, inputs: [input],
      output: TensorType(
        type, [], quantization: Quantization(scale: 1 / 256, zeroPoint: type == .int8 ? -128 : 0)),
      rounding: random.pick([.double, .single]))
    let expected: [UInt8] = try problem.result(.reference).bytes.array()
    let codes: [UInt8] = try problem.result(.optimized).bytes.array()
    #expect(codes == expected, "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `means of rows`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([2, 3, 8, 41]), random.pick([2, 5, 64, 333])]
    // Long rows are summed by sixteen partial sums.
    let isLong = shape[1] >= 16
    var values = random.floats(shape.elementCount)
    if !isLong { values[0] = random.pick([-0.0, .infinity, 1]) }
    let problem = OptimizedProblem(
      seed: seed, code: .mean, options: ReducerOptions(),
      inputs: [Tensor(shape, values), Tensor([1], [1] as [Int32]).constant],
      output: TensorType(.float32, []), rounding: .double)
    try isLong ? problem.expectCloseFloats(terms: 8) : problem.expectSameBytes()
  }

  @Test(arguments: 0..<30)
  func `pixels of the nearest neighbors`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [
      random.pick([1, 2]), random.pick([1, 2, 7]), random.pick([1, 3, 8]), random.pick([1, 3, 16]),
    ]
    let size = [random.pick([1, 2, 7, 14]), random.pick([1, 2, 5, 16])].map(Int32.init)
    var options = ResizeNearestNeighborOptions()
    (options.alignsCorners, options.halfPixelCenters) = random.pick([
      (false, false), (true, false), (false, true),
    ])
    let isFloat = Bool.random(using: &random)
    let count = shape.elementCount
    try OptimizedProblem(
      seed: seed, code: .resizeNearestNeighbor, options: options,
      inputs: [
        isFloat
          ? Tensor(shape, random.floats(count))
          : Tensor(shape, random.codes(count, as: Int8.self), scale: 1, zeroPoint: 0),
        Tensor([2], size).constant,
      ],
      output: TensorType(
        isFloat ? .float32 : .int8, [],
        quantization: isFloat ? nil : Quantization(scale: 1, zeroPoint: 0)), rounding: .double
    ).expectSameBytes()
  }
}
