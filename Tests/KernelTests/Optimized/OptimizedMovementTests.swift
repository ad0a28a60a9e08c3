// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for what moves, chooses and converts elements, bit for bit.
@Suite struct OptimizedMovementTests {
  @Test(
    arguments: [
      ([1, 5, 7, 3], [0, 0, 2, 1, 0, 3, 0, 0]), ([2, 60, 40, 16], [0, 0, 1, 1, 1, 1, 0, 0]),
      ([4, 5], [1, 2, 3, 4]), ([3], [0, 0]), ([0, 3], [1, 1, 2, 0]),
      ([2, 3, 4], [0, 0, 0, 0, 1, 5]),
    ] as [(Shape, [Int32])])
  func `padding of every width`(shape: Shape, counts: [Int32]) throws {
    var random = SeededRandom(seed: shape.elementCount)
    let paddings = Tensor([shape.rank, 2], counts).constant
    func check<Element: TensorElement>(_ values: [Element], _ type: TensorType) throws {
      try Self.problem(.pad, [Tensor(shape, values, scale: 1), paddings], type).expectSameBytes()
    }
    let count = shape.elementCount
    try check(
      random.codes(count, as: Int8.self),
      TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: -3)))
    try check(
      random.codes(count, as: Int16.self),
      TensorType(.int16, [], quantization: Quantization(scale: 1)))
    try check(random.floats(count), TensorType(.float32, []))
    try check(random.codes(count, as: Int64.self), TensorType(.int64, []))
  }

  @Test(
    arguments: [[2, 70, 40, 16], [1, 1, 5], [129, 200], [3, 64, 65], [1, 1], [2, 1, 3]] as [Shape])
  func `transposing, joining and slicing`(shape: Shape) throws {
    var random = SeededRandom(seed: shape.rank)
    let type = TensorType(.int8, [])
    let input = Tensor(shape, random.codes(shape.elementCount, as: Int8.self))
    let axes = (0..<Int32(shape.rank)).shuffled(using: &random)
    try Self.problem(.transpose, [input, Tensor([shape.rank], axes).constant], type)
      .expectSameBytes()
    let begins = shape.dimensions.map { Int32($0 / 3) }
    let sizes = zip(shape.dimensions, begins).map { Int32($0) - $1 }
    try Self.problem(
      .slice,
      [input, Tensor([shape.rank], begins).constant, Tensor([shape.rank], sizes).constant], type
    ).expectSameBytes()
    let counts = (0..<shape.rank).map { _ in Int32.random(in: 1...3, using: &random) }
    try Self.problem(.tile, [input, Tensor([shape.rank], counts).constant], type)
      .expectSameBytes()
    for axis in 0..<shape.rank {
      var options = ConcatenationOptions()
      options.axis = Int32(axis)
      try Self.problem(.concatenation, [input, input, input], type, options)
        .expectSameBytes(workerCounts: [1, 2, 3, 7])
    }
  }

  @Test(
    arguments: [[1, 2, 3, 0], [0, 3, 1, 2], [0, 3, 2, 1], [2, 1, 0, 3], [0, 1, 3, 2]] as [[Int32]])
  func `every order of axes, of elements of every size`(axes: [Int32]) throws {
    var random = SeededRandom(seed: Int(axes[0]))
    // Rows of the last shape's transposes are 1024 elements apart.
    for shape in [[2, 9, 17, 35], [1, 8, 16, 4], [3, 1, 5, 2], [1, 32, 32, 20]] as [Shape] {
      func check<Element: TensorElement & FixedWidthInteger>(_ type: Element.Type) throws {
        let input = Tensor(shape, random.codes(shape.elementCount, as: Element.self))
        try Self.problem(
          .transpose, [input, Tensor([4], axes).constant], TensorType(Element.elementType, [])
        ).expectSameBytes()
      }
      try check(Int8.self)
      try check(Int16.self)
      try check(Int32.self)
      try check(Int64.self)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 7, 8, 9, 16, 33, 64])
  func `reversed axes, of elements of every size`(length: Int) throws {
    var random = SeededRandom(seed: length)
    let shape: Shape = [2, 3, 5, length]
    func check<Element: TensorElement & FixedWidthInteger>(_ type: Element.Type) throws {
      let input = Tensor(shape, random.codes(shape.elementCount, as: Element.self))
      for axes in [[3], [2], [1, 3], [0, 2]] as [[Int32]] {
        try Self.problem(
          .reverseV2, [input, Tensor([axes.count], axes).constant],
          TensorType(Element.elementType, [])
        ).expectSameBytes()
      }
    }
    try check(UInt8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
  }

  @Test(arguments: 0..<20)
  func `blocks become batches, and batches blocks`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let block = [random.pick([1, 2, 3]), random.pick([1, 2, 4])]
    var margins = (0..<4).map { _ in random.pick([0, 0, 1, 2]) }
    let sides = [0, 1].map { axis in
      let side = random.pick([4, 5, 9])
      // The sides with their margins are multiples of the block's.
      margins[2 * axis + 1] +=
        (block[axis] - (side + margins[2 * axis] + margins[2 * axis + 1])
          % block[axis])
        % block[axis]
      return side
    }
    let shape: Shape = [random.pick([1, 2]), sides[0], sides[1], random.pick([1, 3, 8])]
    let blocks = Tensor([2], block.map { Int32($0) }).constant
    let paddings = Tensor([2, 2], margins.map { Int32($0) }).constant
    let quantization = Quantization(scale: 1, zeroPoint: -3)
    let type = TensorType(.int8, [], quantization: quantization)
    let spread = Self.problem(
      .spaceToBatchND,
      [
        Tensor(shape, random.codes(shape.elementCount, as: Int8.self), scale: 1, zeroPoint: -3),
        blocks, paddings,
      ], type)
    try spread.expectSameBytes()
    try Self.problem(.batchToSpaceND, [try spread.result(.reference), blocks, paddings], type)
      .expectSameBytes()
    try Self.problem(
      .spaceToBatchND, [Tensor(shape, random.floats(shape.elementCount)), blocks, paddings],
      TensorType(.float32, [])
    ).expectSameBytes()
  }

  @Test func `boxes over other boxes are copied in order`() throws {
    let input = Tensor([40, 40], (0..<1600).map { Int32($0) })
    try Self.problem(
      .matrixSetDiag, [input, Tensor([40], (0..<40).map { -Int32($0) })],
      TensorType(.int32, [])
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.maximum, .minimum], 0..<10)
  func `extremes of codes`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let whole: Shape = [2, random.pick([1, 7, 90]), random.pick([1, 33]), random.pick([1, 20])]
    let other: Shape = random.pick([whole, [whole[3]], [1], [2, 1, 1, whole[3]]])
    let quantization = Quantization(scale: 0.5, zeroPoint: 1)
    try Self.problem(
      code,
      [
        Tensor(whole, random.codes(whole.elementCount, as: Int8.self), scale: 0.5, zeroPoint: 1),
        Tensor(other, random.codes(other.elementCount, as: Int8.self), scale: 0.5, zeroPoint: 1),
      ], TensorType(.int8, [], quantization: quantization)
    ).expectSameBytes()
    try Self.problem(
      code,
      [
        Tensor(other, random.codes(other.elementCount, as: UInt8.self), scale: 0.5, zeroPoint: 1),
        Tensor(whole, random.codes(whole.elementCount, as: UInt8.self), scale: 0.5, zeroPoint: 1),
      ], TensorType(.uint8, [], quantization: quantization)
    ).expectSameBytes()
  }

  @Test(arguments: [0.1, 0.25, 1, 0x1p-130, 1e30] as [Float], [1, 15, 16, 1000, 20_001])
  func `floats to codes and back`(scale: Float, count: Int) throws {
    var random = SeededRandom(seed: count)
    let special: [Float] = [
      .nan, .infinity, -.infinity, -0.0, 0.5, -0.5, 0.499_999_97, -2.5, 1e30, -1e30, 2_147_483_520,
    ]
    let values = (0..<count).map { index in
      index % 3 == 0
        ? random.pick(special) * scale : Float.random(in: -200...200, using: &random) * scale
    }
    for type in [ElementType.int8, .uint8] {
      let zeroPoint = random.pick(type == .int8 ? [-128, 0, 127] : [0, 128, 255]) as Int64
      let quantization = Quantization(scale: scale, zeroPoint: zeroPoint)
      try Self.problem(
        .quantize, [Tensor([count], values)], TensorType(type, [], quantization: quantization)
      ).expectSameBytes()
      let codes =
        type == .int8
        ? Tensor(
          [count], random.codes(count, as: Int8.self), scale: scale, zeroPoint: zeroPoint)
        : Tensor(
          [count], random.codes(count, as: UInt8.self), scale: scale, zeroPoint: zeroPoint)
      try Self.problem(.dequantize, [codes], TensorType(.float32, [])).expectSameBytes()
    }
  }

  private static func problem(
    _ code: OperatorCode, _ inputs: [Tensor], _ output: TensorType,
    _ options: (any OptionsTable)? = nil
  ) -> OptimizedProblem {
    OptimizedProblem(
      seed: 0, code: code, options: options, inputs: inputs, output: output, rounding: .double)
  }
}
