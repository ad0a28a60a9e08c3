// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct LSTMTests {
  /// The weights and biases of one cell whose gates have no weights: all but the cell gate, which
  /// is the input, are σ(0) = 1/2.
  static func block() -> [Tensor?] {
    let zero = Tensor([1, 1], [0] as [Float]).constant
    let bias = Tensor([1], [0] as [Float]).constant
    return [zero, zero, Tensor([1, 1], [1] as [Float]).constant, zero, zero, zero, zero, zero]
      + [nil, nil, nil, bias, bias, bias, bias, nil, nil]
  }

  static func state() -> Tensor { Tensor([1, 1], [0] as [Float]) }

  static func node(_ options: LSTMOptions) -> RecurrentNode {
    RecurrentNode(
      code: .lstm, options: options, inputs: [nil] + block() + [state(), state()],
      variables: [18, 19])
  }

  /// c = 2/2 = 1, h = 1/2; c = 1/2 + 4/2 = 2.5, h = 1.25.
  @Test(arguments: KernelSet.all)
  func `each step halves the cell and adds half the input`(kernels: KernelSet) throws {
    var options = LSTMOptions()
    options.fusedActivation = .relu
    var node = Self.node(options)
    node.kernels = kernels
    #expect(try node.values(of: Tensor([1, 1], [2] as [Float])) == [0.5])
    #expect(try node.values(of: Tensor([1, 1], [4] as [Float])) == [1.25])
  }

  /// h is half the cell gate, 4, and not half the cell state, 2.5.
  @Test func `without an activation the cell gate takes the cell state's location`() throws {
    var node = Self.node(LSTMOptions())
    #expect(try node.values(of: Tensor([1, 1], [2] as [Float])) == [1])
    #expect(try node.values(of: Tensor([1, 1], [4] as [Float])) == [2])
    #expect(node.inputs[19]?.values() == [2.5] as [Float])
  }

  /// The results are halves of c: 1 and 4.5 forward, 4 and 3 backward.
  @Test func `cells run from both ends`() throws {
    var options = BidirectionalSequenceLSTMOptions()
    options.fusedActivation = .relu
    let node = RecurrentNode(
      code: .bidirectionalSequenceLSTM, options: options,
      inputs: [Tensor([2, 1, 1], [2, 8] as [Float])] + Self.block() + Self.block()
        + [Self.state(), Self.state(), Self.state(), Self.state()]
        + Array(repeating: nil, count: 9),
      variables: [35, 36, 37, 38], outputs: [TensorType(.float32, []), TensorType(.float32, [])])
    let results = try node.invoke()
    #expect(results[0].values() == [0.5, 2.25] as [Float])
    #expect(results[1].values() == [1.5, 2] as [Float])
  }

  /// All gates are 0 before their functions: c = 1/2, h = tanh(1/2) / 2.
  @Test func `a basic cell without weights halves its state`() throws {
    var options = LSTMOptions()
    options.kernelType = .basic
    let node = RecurrentNode(
      code: .lstm, options: options,
      inputs: [
        Tensor([1, 1], [3] as [Float]), Self.state(),
        Tensor([4, 2], [Float](repeating: 0, count: 8)).constant,
        Tensor([4], [0, 0, 0, 0] as [Float]).constant, Tensor([1, 1], [1] as [Float]),
      ], variables: [1, 4], outputs: Array(repeating: TensorType(.float32, []), count: 4))
    let results = try node.invoke()
    let output: Float = results[0].values()[0]
    #expect(abs(output - 0.231_058_58) < 1e-6)
    #expect(results[1].values() == [0.5] as [Float])
    #expect(results[2].values() == [3, 0] as [Float])
    #expect(node.inputs[4]?.values() == [0.5] as [Float])
    #expect(node.inputs[1]?.values() == [output])
  }

  /// As in float32: 0.231 · 128 is 30, on top of 128.
  @Test func `a basic cell of bytes halves its state`() throws {
    var options = LSTMOptions()
    options.kernelType = .basic
    let byte = TensorType(.uint8, [], quantization: Quantization(scale: 1 / 128, zeroPoint: 128))
    let state = TensorType(.int16, [], quantization: Quantization(scale: 0x1p-11, zeroPoint: 0))
    let node = RecurrentNode(
      code: .lstm, options: options,
      inputs: [
        Tensor([1, 1], [200] as [UInt8]), Tensor([1, 1], [128] as [UInt8]),
        Tensor([4, 2], [UInt8](repeating: 9, count: 8), scale: 0.1, zeroPoint: 9).constant,
        Tensor([4], [0, 0, 0, 0] as [Int32], scale: 0.1 / 128).constant,
        Tensor([1, 1], [2048] as [Int16]),
      ], variables: [1, 4], outputs: [byte, state, byte, state])
    let results = try node.invoke()
    #expect(results[0].values() == [158] as [UInt8])
    #expect(results[1].values() == [1024] as [Int16])
    #expect(node.inputs[4]?.values() == [1024] as [Int16])
  }

  /// c = 1/4; tanh(1/4) / 2 = 4013 in Q0.15, which at scale 1/128 and zero point -5 is 16 - 5.
  @Test func `a cell with narrow sums halves its state`() throws {
    var inputs: [Tensor?] = Array(repeating: nil, count: 24)
    inputs[0] = Tensor([1, 1], [7] as [Int8], scale: 0.5, zeroPoint: 7)
    for position in [2, 3, 4, 6, 7, 8] {
      inputs[position] = Tensor([1, 1], [0] as [Int8], scale: 0.01).constant
    }
    for position in 13...15 { inputs[position] = Tensor([1], [0] as [Int32]).constant }
    inputs[16] = Tensor([1, 1], [64] as [Int8], scale: 0x1p-6).constant
    inputs[17] = Tensor([1], [0] as [Int32]).constant
    inputs[18] = Tensor([1, 1], [0] as [Int8], scale: 1 / 128, zeroPoint: -5)
    inputs[19] = Tensor([1, 1], [16_384] as [Int16], scale: 0x1p-15)
    for position in 21...23 {
      inputs[position] = Tensor([1], [16_384] as [Int16], scale: 0x1p-14).constant
    }
    let quantization = Quantization(scale: 1 / 128, zeroPoint: -5)
    let plain = TensorType(.int8, [], quantization: Quantization(scale: 0.1, zeroPoint: 0))
    let node = RecurrentNode(
      code: .lstm, options: LSTMOptions(), inputs: inputs, variables: [18, 19],
      outputs: [TensorType(.int8, [], quantization: quantization)],
      intermediates: Array(repeating: plain, count: 12))
    #expect(try node.invoke()[0].values() == [11] as [Int8])
    #expect(inputs[19]?.values() == [8192] as [Int16])
  }
}
