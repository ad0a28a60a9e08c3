// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for integers, truth values, comparisons, conversions, choices and reductions of
/// integers, bit for bit.
@Suite struct OptimizedPlainTests {
  private static func problem(
    _ code: OperatorCode, _ inputs: [Tensor], _ type: ElementType, seed: Int,
    options: (any OptionsTable)? = nil
  ) -> OptimizedProblem {
    OptimizedProblem(
      seed: seed, code: code, options: options, inputs: inputs, output: TensorType(type, []),
      rounding: .double)
  }

  /// Two shapes that are broadcast to each other.
  private static func shapes(_ random: inout SeededRandom) -> (Shape, Shape) {
    let whole: Shape = [
      random.pick([1, 3]), random.pick([1, 7, 40]), random.pick([1, 5, 16, 33]),
    ]
    let other: Shape = random.pick([
      whole, [whole[2]], [1], [whole[1], 1], [whole[0], 1, whole[2]],
    ])
    return Bool.random(using: &random) ? (whole, other) : (other, whole)
  }

  @Test(
    arguments: [
      OperatorCode.less, .lessEqual, .equal, .notEqual, .greater, .greaterEqual,
    ], 0..<12)
  func comparisons(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (left, right) = Self.shapes(&random)
    let values: [Float] = [.nan, -0.0, 0, 1, -1, .infinity, 2]
    try Self.problem(
      code,
      [
        Tensor(left, (0..<left.elementCount).map { _ in random.pick(values) }),
        Tensor(right, (0..<right.elementCount).map { _ in random.pick(values) }),
      ], .bool, seed: seed
    ).expectSameBytes()
    try Self.problem(
      code,
      [
        Tensor(left, random.codes(left.elementCount, as: Int8.self).map { Int32($0 / 40) }),
        Tensor(right, random.codes(right.elementCount, as: Int8.self).map { Int32($0 / 40) }),
      ], .bool, seed: seed
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.add, .sub, .mul, .maximum, .minimum], 0..<12)
  func `arithmetic of integers`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (left, right) = Self.shapes(&random)
    let options: [OperatorCode: any OptionsTable] = [
      .add: AddOptions(), .sub: SubOptions(), .mul: MulOptions(),
    ]
    try Self.problem(
      code,
      [
        Tensor(left, random.codes(left.elementCount, as: Int32.self)),
        Tensor(right, random.codes(right.elementCount, as: Int32.self)),
      ], .int32, seed: seed, options: options[code]
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.logicalAnd, .logicalOr, .logicalNot], 0..<12)
  func `truth values`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (left, right) = Self.shapes(&random)
    let tensors = [left, right].map { shape in
      Tensor(shape, random.truths(shape.elementCount))
    }
    try Self.problem(
      code, code == .logicalNot ? [tensors[0]] : tensors, .bool, seed: seed
    ).expectSameBytes()
  }

  @Test(arguments: 0..<8)
  func conversions(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([1, 15, 16, 17, 300])]
    let count = shape.elementCount
    func check(_ input: Tensor, _ targets: [ElementType]) throws {
      for target in targets {
        try Self.problem(.cast, [input], target, seed: seed, options: CastOptions())
          .expectSameBytes()
      }
    }
    try check(Tensor(shape, random.codes(count, as: Int32.self)), [.float32, .int64])
    try check(Tensor(shape, random.codes(count, as: UInt8.self)), [.float32, .int32, .int8])
    try check(Tensor(shape, random.codes(count, as: Int8.self)), [.float32, .int32, .uint8])
    try check(Tensor(shape, random.codes(count, as: Int64.self)), [.int32, .float32])
    try check(Tensor(shape, random.truths(count)), [.float32, .int32])
    let values: [Float] = [.nan, -0.0, 0, 1, -1, .infinity, .leastNonzeroMagnitude]
    try check(Tensor(shape, (0..<count).map { _ in random.pick(values) }), [.bool])
    let large: [Float] = [
      .nan, .infinity, -.infinity, -0.0, 0.99, -0.99, 126.9, 127, 128, 254.9, 255.5, -128.5, -129,
      0x1p31, -0x1p31, 0x1.fffffep30, -0x1.000002p31, 0x1p63, -0x1p63, 0x1.fffffep62, 1e30,
    ]
    try check(
      Tensor(shape, (0..<count).map { _ in random.pick(large) }), [.int32, .int64, .int8, .uint8])
  }

  @Test(arguments: 0..<30)
  func choices(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let whole: Shape = [random.pick([1, 3]), random.pick([1, 40]), random.pick([1, 5, 33])]
    let shapes = (0..<3).map { _ in
      random.pick([whole, whole, [whole[2]], [1], [whole[1], 1]])
    }
    func check<Element: TensorElement & FixedWidthInteger>(_ type: Element.Type) throws {
      let options = shapes.dropFirst().map {
        Tensor($0, random.codes($0.elementCount, as: Element.self))
      }
      let condition = Tensor(shapes[0], random.truths(shapes[0].elementCount))
      try Self.problem(.selectV2, [condition] + options, Element.elementType, seed: seed)
        .expectSameBytes()
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
  }

  private static let axes: [[Int32]] = [
    [0], [1], [2], [3], [1, 2], [0, 2], [0, 3], [1, 3], [0, 1, 2, 3], [2, 3],
  ]

  @Test(arguments: [OperatorCode.reduceMax, .reduceMin, .sum, .mean], axes)
  func `reductions of integers`(code: OperatorCode, axes: [Int32]) throws {
    var random = SeededRandom(seed: axes.count)
    let shape: Shape = [random.pick([1, 3]), 5, random.pick([1, 4]), random.pick([7, 33])]
    let list = Tensor([axes.count], axes).constant
    func check<Element: TensorElement & FixedWidthInteger>(
      _: Element.Type, zeroPoint: Int64
    ) throws {
      let isRescaled = code == .sum || code == .mean
      let (output, point) = (isRescaled ? Float(0.3) : 0.1, isRescaled ? 3 * zeroPoint : zeroPoint)
      try OptimizedProblem(
        seed: axes.count, code: code, options: ReducerOptions(),
        inputs: [
          Tensor(
            shape, random.codes(shape.elementCount, as: Element.self), scale: 0.1,
            zeroPoint: zeroPoint), list,
        ],
        output: TensorType(
          Element.elementType, [], quantization: Quantization(scale: output, zeroPoint: point)),
        rounding: .double
      ).expectSameBytes()
    }
    try check(Int8.self, zeroPoint: -4)
    if code != .sum { try check(UInt8.self, zeroPoint: 9) }
    if code != .mean {
      try check(Int16.self, zeroPoint: 0)
      try Self.problem(
        code, [Tensor(shape, random.codes(shape.elementCount, as: Int32.self)), list], .int32,
        seed: 1, options: ReducerOptions()
      ).expectSameBytes()
    }
  }

  @Test(arguments: [OperatorCode.reduceMax, .reduceMin, .sum, .mean], [15, 16, 1023, 1025, 4100])
  func `long rows of bytes`(code: OperatorCode, length: Int) throws {
    var random = SeededRandom(seed: length)
    func check<Code: TensorElement & FixedWidthInteger>(_: Code.Type, zeroPoint: Int64) throws {
      let shape: Shape = [random.pick([1, 2, 300]), length]
      let scale: Float = code == .sum ? 9 : 0.1
      try OptimizedProblem(
        seed: length, code: code, options: ReducerOptions(),
        inputs: [
          Tensor(
            shape, random.codes(shape.elementCount, as: Code.self), scale: 0.1,
            zeroPoint: zeroPoint),
          Tensor([1], [1] as [Int32]).constant,
        ],
        output: TensorType(
          Code.elementType, [], quantization: Quantization(scale: scale, zeroPoint: zeroPoint)),
        rounding: random.pick([.double, .single])
      ).expectSameBytes()
    }
    try check(Int8.self, zeroPoint: -4)
    if code != .sum { try check(UInt8.self, zeroPoint: 9) }
  }

  @Test(arguments: [2047, 2048, 2049, 5000])
  func `columns of wide rows in parts`(width: Int) throws {
    var random = SeededRandom(seed: width)
    let shape: Shape = [2, 3, width]
    try Self.problem(
      .reduceMax,
      [
        Tensor(shape, random.codes(shape.elementCount, as: Int32.self)),
        Tensor([1], [1] as [Int32]).constant,
      ], .int32, seed: width, options: ReducerOptions()
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.reduceAny, .reduceAll], axes)
  func `reductions of truth values`(code: OperatorCode, axes: [Int32]) throws {
    var random = SeededRandom(seed: axes.count)
    for length in [2, 7, 40] {
      let shape: Shape = [2, 5, 3, length]
      var truths = random.truths(shape.elementCount)
      // Rows in which nothing, and all, is true.
      for index in 0..<length { truths[index] = BoolByte(code == .reduceAll) }
      try Self.problem(
        code, [Tensor(shape, truths), Tensor([axes.count], axes).constant], .bool, seed: length,
        options: ReducerOptions()
      ).expectSameBytes()
    }
  }

  @Test(arguments: 0..<40)
  func `maxima of quantized values`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var options = Pool2DOptions()
    options.padding = random.pick([.same, .valid])
    options.filterHeight = random.pick([1, 2, 3, 5])
    options.filterWidth = random.pick([1, 2, 3, 5])
    options.strideHeight = random.pick([1, 2, 3])
    options.strideWidth = random.pick([1, 1, 2, 3])
    options.fusedActivation = random.pick([.none, .relu6])
    let shape: Shape = [
      random.pick([1, 2]), random.pick([5, 9]), random.pick([5, 12]), random.pick([1, 3, 16, 40]),
    ]
    let quantization = Quantization(scale: 0.05, zeroPoint: 3)
    try OptimizedProblem(
      seed: seed, code: .maxPool2D, options: options,
      inputs: [
        Tensor(shape, random.codes(shape.elementCount, as: Int8.self), scale: 0.05, zeroPoint: 3)
      ], output: TensorType(.int8, [], quantization: quantization), rounding: .double
    ).expectSameBytes()
    try OptimizedProblem(
      seed: seed, code: .maxPool2D, options: options,
      inputs: [
        Tensor(shape, random.codes(shape.elementCount, as: UInt8.self), scale: 0.05, zeroPoint: 3)
      ], output: TensorType(.uint8, [], quantization: quantization), rounding: .double
    ).expectSameBytes()
  }
}

extension SeededRandom {
  fileprivate mutating func truths(_ count: Int) -> [BoolByte] {
    (0..<count).map { _ in BoolByte(Bool.random(using: &self)) }
  }
}
