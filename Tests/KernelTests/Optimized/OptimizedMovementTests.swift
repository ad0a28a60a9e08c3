// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// Stand-ins for what moves, chooses and converts elements, bit for bit.
@Suite struct OptimizedMovementTests {
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
