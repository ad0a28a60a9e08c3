// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for 16-bit quantized values, and for comparisons of 8-bit ones, bit for bit.
@Suite struct OptimizedWordTests {
  private static let scales: [Float] = [0.003, 0.0003, 0.00007, 0.05]

  /// Two shapes that are broadcast to each other.
  private static func shapes(_ random: inout SeededRandom) -> [Shape] {
    let whole: Shape = [
      random.pick([1, 3]), random.pick([1, 7, 40]), random.pick([1, 5, 16, 33]),
    ]
    let other = random.pick([whole, [whole[2]], [1], [whole[1], 1], [whole[0], 1, whole[2]]])
    return Bool.random(using: &random) ? [whole, other] : [other, whole]
  }

  private static func result(_ random: inout SeededRandom) -> TensorType {
    TensorType(
      .int16, [], quantization: Quantization(scale: random.pick([0.01, 0.0001, 0.3]), zeroPoint: 0))
  }

  @Test(arguments: [OperatorCode.add, .sub, .mul], 0..<60)
  func `arithmetic of two operands`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let activation = random.pick([FusedActivation.none, .relu, .relu6])
    let options: any OptionsTable
    switch code {
    case .add:
      var table = AddOptions()
      (table.fusedActivation, table.powerOfTwoScaleInt16) = (activation, false)
      options = table
    case .sub:
      var table = SubOptions()
      (table.fusedActivation, table.powerOfTwoScaleInt16) = (activation, false)
      options = table
    default:
      var table = MulOptions()
      table.fusedActivation = activation
      options = table
    }
    let inputs = Self.shapes(&random).map { shape in
      Tensor(
        shape, random.codes(shape.elementCount, as: Int16.self), scale: random.pick(Self.scales),
        zeroPoint: 0)
    }
    let scale = inputs.compactMap { $0.type.quantization?.scales.first }.max() ?? 1
    let output =
      code == .add
      ? TensorType(.int16, [], quantization: Quantization(scale: scale * 1.5, zeroPoint: 0))
      : Self.result(&random)
    try OptimizedProblem(
      seed: seed, code: code, options: options, inputs: inputs, output: output,
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.leakyRelu, .relu, .relu6, .quantize], 0..<20)
  func `another scale`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([1, 15, 16, 17, 300])]
    var leaky = LeakyReluOptions()
    leaky.alpha = random.pick([0.1, -0.3, 1.7, 0])
    try OptimizedProblem(
      seed: seed, code: code, options: code == .leakyRelu ? leaky : nil,
      inputs: [
        Tensor(
          shape, random.codes(shape.elementCount, as: Int16.self),
          scale: random.pick(Self.scales), zeroPoint: 0)
      ], output: Self.result(&random), rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(
    arguments: [OperatorCode.logistic, .tanh, .exp, .gelu],
    [1, 3 / 4096, 1 / 4096, 1 / 2048, 0.0001, 0.3] as [Float])
  func `functions by a table`(code: OperatorCode, scale: Float) throws {
    // Every number, and a few more so that the last vector is not whole.
    let numbers = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) } + [7, -7, 300]
    try OptimizedProblem(
      seed: 0, code: code, options: nil,
      inputs: [Tensor([numbers.count], numbers, scale: scale, zeroPoint: 0)],
      output: TensorType(
        .int16, [], quantization: Quantization(scale: code == .gelu ? scale : 0x1p-15)),
      rounding: .double
    ).expectSameBytes()
  }

  @Test(
    arguments: [OperatorCode.less, .lessEqual, .equal, .notEqual, .greater, .greaterEqual], 0..<30)
  func `comparisons of bytes`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shapes = Self.shapes(&random)
    func check<Code: TensorElement & FixedWidthInteger>(
      _: Code.Type, zeroPoints: [Int64]
    ) throws {
      // Fine scales, in whose numbers neighbors are equal, and coarse ones.
      let inputs = shapes.map { shape in
        Tensor(
          shape, random.codes(shape.elementCount, as: Code.self),
          scale: random.pick([0.1, 0.1, 0.02, 0.0001, 0.9]), zeroPoint: random.pick(zeroPoints))
      }
      try OptimizedProblem(
        seed: seed, code: code, options: nil, inputs: inputs, output: TensorType(.bool, []),
        rounding: random.pick([.double, .single])
      ).expectSameBytes()
    }
    try check(Int8.self, zeroPoints: [0, -128, 5])
    try check(UInt8.self, zeroPoints: [0, 255, 128])
  }

  @Test(arguments: [ElementType.int8, .uint8], [1, 2, 7, 64, 300])
  func `logarithms of probabilities`(type: ElementType, length: Int) throws {
    var random = SeededRandom(seed: length)
    let shape: Shape = [random.pick([1, 5]), length]
    func check<Code: TensorElement & FixedWidthInteger>(_: Code.Type) throws {
      for scale in [0.1, 0.003, 1.5] as [Float] {
        let problem = OptimizedProblem(
          seed: length, code: .logSoftmax, options: nil,
          inputs: [
            Tensor(
              shape, random.codes(shape.elementCount, as: Code.self), scale: scale, zeroPoint: 3)
          ],
          output: TensorType(
            type, [], quantization: Quantization(scale: 1 / 16, zeroPoint: Int64(Code.max))),
          rounding: random.pick([.double, .single]))
        let expected: [UInt8] = try problem.result(.reference).bytes.array()
        for kernels in KernelSet.all {
          #expect(try problem.result(kernels).bytes.array() == expected)
        }
      }
    }
    if type == .int8 { try check(Int8.self) } else { try check(UInt8.self) }
  }

  @Test(arguments: [1, 2, 7, 16, 64, 255, 256, 1000])
  func `logarithms of probabilities of floats`(length: Int) throws {
    var random = SeededRandom(seed: length)
    let shape: Shape = [random.pick([1, 5, 90]), length]
    try OptimizedProblem(
      seed: length, code: .logSoftmax, options: nil,
      inputs: [Tensor(shape, random.floats(shape.elementCount))],
      output: TensorType(.float32, []), rounding: .double
    ).expectCloseFloats(terms: 8)
  }
}
