// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for element-wise operators and pooling against the reference kernels, bit for
/// bit.
@Suite struct OptimizedElementwiseTests {
  static let operators: [OperatorCode] = [.add, .sub, .mul]

  /// A number for each pixel, as in normalized rows.
  @Test(arguments: [OperatorCode.add, .sub, .mul, .squaredDifference], Array(1...40) + [64, 100])
  func `a number for each row`(code: OperatorCode, length: Int) throws {
    try Self.expectSameWithNumbers(code, length: length) { [$0, $1, length] }
  }

  /// A number for each of many rows, and the same row for all of them.
  @Test(
    arguments: [OperatorCode.add, .sub, .mul, .squaredDifference],
    Array(1...40) + [64, 100, 511, 512, 513, 1100])
  func `a number and a row`(code: OperatorCode, length: Int) throws {
    try Self.expectSameWithNumbers(code, length: length) { _, _ in
      length.isMultiple(of: 2) ? [length] : [1, 1, length]
    }
  }

  /// Compares an operation on rows of `length` and a number for each, where the rows' shape follows
  /// from an image's rows and columns.
  private static func expectSameWithNumbers(
    _ code: OperatorCode, length: Int, shape: (_ rows: Int, _ columns: Int) -> Shape
  ) throws {
    var random = SeededRandom(seed: length)
    let (rows, columns) = (random.pick([1, 3, 40]), random.pick([1, 7, 50]))
    let shape = shape(rows, columns)
    let elements = Tensor(shape, random.floats(shape.elementCount))
    let numbers: Tensor = random.pick([
      Tensor([rows, columns, 1], random.floats(rows * columns)),
      Tensor([columns, 1], random.floats(columns)),
      Tensor([rows, 1, 1], random.floats(rows)),
    ])
    try OptimizedProblem(
      seed: length, code: code, options: random.options(of: code),
      inputs: Bool.random(using: &random) ? [elements, numbers] : [numbers, elements],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }

  @Test(arguments: operators, 0..<25)
  func `float operands`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (left, right) = random.broadcastShapes()
    try OptimizedProblem(
      seed: seed, code: code, options: random.options(of: code),
      inputs: [
        Tensor(left, random.floats(left.elementCount)),
        Tensor(right, random.floats(right.elementCount).map { $0 > 0.95 ? .infinity : $0 }),
      ],
      output: TensorType(.float32, []), rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: operators, 0..<25)
  func `int8 operands`(code: OperatorCode, seed: Int) throws {
    try Self.expectSameValues(code, as: Int8.self, seed: seed)
  }

  @Test(arguments: operators, 0..<25)
  func `uint8 operands`(code: OperatorCode, seed: Int) throws {
    try Self.expectSameValues(code, as: UInt8.self, seed: seed)
  }

  private static func expectSameValues<Code: TensorElement & FixedWidthInteger>(
    _ code: OperatorCode, as type: Code.Type, seed: Int
  ) throws {
    var random = SeededRandom(seed: seed)
    let (left, right) = random.broadcastShapes()
    func operand(_ shape: Shape) -> Tensor {
      Tensor(
        shape, random.codes(shape.elementCount, as: Code.self),
        scale: random.pick([0.02, 0.5, 0.0031]),
        zeroPoint: Int64(random.pick([.min, .max, 0, 7] as [Code])))
    }
    let scale = random.pick([0.02, 0.7, 40, 0.004]) as Float
    let zeroPoint = Int64(random.pick([.min, .max, 0, 100] as [Code]))
    try OptimizedProblem(
      seed: seed, code: code, options: random.options(of: code),
      inputs: [operand(left), operand(right)],
      output: TensorType(
        Code.elementType, [], quantization: Quantization(scale: scale, zeroPoint: zeroPoint)),
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.leakyRelu, .hardSwish, .quantize, .relu6, .logistic], 0..<6)
  func `functions of codes`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let count = random.pick([1, 100, 40_000])
    var options: (any OptionsTable)?
    if code == .leakyRelu {
      var leaky = LeakyReluOptions()
      leaky.alpha = random.pick([0.1, -0.3, 1.5])
      options = leaky
    }
    let output =
      code == .logistic
      ? Quantization(scale: 1 / 256, zeroPoint: -128) : Quantization(scale: 0.04, zeroPoint: 5)
    try OptimizedProblem(
      seed: seed, code: code, options: options,
      inputs: [Tensor([count], random.codes(count, as: Int8.self), scale: 0.03, zeroPoint: -9)],
      output: TensorType(.int8, [], quantization: output),
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: 0..<60)
  func `slopes of codes`(seed: Int) throws {
    try Self.expectSameSlopes(as: Int8.self, seed: seed)
    try Self.expectSameSlopes(as: UInt8.self, seed: seed)
  }

  private static func expectSameSlopes<Code: TensorElement & FixedWidthInteger>(
    as type: Code.Type, seed: Int
  ) throws {
    var random = SeededRandom(seed: seed)
    let (height, width, depth) = (
      random.pick([1, 7, 30]), random.pick([1, 6, 40]), random.pick([1, 3, 16, 33, 65])
    )
    let shape: Shape = [2, height, width, depth]
    let slopes: Shape = random.pick([
      shape, [1, 1, depth], [1], [2, 1, 1, depth], [height, width, 1], [height, 1, 1],
    ])
    func operand(_ shape: Shape, scales: [Float]) -> Tensor {
      Tensor(
        shape, random.codes(shape.elementCount, as: Code.self), scale: random.pick(scales),
        zeroPoint: Int64(random.pick([.min, .max, 0, 7] as [Code])))
    }
    try OptimizedProblem(
      seed: seed, code: .prelu, options: nil,
      inputs: [
        operand(shape, scales: [0.02, 0.5, 0.0031]), operand(slopes, scales: [0.004, 3, 1e-6]),
      ],
      output: TensorType(
        Code.elementType, [],
        quantization: Quantization(
          scale: random.pick([0.02, 0.7, 40, 0.0004]),
          zeroPoint: Int64(random.pick([.min, .max, 0, 100] as [Code])))),
      rounding: random.pick([.double, .single])
    ).expectSameBytes(workerCounts: [1, 2, 3, 4])
  }

  @Test(arguments: [OperatorCode.averagePool2D, .maxPool2D], OptimizedFormat.allCases)
  func pools(code: OperatorCode, format: OptimizedFormat) throws {
    for seed in 0..<60 {
      var random = SeededRandom(seed: seed)
      var options = Pool2DOptions()
      options.padding = random.pick([.same, .valid])
      (options.strideHeight, options.strideWidth) = (random.pick([1, 2, 3]), random.pick([1, 2]))
      (options.filterHeight, options.filterWidth) = (
        random.pick([1, 2, 5, 17]), random.pick([1, 3, 4, 16])
      )
      options.fusedActivation = random.pick([.none, .relu, .relu6])
      let shape: Shape = [
        random.pick([1, 2]), random.pick([5, 8, 19]), random.pick([4, 11, 18]),
        random.pick([1, 3, 4, 6, 8, 12, 16, 24, 37, 70]),
      ]
      let (input, type) = random.image(shape, format)
      try OptimizedProblem(
        seed: seed, code: code, options: options, inputs: [input], output: type, rounding: .double
      ).expectSameBytes()
    }
  }

  @Test(arguments: [OperatorCode.averagePool2D, .maxPool2D], OptimizedFormat.allCases)
  func `windows as large as options have them`(code: OperatorCode, format: OptimizedFormat) throws {
    var random = SeededRandom(seed: 0)
    var options = Pool2DOptions()
    options.padding = .same
    (options.strideHeight, options.strideWidth) = (1, 2)
    (options.filterHeight, options.filterWidth) = (.max, .max)
    let (input, type) = random.image([1, 3, 5, 4], format)
    try OptimizedProblem(
      seed: 0, code: code, options: options, inputs: [input], output: type, rounding: .double
    ).expectSameBytes()
  }
}

extension SeededRandom {
  /// Two shapes that can be broadcast to each other.
  fileprivate mutating func broadcastShapes() -> (Shape, Shape) {
    let (height, width, depth) = (pick([1, 7, 30]), pick([1, 6, 40]), pick([1, 3, 16, 65]))
    let whole: Shape =
      pick([
        [2, height, width, depth], [2, height, width, depth], [2, height, width, 1],
        [2, height, 1, depth],
      ])
    let other: Shape = pick([
      whole, whole, whole, [depth], [1], [2, 1, 1, depth], [2, height, width, 1],
      [1, height, 1, 1], [1, 1, width, depth],
    ])
    return Bool.random(using: &self) ? (whole, other) : (other, whole)
  }

