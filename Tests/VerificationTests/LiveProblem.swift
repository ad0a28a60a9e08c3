// SPDX-License-Identifier: Apache-2.0

import LiveKernels
import ModelFormat
import ReferenceKernels
import Tensors
import Testing

/// A node with random values, of an operator that pages compute.
struct LiveProblem: CustomTestStringConvertible {
  let name: String
  let node: LiveNode
  /// Whether floats come through functions of the C library.
  var isApproximate = false

  var testDescription: String { name }
}

/// A source of the same numbers in every run: xorshift64.
private struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func next(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// A tensor of random values; biases of quantized nodes are small.
  mutating func tensor(
    _ type: ElementType, _ dimensions: [Int], scales: [Float] = [], zeroPoint: Int64 = 0,
    axis: Int = 0, isConstant: Bool = false
  ) throws -> LiveNode.Tensor {
    let shape = try Shape(dimensions)
    var bytes: [UInt8] = []
    for _ in 0..<shape.elementCount {
      switch type {
      case .float32:
        let bits = (Float(next(-4000...4000)) / 1000).bitPattern
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      case .int32:
        let number = next(-2000...2000)
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      case _: bytes.append(UInt8(next(0...255)))
      }
    }
    let quantization =
      scales.isEmpty
      ? nil : Quantization(scales: scales, zeroPoints: [zeroPoint], axis: axis)
    return LiveNode.Tensor(
      type: TensorType(type, shape, quantization: quantization), isConstant: isConstant,
      bytes: bytes)
  }
}

extension LiveProblem {
  /// Problems of every operator in every number format, as many of each as seeds.
  static let all: [LiveProblem] = [ElementType.float32, .int8, .uint8].flatMap { type in
    (1...4).flatMap { seed in
      (try? problems(type, seed: UInt64(seed) * 7919)) ?? []
    }
  }

  private static func problems(_ type: ElementType, seed: UInt64) throws -> [LiveProblem] {
    [
      try convolution(type, seed), try depthwise(type, seed), try fullyConnected(type, seed),
      try pooling(type, seed, .averagePool2D), try pooling(type, seed, .maxPool2D),
      try softmax(type, seed), try logistic(type, seed), try sum(type, seed, .add),
      try sum(type, seed, .mul), try rectifier(type, seed, .relu),
      try rectifier(type, seed, .relu6),
    ]
  }

  private static func name(_ code: OperatorCode, _ type: ElementType, _ seed: UInt64) -> String {
    "\(code.schemaName) \(type.schemaName) seed \(seed)"
  }

  /// The scale and zero point of activations, none for floats.
  private static func affine(
    _ type: ElementType, _ scale: Float
  ) -> (scales: [Float], zeroPoint: Int64) {
    type == .float32 ? ([], 0) : ([scale], type == .int8 ? -3 : 120)
  }

  private static func tensor(
    _ numbers: inout Numbers, _ type: ElementType, _ dimensions: [Int], scale: Float
  ) throws -> LiveNode.Tensor {
    let (scales, zeroPoint) = affine(type, scale)
    return try numbers.tensor(type, dimensions, scales: scales, zeroPoint: zeroPoint)
  }

  private static func output(
    _ type: ElementType, _ dimensions: [Int], scale: Float
  ) throws -> TensorType {
    let (scales, zeroPoint) = affine(type, scale)
    return TensorType(
      type, try Shape(dimensions),
      quantization: scales.isEmpty
        ? nil : Quantization(scales: scales, zeroPoints: [zeroPoint]))
  }

  /// Weights, per channel where they are int8, and a bias.
  private static func weights(
    _ numbers: inout Numbers, _ type: ElementType, _ dimensions: [Int], axis: Int
  ) throws -> [LiveNode.Tensor?] {
    let units = dimensions[axis]
    let scales: [Float] =
      switch type {
      case .int8: (0..<units).map { _ in Float(numbers.next(10...200)) / 10000 }
      case .uint8: [0.01]
      case _: []
      }
    let filter = try numbers.tensor(
      type, dimensions, scales: scales, zeroPoint: type == .uint8 ? 130 : 0, axis: axis,
      isConstant: true)
    let bias = try numbers.tensor(type == .float32 ? .float32 : .int32, [units], isConstant: true)
    return [filter, bias]
  }

  private static func convolution(_ type: ElementType, _ seed: UInt64) throws -> LiveProblem {
    var numbers = Numbers(seed: seed)
    var options = Conv2DOptions()
    options.padding = numbers.next(0...1) == 0 ? .same : .valid
    (options.strideHeight, options.strideWidth) = (Int32(numbers.next(1...2)), 1)
    options.dilationWidth = Int32(numbers.next(1...2))
    options.fusedActivation = numbers.next(0...1) == 0 ? .none : .relu
    let depth = numbers.next(1...3)
    let input = try tensor(&numbers, type, [1, 7, 6, depth], scale: 0.05)
    let constants = try weights(&numbers, type, [5, 3, 2, depth], axis: 0)
    return LiveProblem(
      name: name(.conv2D, type, seed),
      node: LiveNode(
        .conv2D, options: options.serialized,
        rounding: numbers.next(0...1) == 0 ? .double : .single,
        inputs: [input] + constants, outputs: [try output(type, [1, 1, 1, 5], scale: 0.4)]))
  }

