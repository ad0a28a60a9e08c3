// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for float operators against the reference kernels.
@Suite struct OptimizedFloatTests {
  static let binary: [OperatorCode] = [.div, .maximum, .minimum, .squaredDifference, .prelu]

  @Test(arguments: binary, 0..<20)
  func `operators of two floats`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (height, width, depth) = (
      random.pick([1, 7, 90]), random.pick([1, 6]), random.pick([1, 3, 16, 65])
    )
    let whole: Shape = [2, height, width, depth]
    let other: Shape = random.pick([whole, [depth], [1], [2, 1, 1, depth], [height, 1, 1]])
    var values = random.floats(whole.elementCount)
    values[0] = -0.0
    try OptimizedProblem(
      seed: seed, code: code, options: code == .div ? DivOptions() : nil,
      inputs: [Tensor(whole, values), Tensor(other, random.floats(other.elementCount))],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.relu, .relu6, .reluN1To1, .relu0To1, .leakyRelu], 0..<8)
  func rectifiers(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let count = random.pick([1, 15, 100, 40_000])
    var values = random.floats(count).map { $0 * 8 }
    values[0] = random.pick([-0.0, 0, .infinity, -.infinity])
    var options: (any OptionsTable)?
    if code == .leakyRelu {
      var leaky = LeakyReluOptions()
      leaky.alpha = random.pick([0.1, -0.3, 1.5])
      options = leaky
    }
    try OptimizedProblem(
      seed: seed, code: code, options: options, inputs: [Tensor([count], values)],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }

  static let exact: [OperatorCode] = [
    .abs, .neg, .square, .sqrt, .rsqrt, .floor, .ceil, .round,
  ]

  @Test(arguments: exact, Array(1...70) + [1000, 20_001])
  func `exact functions`(code: OperatorCode, count: Int) throws {
    var random = SeededRandom(seed: count)
    let special: [Float] = [
      .nan, -.nan, .infinity, -.infinity, 0, -0.0, 0.5, -0.5, 0.499_999_97, 1.5, -1.5, 2.5, -0.3,
      0.7, 4_194_303.5, -4_194_304.5, 8_388_607.5, -8_388_607.5, 8_388_609, -16_777_218, 1e30,
      .leastNonzeroMagnitude, -.leastNormalMagnitude, -.greatestFiniteMagnitude,
    ]
    let values = (0..<count).map { index in
      guard index % 3 == 0 else { return Float.random(in: -9...9, using: &random) }
      let any = Float(bitPattern: UInt32.random(in: 0 ... .max, using: &random))
      return index % 2 == 0 || any.isNaN ? random.pick(special) : any
    }
    try OptimizedProblem(
      seed: count, code: code, options: nil, inputs: [Tensor([count], values)],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }

  @Test(arguments: 0..<20)
  func `softmax stays close`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([1, 3, 40]), random.pick([1, 5, 16, 33, 1001])]
    var options = SoftmaxOptions()
    options.beta = random.pick([1, 0.5, 3])
    let spread = random.pick([1, 30]) as Float
    try OptimizedProblem(
      seed: seed, code: .softmax, options: options,
      inputs: [Tensor(shape, random.floats(shape.elementCount).map { $0 * spread })],
      output: TensorType(.float32, []), rounding: .double
    ).expectCloseFloats(terms: 4)
  }

  @Test(arguments: 0..<40)
  func `matrix products of pairs stay close`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (rows, depth, columns) = (
      random.pick([1, 2, 5, 30]), random.pick([1, 7, 64, 512]), random.pick([1, 16, 17, 70])
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
    let matrices = Tensor(rightShape, random.floats(rightShape.elementCount))
    try OptimizedProblem(
      seed: seed, code: .batchMatMul, options: options,
      inputs: [
        Tensor(leftShape, random.floats(leftShape.elementCount)),
        Bool.random(using: &random) ? matrices : matrices.constant,
      ], output: TensorType(.float32, []), rounding: .double
    ).expectCloseFloats(terms: depth)
  }

  @Test(arguments: 0..<40)
  func `matrix products by weights that another node computes stay close`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (rows, depth, units) = (
      random.pick([1, 2, 4, 5, 30]), random.pick([1, 7, 64, 512]), random.pick([1, 5, 16, 17, 70])
    )
    var options = FullyConnectedOptions()
    options.fusedActivation = random.pick([.none, .relu6])
    let bias = Tensor([units], random.floats(units))
    try OptimizedProblem(
      seed: seed, code: .fullyConnected, options: options,
      inputs: [
        Tensor([rows, depth], random.floats(rows * depth)),
        Tensor([units, depth], random.floats(units * depth)),
        random.pick([bias, bias.constant, nil]),
      ], output: TensorType(.float32, []), rounding: .double
    ).expectCloseFloats(terms: depth)
  }

  @Test(arguments: [4, 5, 8, 13, 100], [1, 3, 4, 16, 30, 128])
  func `matrix products with a single unit stay close`(rows: Int, depth: Int) throws {
    var random = SeededRandom(seed: rows * depth)
    var options = FullyConnectedOptions()
    options.fusedActivation = random.pick([.none, .relu6])
    let weights = Tensor([1, depth], random.floats(depth))
    let bias = Tensor([1], random.floats(1)).constant
    for filter in [weights, weights.constant] {
      try OptimizedProblem(
        seed: rows, code: .fullyConnected, options: options,
        inputs: [Tensor([rows, depth], random.floats(rows * depth)), filter, bias],
        output: TensorType(.float32, []), rounding: .double
      ).expectCloseFloats(terms: depth)
    }
  }

  /// Weights that are not packed: so many that a single row takes them where they lie.
  @Test(arguments: [128, 131, 300], [129, 135, 1001])
  func `single rows times large matrices stay close`(depth: Int, units: Int) throws {
    var random = SeededRandom(seed: depth * units)
    var options = FullyConnectedOptions()
    options.fusedActivation = random.pick([.none, .relu6])
    let weights = Tensor([units, depth], random.floats(units * depth)).constant
    for bias in [nil, Tensor([units], random.floats(units)).constant] {
      let problem = OptimizedProblem(
        seed: units, code: .fullyConnected, options: options,
        inputs: [Tensor([1, depth], random.floats(depth)), weights, bias],
        output: TensorType(.float32, []), rounding: .double)
      try problem.expectCloseFloats(terms: depth)
      for set in MicrokernelSet.tested {
        let results: [Float] = try problem.shared(set, workerCount: 1).values()
        for workerCount in 2...4 {
          #expect(try problem.shared(set, workerCount: workerCount).values() == results)
        }
      }
    }
  }

  /// Rows in groups: closer to the exact mean than sums in the order of rows can be off.
  @Test(arguments: [(700, 40), (33, 513), (12_544, 32)])
  func `means over large images`(size: (rows: Int, columns: Int)) throws {
    var random = SeededRandom(seed: size.rows)
    let values = random.floats(size.rows * size.columns)
    let problem = OptimizedProblem(
      seed: size.rows, code: .mean, options: ReducerOptions(),
      inputs: [
        Tensor([1, size.rows, size.columns], values), Tensor([1], [1 as Int32]).constant,
      ],
      output: TensorType(.float32, []), rounding: .double)
    for set in MicrokernelSet.tested {
      let results: [Float] = try problem.shared(set, workerCount: 1).values()
      for column in 0..<size.columns {
        let sum = stride(from: column, to: values.count, by: size.columns).reduce(0.0) {
          $0 + Double(values[$1])
        }
        #expect(abs(Double(results[column]) - sum / Double(size.rows)) < 1e-6)
      }
      for workerCount in 2...4 {
        #expect(try problem.shared(set, workerCount: workerCount).values() == results)
      }
    }
  }
}
