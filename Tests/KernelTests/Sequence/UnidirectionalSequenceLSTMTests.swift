// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import Tensors
import Testing

@Suite struct UnidirectionalSequenceLSTMTests {
  /// A node of one cell whose gates have no weights: all but the cell gate are σ(0) = 1/2.
  struct Node {
    var inputs: [Tensor?] = Array(repeating: nil, count: 24)
    var options = UnidirectionalSequenceLSTMOptions()

    init(_ shape: Shape, _ values: [Float], batchCount: Int = 1) {
      options.fusedActivation = .relu
      inputs[0] = Tensor(shape, values)
      for position in 1...8 { inputs[position] = Tensor([1, 1], [0] as [Float]).constant }
      inputs[3] = Tensor([1, 1], [1] as [Float]).constant
      for position in 12...15 { inputs[position] = Tensor([1], [0] as [Float]).constant }
      let zeros = [Float](repeating: 0, count: batchCount)
      inputs[18] = Tensor([batchCount, 1], zeros)
      inputs[19] = Tensor([batchCount, 1], zeros)
    }

    /// The output and, in its variables, the states after one invocation.
    func run() throws -> Tensor {
      try UnidirectionalSequenceLSTMTests.run(
        inputs, options: options, output: TensorType(.float32, []))
    }
  }

  static func run(
    _ inputs: [Tensor?], options: UnidirectionalSequenceLSTMOptions, output: TensorType,
    intermediates: [TensorType?] = []
  ) throws -> Tensor {
    let entry = try #require(OperatorCatalog.entry(of: .unidirectionalSequenceLSTM))
    let operands = inputs.enumerated().map { position, tensor in
      tensor.map {
        PrepareContext.Operand(
          $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant,
          isVariable: position == 18 || position == 19)
      }
    }
    let node = PrepareContext(
      inputs: operands, declaredOutputs: [output], intermediates: intermediates)
    let prepared = try entry.make(NodeDescription(options: options)).prepare(node)
    let type = prepared.outputs[0]
    let result = Tensor(type, TensorBytes(zeroed: type.byteCount ?? 0), isConstant: false)
    let frame = TensorFrame(
      inputs: inputs.map { $0?.bytes }, outputs: [result.bytes],
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    try prepared.kernel.evaluate(frame)
    return result
  }

  /// c = 0/2 + 2/2 = 1, h = 1/2; c = 1/2 + 4/2 = 2.5, h = 1.25.
  @Test func `each step halves the cell and adds half the input`() throws {
    let node = Node([1, 2, 1], [2, 4])
    let output = try node.run()
    #expect(output.type.shape == [1, 2, 1])
    #expect(output.values() == [0.5, 1.25] as [Float])
    #expect(node.inputs[19]?.values() == [2.5] as [Float])
    #expect(node.inputs[18]?.values() == [1.25] as [Float])
  }

  /// The second invocation starts from c = 2.5: c = 2.25, h = 1.125; c = 3.125, h = 1.5625.
  @Test func `states persist`() throws {
    let node = Node([1, 2, 1], [2, 4])
    _ = try node.run()
    #expect(try node.run().values() == [1.125, 1.5625] as [Float])
  }

  @Test func `without an input gate the forget gate's rest is added`() throws {
    var node = Node([1, 2, 1], [2, 4])
    for position in [1, 5, 12] { node.inputs[position] = nil }
    #expect(try node.run().values() == [0.5, 1.25] as [Float])
  }

  @Test func `time may come first`() throws {
    var node = Node([2, 2, 1], [2, 20, 4, 40], batchCount: 2)
    node.options.timeMajor = true
    #expect(try node.run().values() == [0.5, 5, 1.25, 12.5] as [Float])
  }

  /// h = 3 · 0.5 + 1, limited to 2; the recurrent weights have nothing to say.
  @Test func `a projection follows the cells`() throws {
    var node = Node([1, 1, 1], [2])
    node.inputs[16] = Tensor([1, 1], [3] as [Float]).constant
    node.inputs[17] = Tensor([1], [1] as [Float]).constant
    #expect(try node.run().values() == [2.5] as [Float])
    node.options.projectionClip = 2
    node.inputs[19] = Tensor([1, 1], [0] as [Float])
    #expect(try node.run().values() == [2] as [Float])
  }

  /// 2 times the weight 127 · (1 / 127).
  @Test func `weights may be integers`() throws {
    var node = Node([1, 1, 1], [2])
    for position in 1...8 {
      let weight: Int8 = position == 3 ? 127 : 0
      node.inputs[position] = Tensor([1, 1], [weight], scale: 1 / 127).constant
    }
    let value = try node.run().values(as: Float.self)[0]
    #expect(abs(value - 0.5) < 1e-6)
  }

  /// The cell state of real 1 is halved; tanh(1/2) / 2 = 0.2311 is quantized value 30 at scale
  /// 1/128.
  @Test func `integer gates without weights halve the cell`() throws {
    var node = Node([1, 1, 1], [0])
    node.inputs[0] = Tensor([1, 1, 1], [7] as [Int8], scale: 0.5, zeroPoint: 7)
    for position in 1...8 {
      node.inputs[position] = Tensor([1, 1], [0] as [Int8], scale: 0.01).constant
    }
    for position in 12...15 { node.inputs[position] = Tensor([1], [0] as [Int32]).constant }
    node.inputs[18] = Tensor([1, 1], [0] as [Int8], scale: 1 / 128, zeroPoint: -5)
    node.inputs[19] = Tensor([1, 1], [2048] as [Int16], scale: 0x1p-11)
    let quantization = Quantization(scale: 1 / 128, zeroPoint: -5)
    let hidden = TensorType(.int8, [], quantization: quantization)
    let output = try Self.run(
      node.inputs, options: node.options, output: hidden,
      intermediates: [hidden, hidden, hidden, hidden, hidden])
    #expect(output.values() == [25] as [Int8])
    #expect(node.inputs[19]?.values() == [1024] as [Int16])
  }

  @Test(arguments: [2, 6, 13, 18, 19])
  func `a missing tensor is refused`(position: Int) {
    var node = Node([1, 1, 1], [2])
    node.inputs[position] = nil
    #expect(throws: KernelError.self) { try node.run() }
  }

  @Test func `weights of another size are refused`() {
    var node = Node([1, 1, 1], [2])
    node.inputs[2] = Tensor([1, 2], [0, 0] as [Float]).constant
    #expect(throws: KernelError.self) { try node.run() }
  }
}
