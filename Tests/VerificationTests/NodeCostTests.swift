// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Tensors
import Testing

/// Multiply-adds, worked out by hand.
@Suite struct MultiplyAddTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let node: CostNode
    let expected: Int?

    init(_ description: String, _ node: CostNode, _ expected: Int?) {
      testDescription = description
      self.node = node
      self.expected = expected
    }
  }

  static let products = [
    // 72 outputs, each of 3 · 3 · 2 products.
    Row(
      "a convolution in two groups",
      CostNode(.conv2D, [[1, 5, 5, 4], [8, 3, 3, 2], [8]], [1, 3, 3, 8]), 1296),
    // 54 outputs of 4 products.
    Row(
      "a depthwise convolution with two outputs per channel",
      CostNode(.depthwiseConv2D, [[1, 4, 4, 3], [1, 2, 2, 6], [6]], [1, 3, 3, 6]), 216),
    // 80 inputs, each times 2 · 3 · 3 weights.
    Row(
      "a transposed convolution",
      CostNode(.transposeConv, [[4], [2, 3, 3, 5], [1, 4, 4, 5]], [1, 8, 8, 2]), 1440),
    Row(
      "MediaPipe's transposed convolution",
      CostNode(
        custom: "Convolution2DTransposeBias", [[1, 4, 4, 5], [2, 3, 3, 5], [2]], [1, 8, 8, 2]),
      1440),
    // 40 outputs of 2 · 3 · 3 · 4 products.
    Row(
      "a convolution of volumes",
      CostNode(.conv3D, [[1, 3, 4, 4, 4], [2, 3, 3, 4, 5]], [1, 2, 2, 2, 5]), 2880),
    // 32 inputs, each times 2 · 2 · 2 · 3 weights.
    Row(
      "a transposed convolution of volumes",
      CostNode(
        .conv3DTranspose, [[5], [2, 2, 2, 3, 4], [1, 2, 2, 2, 4]], [1, 4, 4, 4, 3]), 768),
    Row(
      "a fully connected layer", CostNode(.fullyConnected, [[2, 10], [7, 10], [7]], [2, 7]), 140),
    Row(
      "three pairs of matrices", CostNode(.batchMatMul, [[3, 4, 5], [3, 5, 6]], [3, 4, 6]), 360),
    Row(
      "three pairs of matrices, the left ones transposed",
      CostNode(
        .batchMatMul, [[3, 5, 4], [3, 5, 6]], [3, 4, 6],
        options: {
          var options = BatchMatMulOptions()
          options.transposesLeft = true
          return options
        }()), 360),
    Row("an addition", CostNode(.add, [[2, 3], [2, 3]], [2, 3]), 0),
    Row(
      "the end of a detector", CostNode(custom: "TFLite_Detection_PostProcess", [[1, 9, 4]], [1]),
      0),
    Row("an operator of one's own", CostNode(custom: "Mine", [[2, 3]], [2, 3]), nil),
    Row("a filter of another rank", CostNode(.conv2D, [[1, 5, 5, 4], [8]], [1, 3, 3, 8]), nil),
    Row("no filter", CostNode(.conv2D, [[1, 5, 5, 4]], [1, 3, 3, 8]), nil),
    Row(
      "more than 64 bits",
      CostNode(
        .conv2D, [[1, 1, 1, 1], [1, 1 << 20, 1 << 10, 1 << 9]], [1 << 20, 1 << 10, 1 << 10]),
      nil),
  ]

  /// Inputs of 3, states of 4: matrices `[4, 3]` and `[4, 4]`.
  static let cell: [Shape?] = [[4, 3], [4, 4], [4]]
  /// Four matrices for inputs, four for outputs of 2, and a projection to them: 48 + 32 + 8.
  static let projected: [Shape?] =
    Array(repeating: [4, 3], count: 4) + Array(repeating: [4, 2], count: 4)
    + Array(repeating: nil, count: 3) + Array(repeating: [4], count: 4) + [[2, 4], [2]]
  /// Four matrices for inputs, four for outputs of 4: 48 + 64.
  static let plain: [Shape?] =
    Array(repeating: [4, 3], count: 4) + Array(repeating: [4, 4], count: 4)
    + Array(repeating: nil, count: 3) + Array(repeating: [4], count: 4) + [nil, nil]

  static let cells = [
    Row("a step of an RNN", CostNode(.rnn, [[2, 3]] + cell + [[2, 4]], [2, 4]), 56),
    Row(
      "five steps of an RNN",
      CostNode(.unidirectionalSequenceRNN, [[5, 2, 3]] + cell + [[2, 4]], [5, 2, 4]), 280),
    // The other direction has states of 2: 6 + 4 products.
    Row(
      "an RNN in both directions",
      CostNode(
        .bidirectionalSequenceRNN,
        [[5, 2, 3]] + cell + [[2, 4], [2, 3], [2, 2], [2], [2, 2], nil, nil, nil], [5, 2, 4]),
      380),
    Row("a step of an LSTM", CostNode(.lstm, [[2, 3]] + projected, [2, 2]), 176),
    Row(
      "an LSTM whose input gate is its forget gate",
      CostNode(
        .lstm, [[2, 3], nil] + projected[1...3] + [nil] + projected[5...], [2, 2]), 136),
    Row(
      "a step of the basic LSTM",
      CostNode(
        .lstm, [[2, 3], [2, 4], [16, 7], [16], [2, 4]], [2, 4],
        options: {
          var options = LSTMOptions()
          options.kernelType = .basic
          return options
        }()), 224),
    Row(
      "five steps of an LSTM",
      CostNode(.unidirectionalSequenceLSTM, [[5, 2, 3]] + projected, [5, 2, 2]), 880),
    Row(
      "an LSTM in both directions",
      CostNode(.bidirectionalSequenceLSTM, [[5, 2, 3]] + plain + plain, [5, 2, 4]), 2240),
    Row("a step of an SVDF", CostNode(.svdf, [[2, 3], [4, 3], [4, 5]], [2, 2]), 64),
  ]

  @Test(arguments: products + cells)
  func `multiply-adds are those of the definition`(row: Row) {
    #expect(row.node.cost().multiplyAdds == row.expected)
  }

  @Test func `MobileNet v1 has the multiply-adds that its paper rounds to 569 million`() {
    var total =
      CostNode(.conv2D, [[1, 224, 224, 3], [32, 3, 3, 3]], [1, 112, 112, 32])
      .cost().multiplyAdds ?? 0
    var (side, depth) = (112, 32)
    let layers =
      [(1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512)]
      + Array(repeating: (1, 512), count: 5) + [(2, 1024), (1, 1024)]
    for (stride, columns) in layers {
      let input: Shape = [1, side, side, depth]
      side /= stride
      let middle: Shape = [1, side, side, depth]
      let nodes = [
        CostNode(.depthwiseConv2D, [input, [1, 3, 3, depth]], middle),
        CostNode(.conv2D, [middle, [columns, 1, 1, depth]], [1, side, side, columns]),
      ]
      for node in nodes { total += node.cost().multiplyAdds ?? 0 }
      depth = columns
    }
    total +=
      CostNode(.fullyConnected, [[1, 1024], [1000, 1024]], [1, 1000])
      .cost().multiplyAdds ?? 0
    // The same sum, written out in Python.
    #expect(total == 568_740_352)
  }
}

