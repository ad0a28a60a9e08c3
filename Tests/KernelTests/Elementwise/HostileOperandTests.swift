// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Element-wise operators on operands that no sane model has: they may refuse, not trap.
@Suite struct HostileOperandTests {
  static let unary: [OperatorCode] = [
    .abs, .cast, .ceil, .cos, .dequantize, .elu, .exp, .fakeQuant, .floor, .gelu, .hardSwish,
    .leakyRelu, .log, .logicalNot, .logistic, .neg, .quantize, .relu, .relu0To1, .relu6,
    .reluN1To1, .round, .rsqrt, .sign, .sin, .sqrt, .square, .tanh, .densify,
  ]

  static let binary: [OperatorCode] = [
    .add, .div, .equal, .floorDiv, .floorMod, .greater, .greaterEqual, .less, .lessEqual,
    .logicalAnd, .logicalOr, .maximum, .minimum, .mul, .notEqual, .pow, .prelu,
    .squaredDifference, .sub,
  ]

  static let scales: [Float] = [
    0, -1, 1, 0.5, 3e-5, 1e-30, 1e30, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude,
  ]
  static let zeroPoints: [Int64] = [0, 1, -128, 127, 255, -1 << 31, 1 << 31, .min, .max]
  static let shapes: [Shape] = [[], [1], [0], [3], [2, 3], [3, 1], [0, 3], [2, 0, 1]]

  /// A tensor of random bytes and parameters; the same type is drawn often.
  static func tensor(_ random: inout SeededRandom, _ type: ElementType) -> Tensor {
    let shape = shapes.randomElement(using: &random) ?? []
    var quantization: Quantization?
    if Int.random(in: 0..<8, using: &random) > 0 {
      let count = Int.random(in: 0..<8, using: &random) == 0 ? 3 : 1
      quantization = Quantization(
        scales: (0..<count).map { _ in scales.randomElement(using: &random) ?? 1 },
        zeroPoints: (0..<count).map { _ in zeroPoints.randomElement(using: &random) ?? 0 },
        axis: Int.random(in: -2..<4, using: &random))
    }
    let bytes = TensorBytes(zeroed: type.byteCount(of: shape.elementCount) ?? 0)
    var span = bytes.mutableSpan(as: UInt8.self)
    for index in span.indices {
      span[index] =
        [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    return Tensor(
      TensorType(type, shape, quantization: quantization), bytes, isConstant: false)
  }

  @Test(arguments: KernelSet.all, unary + binary)
  func `operators do not trap`(kernels: KernelSet, code: OperatorCode) {
    var random = SeededRandom(seed: Int(code.rawValue))
    let types = ElementType.allCases.filter { $0.bitCount != nil }
    let inputCount = Self.unary.contains(code) ? 1 : 2
    for _ in 0..<400 {
      let type = types.randomElement(using: &random) ?? .int8
      let inputs = (0..<inputCount).map { _ in Self.tensor(&random, type) }
      let outputType = Bool.random(using: &random) ? type : types.randomElement(using: &random)
      let output = Self.tensor(&random, outputType ?? type).type
      let rounding: Rounding = Bool.random(using: &random) ? .double : .single
      _ = try? evaluate(code, inputs, outputs: [output], kernels: kernels, rounding: rounding)
    }
  }
}
