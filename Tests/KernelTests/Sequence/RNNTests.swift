// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct RNNTests {
  /// The weights 2 and 1/2, the bias 1 and the state of a cell with one unit.
  static func cell(isHybrid: Bool = false) -> [Tensor?] {
    let weights: [Tensor] =
      isHybrid
      ? [
        Tensor([1, 1], [127] as [Int8], scale: 2 / 127),
        Tensor([1, 1], [127] as [Int8], scale: 0.5 / 127),
      ] : [Tensor([1, 1], [2] as [Float]), Tensor([1, 1], [0.5] as [Float])]
    return [
      weights[0].constant, weights[1].constant, Tensor([1], [1] as [Float]).constant,
      Tensor([1, 1], [0] as [Float]),
    ]
  }

  static func both(_ shape: Shape, _ values: [Float], isHybrid: Bool = false) -> RecurrentNode {
    var options = BidirectionalSequenceRNNOptions()
    options.fusedActivation = .relu
    return RecurrentNode(
      code: .bidirectionalSequenceRNN, options: options,
      inputs: [Tensor(shape, values)] + cell(isHybrid: isHybrid) + cell(isHybrid: isHybrid)
        + [nil, nil, nil],
      variables: [4, 8], outputs: [TensorType(.float32, []), TensorType(.float32, [])])
  }

  /// 1 + 2·3 = 7, and 1 + 2·1 + 7/2 = 6.5.
  @Test(arguments: KernelSet.all)
  func `a step sees the step before`(kernels: KernelSet) throws {
    var options = RNNOptions()
    options.fusedActivation = .relu
    var node = RecurrentNode(
      code: .rnn, options: options, inputs: [nil] + Self.cell(), variables: [4], kernels: kernels)
    #expect(try node.values(of: Tensor([1, 1], [3] as [Float])) == [7])
    #expect(try node.values(of: Tensor([1, 1], [1] as [Float])) == [6.5])
  }

  @Test(arguments: KernelSet.all)
  func `a sequence is as many steps`(kernels: KernelSet) throws {
    var options = SequenceRNNOptions()
    options.fusedActivation = .relu6
    let node = RecurrentNode(
      code: .unidirectionalSequenceRNN, options: options,
      inputs: [Tensor([1, 2, 1], [3, 1] as [Float])] + Self.cell(), variables: [4],
      kernels: kernels)
    // 6 of the first step, limited; 1 + 2 + 6/2 of the second.
    #expect(try node.invoke()[0].values() == [6, 6] as [Float])
  }

  /// Backward: 1 + 2·1 = 3, and 1 + 2·3 + 3/2 = 8.5.
  @Test func `the backward cell starts at the last step`() throws {
    let results = try Self.both([1, 2, 1], [3, 1]).invoke()
    #expect(results[0].values() == [7, 6.5] as [Float])
    #expect(results[1].values() == [8.5, 3] as [Float])
  }

  @Test func `merged outputs alternate`() throws {
    var node = Self.both([1, 2, 1], [3, 1])
    var options = BidirectionalSequenceRNNOptions()
    options.fusedActivation = .relu
    options.mergesOutputs = true
    node.options = options
    node.outputs.removeLast()
    let results = try node.invoke()
    #expect(results[0].type.shape == [1, 2, 2])
    #expect(results[0].values() == [7, 8.5, 6.5, 3] as [Float])
  }

  /// The second pass starts from 6.5: 1 + 6 + 3.25, and 1 + 2 + 5.125.
  @Test func `a hybrid cell walks a time-major sequence as often as it has steps`() throws {
    var node = Self.both([2, 1, 1], [3, 1], isHybrid: true)
    var options = BidirectionalSequenceRNNOptions()
    options.fusedActivation = .relu
    options.timeMajor = true
    node.options = options
    let values = try node.invoke()[0].values(as: Float.self)
    #expect(abs(values[0] - 10.25) < 1e-5 && abs(values[1] - 8.125) < 1e-5)
  }

  /// The backward cell adds 10 times the auxiliary input.
  @Test func `an auxiliary input has weights of its own`() throws {
    var node = Self.both([1, 1, 1], [3])
    node.inputs[9] = Tensor([1, 1, 1], [4] as [Float])
    node.inputs[10] = Tensor([1, 1], [0] as [Float]).constant
    node.inputs[11] = Tensor([1, 1], [10] as [Float]).constant
    let results = try node.invoke()
    #expect(results[0].values() == [7] as [Float])
    #expect(results[1].values() == [47] as [Float])
  }

  @Test func `an auxiliary input that would be read out of bounds is refused`() {
    var node = Self.both([1, 1, 2], [3, 4], isHybrid: true)
    for position in [1, 5] {
      node.inputs[position] = Tensor([1, 2], [1, 1] as [Int8], scale: 1).constant
    }
    node.inputs[9] = Tensor([1, 1, 1], [4] as [Float])
    for position in [10, 11] {
      node.inputs[position] = Tensor([1, 1], [1] as [Int8], scale: 1).constant
    }
    #expect(throws: KernelError.self) { try node.invoke() }
  }
}