  /// The options of an operator of two operands.
  fileprivate mutating func options(of code: OperatorCode) -> (any OptionsTable)? {
    let activation: FusedActivation = pick([.none, .none, .relu, .relu6, .reluN1To1])
    switch code {
    case .add:
      var options = AddOptions()
      options.fusedActivation = activation
      return options
    case .sub:
      var options = SubOptions()
      options.fusedActivation = activation
      return options
    default:
      var options = MulOptions()
      options.fusedActivation = activation
      return options
    }
  }

  /// A random image, and the type of what pooling makes of it.
  fileprivate mutating func image(
    _ shape: Shape, _ format: OptimizedFormat
  ) -> (Tensor, TensorType) {
    let quantization = Quantization(scale: 0.05, zeroPoint: 3)
    switch format {
    case .float:
      return (Tensor(shape, floats(shape.elementCount)), TensorType(.float32, []))
    case .int8:
      let codes = codes(shape.elementCount, as: Int8.self)
      return (
        Tensor(shape, codes, scale: 0.05, zeroPoint: 3),
        TensorType(.int8, [], quantization: quantization)
      )
    case .uint8:
      let codes = codes(shape.elementCount, as: UInt8.self)
      return (
        Tensor(shape, codes, scale: 0.05, zeroPoint: 3),
        TensorType(.uint8, [], quantization: quantization)
      )
    }
  }
}