/// A node whose tensors are numbered as its operands are listed, the outputs last.
struct CostNode: Sendable {
  let node: ModelFile.Node
  let types: [TensorType?]

  init(
    _ code: OperatorCode, _ inputs: [Shape?], _ output: Shape, options: (any OptionsTable)? = nil
  ) {
    self.init(
      OperatorIdentity(code), inputs.map { $0.map { TensorType(.float32, $0) } },
      [TensorType(.float32, output)], options: options)
  }

  init(custom name: String, _ inputs: [Shape], _ output: Shape) {
    self.init(
      OperatorIdentity(custom: name), inputs.map { TensorType(.float32, $0) },
      [TensorType(.float32, output)])
  }

  init(
    _ identity: OperatorIdentity, _ inputs: [TensorType?], _ outputs: [TensorType],
    options: (any OptionsTable)? = nil
  ) {
    node = ModelFile.Node(
      identity, inputs: inputs.indices.map { inputs[$0] == nil ? -1 : $0 },
      outputs: outputs.indices.map { inputs.count + $0 }, options: options)
    types = inputs + outputs
  }

  /// The cost, with these operands being constants or variables.
  func cost(constants: Set<Int> = [], variables: Set<Int> = []) -> NodeCost {
    let roles = types.indices.map { index -> GraphTensors.Role in
      if constants.contains(index) { return .constant }
      return variables.contains(index) ? .variable : .activation
    }
    return NodeCost(node, GraphTensors(types: types, roles: roles))
  }
}
