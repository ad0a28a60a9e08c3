// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for hybrid kernels against the reference kernels, bit for bit.
@Suite struct OptimizedHybridTests {
  @Test(arguments: 0..<40)
  func convolutions(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (depth, groups) = (random.pick([1, 3, 16, 40, 70]), random.pick([1, 1, 1, 2, 3, 8]))
    let filters = groups * random.pick(groups == 1 ? [1, 8, 33] : [1, 4, 8, 24])
    let window = (random.pick([1, 2, 3]), random.pick([1, 3]))
    var options = Conv2DOptions(random.pick([.same, .valid]), stride: random.pick([1, 2]))
    options.fusedActivation = random.pick([.none, .relu6])
    let shape: Shape = [
      random.pick([1, 3]), random.pick([3, 9]), random.pick([4, 20]), groups * depth,
    ]
    try OptimizedProblem(
      seed: seed, code: .conv2D, options: options,
      inputs: [
        Tensor(shape, random.activations(shape.elementCount)),
        random.weights([filters, window.0, window.1, depth]),
        Tensor([filters], random.floats(filters)).constant,
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }

  /// One image or a few, large enough that all workers quantize them, with and without a rest.
  @Test(arguments: 0..<30)
  func `images that workers share`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let isDepthwise = Bool.random(using: &random)
    let (depth, height) = (random.pick([1, 5, 8, 24]), random.pick([17, 40]))
    let groups = isDepthwise ? 1 : random.pick([1, 1, 4])
    let shape: Shape = [random.pick([1, 2, 3]), height, random.pick([15, 64]), groups * depth]
    let filters = isDepthwise ? depth : groups * random.pick([4, 17])
    let options = Conv2DOptions(.same)
    try OptimizedProblem(
      seed: seed, code: isDepthwise ? .depthwiseConv2D : .conv2D,
      options: isDepthwise ? options.depthwise : options,
      inputs: [
        Tensor(shape, random.activations(shape.elementCount)),
        isDepthwise
          ? random.weights([1, 3, 3, depth], axis: 3) : random.weights([filters, 1, 3, depth]),
        Tensor([filters], random.floats(filters)).constant,
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes(workerCounts: [1, 2, 3, 4, 20])
  }

  /// Ranges of all sizes, whose ends differ much or are about equal, and what is no range.
  @Test(arguments: MicrokernelSet.tested, 0..<10)
  func `scales and zero points of ranges`(set: MicrokernelSet, seed: Int) {
    var random = SeededRandom(seed: seed)
    var cases: [(lowest: Float, highest: Float)] = [
      (-.infinity, 0), (0, .infinity), (-.infinity, .infinity), (-.infinity, 3),
      (-1, 1), (-128, 127), (-127, 128), (-100, 155), (0, .leastNonzeroMagnitude),
      (-.leastNonzeroMagnitude, .leastNormalMagnitude), (-.greatestFiniteMagnitude, 0),
      (-.greatestFiniteMagnitude, .greatestFiniteMagnitude), (0, 1), (-1, 0), (-0.5, 254.5),
    ]
    for _ in 0..<5_000 {
      let magnitude = Float(sign: .plus, exponent: random.pick([0, -20, 60, -126]), significand: 1)
      let whole = Float.random(in: 0...255, using: &random).rounded()
      let ends: [Float] = [0, 1, .random(in: 0...1, using: &random), whole, whole + 0.5]
      cases.append((-magnitude * random.pick(ends), magnitude * random.pick(ends)))
    }
    cases.removeAll { $0.lowest == $0.highest }
    var first = 0
    while first < cases.count {
      let some = cases[first...].prefix(random.pick([1, 3, 7, HybridRanges.capacity]))
      var ranges = HybridRanges()
      for (index, range) in some.enumerated() {
        (ranges.lowest[index], ranges.highest[index]) = range
      }
      set.byte.hybrid.quantize(&ranges, count: some.count)
      for (index, range) in some.enumerated() {
        let affine = Affine(scale: ranges.scales[index], zeroPoint: ranges.zeroPoints[index])
        #expect(affine == HybridQuantization.asymmetric(range.lowest, range.highest), "\(range)")
      }
      first += some.count
    }
  }

  @Test(arguments: 0..<40)
  func `matrix products`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (depth, units) = (random.pick([1, 7, 64, 300]), random.pick([1, 10, 129]))
    let rowCount = random.pick([1, 2, 30])
    var options = FullyConnectedOptions()
    options.asymmetricQuantizeInputs = Bool.random(using: &random)
    options.fusedActivation = random.pick([.none, .relu])
    let bias = Tensor([units], random.floats(units)).constant
    try OptimizedProblem(
      seed: seed, code: .fullyConnected, options: options,
      inputs: [
        Tensor([rowCount, depth], random.activations(rowCount * depth)),
        random.weights([units, depth]), random.pick([bias, nil]),
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: 1...80)
  func `matrix products of pairs`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    // Every depth up to 70, then some whose sums exceed 2^24.
    let depth = seed <= 70 ? seed : random.pick([1100, 2500])
    let (rows, columns) = (random.pick([1, 2, 5, 30]), random.pick([1, 16, 17, 70]))
    var options = BatchMatMulOptions()
    options.transposesRight = Bool.random(using: &random)
    options.asymmetricQuantizeInputs = Bool.random(using: &random)
    let (left, right): ([Int], [Int]) = random.pick([
      ([2, 3], [2, 3]), ([3], []), ([3], [1]), ([1, 3], [2, 1]), ([], []), ([2, 1, 3], [2, 3]),
      ([2, 2, 3], [2, 1]),
    ])
    let leftShape = try Shape.checked(left + [rows, depth])
    let rightShape = try Shape.checked(
      right + (options.transposesRight ? [columns, depth] : [depth, columns]))
    let codes = random.codes(rightShape.elementCount, as: Int8.self)
    let scales = (0..<columns).map { _ in Float.random(in: 0.001...0.02, using: &random) }
    let axis = rightShape.rank - (options.transposesRight ? 2 : 1)
    try OptimizedProblem(
      seed: seed, code: .batchMatMul, options: options,
      inputs: [
        Tensor(leftShape, random.activations(leftShape.elementCount)),
        random.pick([
          Tensor(rightShape, codes, scale: 0.01),
          Tensor(rightShape, codes, scales: scales, axis: axis),
        ]).constant,
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }
}

extension SeededRandom {
  /// Activations: numbers within ±1, many halfway between quantized values, all of one sign, all
  /// zero, or some of them no numbers.
  mutating func activations(_ count: Int) -> [Float] {
    let kind = Int.random(in: 0..<7, using: &self)
    let values = floats(count)
    switch kind {
    case 0: return values.map { _ in 0 }
    case 1: return values.map { abs($0) }
    case 2: return values.map { -abs($0) }
    case 4: return values.map { pick([.nan, -0.0, $0, $0, $0]) }
    case 3: return values.enumerated().map { $0 == 0 ? 127 : ($1 * 250).rounded() / 2 }
    default: return values
    }
  }

  /// Weights with one scale or one for each output channel.
  mutating func weights(_ shape: Shape, axis: Int = 0) -> Tensor {
    if Bool.random(using: &self) { return channelWeights(shape, axis: axis) }
    return Tensor(shape, codes(shape.elementCount, as: Int8.self), scale: 0.01).constant
  }
}
