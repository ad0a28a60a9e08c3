// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Nodes computed as one against the same nodes one after the other, bit for bit.
@Suite struct OptimizedFusionTests {
  /// What computes the tensor that lies between the nodes.
  enum Producer: CaseIterable { case conv2D, depthwise, fullyConnected }

  static func problem(
    _ producer: Producer, _ format: OptimizedFormat, seed: Int
  ) -> OptimizedProblem {
    switch producer {
    case .conv2D: OptimizedProblem.conv2D(format, seed: seed).0
    case .depthwise: OptimizedProblem.depthwise(format, seed: seed).0
    case .fullyConnected: OptimizedProblem.fullyConnected(format, seed: seed).0
    }
  }

  /// The quantized values that LOGISTIC must have, or those of the input.
  private static func outputType(_ code: OperatorCode, of type: TensorType) -> TensorType {
    guard code == .logistic, type.elementType != .float32 else {
      return TensorType(type.elementType, [], quantization: type.quantization)
    }
    return TensorType(
      type.elementType, [],
      quantization: Quantization(
        scale: 1 / 256, zeroPoint: type.elementType == .int8 ? -128 : 0))
  }

  /// Checks that a set computes `first` and `second` as one, with the results of both in turn.
  ///
  /// `sources` tells where the second node's inputs come from; its inputs in `second` are made of
  /// the first one's result.
  static func expectSameBytes(
    _ first: OptimizedProblem, sources: [FusionPair.Source], on set: MicrokernelSet,
    _ second: (_ result: Tensor) -> OptimizedProblem
  ) throws {
    let kernels = KernelSet.optimized(for: set)
    let between = try first.result(kernels)
    let problem = second(between)
    let expected: [UInt8] = try problem.result(kernels).bytes.array()
    let producer = try first.node(kernels)
    let pair = FusionPair(producer, try problem.node(kernels), sources: sources)
    guard let fusion = kernels.fusion(of: pair, weights: WeightCache()),
      let kernel = fusion.kernel.blocks
    else {
      // Where groups have few channels, blocks are no regions.
      #expect(
        producer.kernel.blocks?.region == nil && first.hasGroups,
        "no kernel for both; seed \(first.seed), \(set)")
      return
    }
    for workerCount in [1, 2, 4] {
      let output = TensorBytes(zeroed: expected.count)
      let inputs = fusion.inputs.map { input -> TensorBytes? in
        switch input {
        case .first(let position): first.inputs[position]?.bytes
        case .second(let position): problem.inputs[position]?.bytes
        }
      }
      kernel.evaluate(
        TensorFrame(
          inputs: inputs, outputs: [output],
          scratch: fusion.kernel.scratch.map { TensorBytes(zeroed: $0) }),
        workerCount: workerCount, seed: first.seed)
      #expect(
        output.array() == expected, "seed \(first.seed), \(set), \(workerCount) workers")
    }
  }

  @Test(arguments: Producer.allCases, 0..<24)
  func `a function of what a product computes`(producer: Producer, seed: Int) throws {
    let format = OptimizedFormat.allCases[seed % 3]
    let code = [OperatorCode.logistic, .hardSwish, .relu6][seed / 3 % 3]
    for set in MicrokernelSet.tested {
      try Self.expectSameBytes(
        Self.problem(producer, format, seed: seed), sources: [.result], on: set
      ) { result in
        OptimizedProblem(
          seed: seed, code: code, options: nil, inputs: [result],
          output: Self.outputType(code, of: result.type), rounding: .double)
      }
    }
  }

  @Test(arguments: Producer.allCases, 0..<24)
  func `a sum with what a product computes`(producer: Producer, seed: Int) throws {
    let format = OptimizedFormat.allCases[seed % 3]
    let isLeft = seed % 2 == 0
    for set in MicrokernelSet.tested {
      try Self.expectSameBytes(
        Self.problem(producer, format, seed: seed),
        sources: isLeft ? [.result, .other] : [.other, .result], on: set
      ) { result in
        var random = SeededRandom(seed: seed)
        let other = Self.other(like: result, &random)
        return OptimizedProblem(
          seed: seed, code: [.add, .sub, .mul][seed / 6 % 3], options: nil,
          inputs: isLeft ? [result, other] : [other, result],
          output: Self.outputType(.add, of: result.type),
          rounding: random.pick([.double, .single]))
      }
    }
  }

  private static func other(like result: Tensor, _ random: inout SeededRandom) -> Tensor {
    let (shape, count) = (result.type.shape, result.type.shape.elementCount)
    switch result.type.elementType {
    case .int8:
      return Tensor(
        shape, random.codes(count, as: Int8.self), scale: random.pick([0.02, 0.5]), zeroPoint: 3)
    case .uint8:
      return Tensor(
        shape, random.codes(count, as: UInt8.self), scale: random.pick([0.02, 0.5]), zeroPoint: 99)
    default: return Tensor(shape, random.floats(count))
    }
  }

  /// DEQUANTIZE, then a function of floats, with an optimized kernel or without one.
  private static func dequantized(
    _ code: OperatorCode, _ random: inout SeededRandom, seed: Int
  ) -> OptimizedProblem {
    let count = random.pick([1, 15, 64, 9001])
    let input =
      seed % 2 == 0
      ? Tensor([count], random.codes(count, as: Int8.self), scale: 0.05, zeroPoint: -9)
      : Tensor([count], random.codes(count, as: UInt8.self), scale: 0.05, zeroPoint: 9)
    return OptimizedProblem(
      seed: seed, code: .dequantize, options: nil, inputs: [input],
      output: TensorType(.float32, []), rounding: .double)
  }

  @Test(arguments: [OperatorCode.tanh, .sin, .square, .round, .sign], 0..<6)
  func `a function of dequantized values`(code: OperatorCode, seed: Int) throws {
    for set in MicrokernelSet.tested {
      var random = SeededRandom(seed: seed)
      try Self.expectSameBytes(
        Self.dequantized(code, &random, seed: seed), sources: [.result], on: set
      ) { result in
        OptimizedProblem(
          seed: seed, code: code, options: nil, inputs: [result],
          output: TensorType(.float32, []), rounding: .double)
      }
    }
  }

  /// Three nodes, of which the last one quantizes again, become one table.
  @Test(arguments: [OperatorCode.tanh, .sin, .square, .round, .sign], 0..<6)
  func `a table of a function between conversions`(code: OperatorCode, seed: Int) throws {
    for set in MicrokernelSet.tested {
      var random = SeededRandom(seed: seed)
      let kernels = KernelSet.optimized(for: set)
      let first = Self.dequantized(code, &random, seed: seed)
      func unary(
        _ code: OperatorCode, _ input: Tensor, _ output: TensorType
      ) -> OptimizedProblem {
        OptimizedProblem(
          seed: seed, code: code, options: nil, inputs: [input], output: output,
          rounding: .double)
      }
      let second = unary(code, try first.result(kernels), TensorType(.float32, []))
      let third = unary(
        .quantize, try second.result(kernels),
        TensorType(
          .int8, [], quantization: Quantization(scale: random.pick([0.008, 0.3]), zeroPoint: 4)))
      let expected: [UInt8] = try third.result(kernels).bytes.array()
      let nodes = try [first, second, third].map { try $0.node(kernels) }
      let cache = WeightCache()
      let pair = FusionPair(nodes[0], nodes[1], sources: [.result])
      let both = try #require(kernels.fusion(of: pair, weights: cache))
      let node = PreparedNode(nodes[0], nodes[1], by: both.kernel, inputs: nodes[0].inputs)
      let fusion = try #require(
        kernels.fusion(of: FusionPair(node, nodes[2], sources: [.result]), weights: cache))
      let output = TensorBytes(zeroed: expected.count)
      try fusion.kernel.kernel.evaluate(
        TensorFrame(inputs: [first.inputs[0]?.bytes], outputs: [output]))
      #expect(output.array() == expected, "seed \(seed), \(set)")
      #expect("\(type(of: fusion.kernel.kernel))" == "QuantizedTable")
    }
  }

  /// `x · σ(x)`: LOGISTIC, then MUL by its own operand.
  @Test(arguments: 0..<18)
  func `a product with the own logistic`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([1, 2, 5]), random.pick([1, 7, 70, 4099])]
    let count = shape.elementCount
    let input: Tensor
    switch seed % 3 {
    case 0: input = Tensor(shape, random.floats(count).map { $0 * 100 })
    case 1:
      input = Tensor(shape, random.codes(count, as: Int8.self), scale: 0.03, zeroPoint: -20)
    default:
      input = Tensor(shape, random.codes(count, as: UInt8.self), scale: 0.05, zeroPoint: 130)
    }
    let logistic = OptimizedProblem(
      seed: seed, code: .logistic, options: nil, inputs: [input],
      output: Self.outputType(.logistic, of: input.type), rounding: .double)
    let isLeft = Bool.random(using: &random)
    for set in MicrokernelSet.tested {
      try Self.expectSameBytes(
        logistic, sources: isLeft ? [.result, .input(0)] : [.input(0), .result], on: set
      ) { result in
        OptimizedProblem(
          seed: seed, code: .mul, options: nil,
          inputs: isLeft ? [result, input] : [input, result],
          output: Self.outputType(.mul, of: input.type), rounding: .double)
      }
    }
  }

  /// `relu(x) + α · −relu(−x)`, as converters without PRELU write it: one operation of six nodes.
  @Test(arguments: 0..<12)
  func `a slope below zero in six nodes`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let channels = random.pick([1, 5, 8, 33, 200])
    let shape: Shape = seed % 3 == 0 ? [channels] : [random.pick([1, 2, 60]), channels]
    let x = Tensor(shape, random.floats(shape.elementCount))
    var slopes = random.floats(channels)
    if seed == 11 { slopes[0] = .infinity }
    let (isFinite, isLeft) = (seed != 11, seed % 2 == 0)
    func problem(_ code: OperatorCode, _ inputs: [Tensor]) -> OptimizedProblem {
      OptimizedProblem(
        seed: seed, code: code, options: nil, inputs: inputs, output: TensorType(.float32, []),
        rounding: .double)
    }
    for set in MicrokernelSet.tested {
      let kernels = KernelSet.optimized(for: set)
      let negated = problem(.neg, [x])
      let rectified = problem(.relu, [try negated.result(kernels)])
      let negatives = problem(.neg, [try rectified.result(kernels)])
      let factors = Tensor([channels], slopes).constant
      let result = try negatives.result(kernels)
      let sloped = problem(.mul, isLeft ? [result, factors] : [factors, result])
      let source: [FusionPair.Source] = isLeft ? [.result, .other] : [.other, .result]
      let positives = problem(.relu, [x])
      let sum = problem(
        .add, [try positives.result(kernels), try sloped.result(kernels)])
      let expected: [UInt8] = try sum.result(kernels).bytes.array()
      func fused(
        _ first: PreparedNode, _ second: PreparedNode, _ sources: [FusionPair.Source]
      ) throws -> PreparedNode {
        let fusion = try #require(
          kernels.fusion(of: FusionPair(first, second, sources: sources), weights: WeightCache()))
        return PreparedNode(first, second, by: fusion.kernel, inputs: first.inputs)
      }
      var node = try fused(negated.node(kernels), rectified.node(kernels), [.result])
      node = try fused(node, negatives.node(kernels), [.result])
      let pair = FusionPair(node, try sloped.node(kernels), sources: source)
      guard isFinite else {
        let kernel = kernels.fusion(of: pair, weights: WeightCache())?.kernel.kernel
        #expect(kernel.map { "\(type(of: $0))" } != "FloatBinary")
        continue
      }
      node = try fused(node, sloped.node(kernels), source)
      node = try fused(node, sum.node(kernels), [.other, .result])
      let whole = try fused(positives.node(kernels), node, [.input(0), .other, .result])
      #expect(name(of: whole.kernel.kernel) == "FloatBinary")
      let output = TensorBytes(zeroed: expected.count)
      try whole.kernel.kernel.evaluate(
        TensorFrame(inputs: [x.bytes, factors.bytes], outputs: [output]))
      #expect(output.array() == expected, "seed \(seed), \(set)")
    }
  }
}