  private static func depthwise(_ type: ElementType, _ seed: UInt64) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 1)
    var options = DepthwiseConv2DOptions()
    options.padding = numbers.next(0...1) == 0 ? .same : .valid
    (options.strideHeight, options.strideWidth) = (1, Int32(numbers.next(1...2)))
    options.depthMultiplier = 2
    let input = try tensor(&numbers, type, [1, 6, 7, 3], scale: 0.05)
    let constants = try weights(&numbers, type, [1, 3, 3, 6], axis: 3)
    return LiveProblem(
      name: name(.depthwiseConv2D, type, seed),
      node: LiveNode(
        .depthwiseConv2D, options: options.serialized, inputs: [input] + constants,
        outputs: [try output(type, [1, 1, 1, 6], scale: 0.3)]))
  }

  private static func fullyConnected(_ type: ElementType, _ seed: UInt64) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 2)
    var options = FullyConnectedOptions()
    options.fusedActivation = numbers.next(0...1) == 0 ? .none : .relu6
    let input = try tensor(&numbers, type, [2, 13], scale: 0.05)
    let constants = try weights(&numbers, type, [4, 13], axis: 0)
    return LiveProblem(
      name: name(.fullyConnected, type, seed),
      node: LiveNode(
        .fullyConnected, options: options.serialized, inputs: [input] + constants,
        outputs: [try output(type, [2, 4], scale: 0.3)]))
  }

  private static func pooling(
    _ type: ElementType, _ seed: UInt64, _ code: OperatorCode
  ) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 3)
    var options = Pool2DOptions()
    options.padding = numbers.next(0...1) == 0 ? .same : .valid
    (options.strideHeight, options.strideWidth) = (2, Int32(numbers.next(1...2)))
    (options.filterHeight, options.filterWidth) = (3, 2)
    let input = try tensor(&numbers, type, [2, 6, 5, 3], scale: 0.05)
    return LiveProblem(
      name: name(code, type, seed),
      node: LiveNode(
        code, options: options.serialized, inputs: [input],
        outputs: [try output(type, [2, 1, 1, 3], scale: 0.05)]))
  }

  /// The output type that functions into 0...1 must have.
  private static func unitOutput(_ type: ElementType, _ dimensions: [Int]) throws -> TensorType {
    TensorType(
      type, try Shape(dimensions),
      quantization: type == .float32
        ? nil : Quantization(scale: 1 / 256, zeroPoint: type == .int8 ? -128 : 0))
  }

  private static func softmax(_ type: ElementType, _ seed: UInt64) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 4)
    var options = SoftmaxOptions()
    options.beta = 1
    let input = try tensor(&numbers, type, [3, 10], scale: 0.1)
    return LiveProblem(
      name: name(.softmax, type, seed),
      node: LiveNode(
        .softmax, options: options.serialized, inputs: [input],
        outputs: [try unitOutput(type, [3, 10])]),
      isApproximate: type == .float32)
  }

  private static func logistic(_ type: ElementType, _ seed: UInt64) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 5)
    let input = try tensor(&numbers, type, [40], scale: 0.05)
    return LiveProblem(
      name: name(.logistic, type, seed),
      node: LiveNode(.logistic, inputs: [input], outputs: [try unitOutput(type, [40])]),
      isApproximate: type == .float32)
  }

  private static func sum(
    _ type: ElementType, _ seed: UInt64, _ code: OperatorCode
  ) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 6)
    let left = try tensor(&numbers, type, [3, 1, 4], scale: 0.05)
    let right = try tensor(&numbers, type, [2, 4], scale: 0.03)
    let options = code == .add ? AddOptions().serialized : MulOptions().serialized
    return LiveProblem(
      name: name(code, type, seed),
      node: LiveNode(
        code, options: options, inputs: [left, right],
        outputs: [try output(type, [3, 2, 4], scale: 0.07)]))
  }

  private static func rectifier(
    _ type: ElementType, _ seed: UInt64, _ code: OperatorCode
  ) throws -> LiveProblem {
    var numbers = Numbers(seed: seed &+ 7)
    let input = try tensor(&numbers, type, [5, 9], scale: 0.05)
    return LiveProblem(
      name: name(code, type, seed),
      node: LiveNode(code, inputs: [input], outputs: [try output(type, [5, 9], scale: 0.04)]))
  }
}
