// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// The inputs of a full LSTM node that belong to one gate.
package struct LSTMGate: Sendable {
  /// `[cells, inputs]`.
  package let inputWeights: Int
  /// `[cells, outputs]`, or the diagonal of such a matrix.
  package let recurrentWeights: Int
  /// `[cells]`: the diagonal of a matrix from the cell state; nil for the cell gate.
  package let peephole: Int?
  /// `[cells]`.
  package let bias: Int
  /// `[cells]`.
  package let layerNorm: Int

  package static let input = LSTMGate(
    inputWeights: 1, recurrentWeights: 5, peephole: 9, bias: 12, layerNorm: 20)
  package static let forget = LSTMGate(
    inputWeights: 2, recurrentWeights: 6, peephole: 10, bias: 13, layerNorm: 21)
  package static let cell = LSTMGate(
    inputWeights: 3, recurrentWeights: 7, peephole: nil, bias: 14, layerNorm: 22)
  package static let output = LSTMGate(
    inputWeights: 4, recurrentWeights: 8, peephole: 11, bias: 15, layerNorm: 23)
}

/// The sizes of a full LSTM node over a sequence, and which of its optional parts it has.
package struct LSTMLayout: Sendable {
  /// Where the projection's weights `[outputs, cells]` and bias `[outputs]` are.
  package static let projection = (weights: 16, bias: 17)
  /// Where the states are: `[batch, outputs]` and `[batch, cells]`.
  package static let states = (output: 18, cell: 19)

  /// Steps of the sequence.
  package let timeCount: Int
  /// Sequences in the batch.
  package let batchCount: Int
  /// Whether all first steps come before all second steps, or whole sequences one after another.
  package let isTimeMajor: Bool
  /// Elements of a step's input.
  package let inputCount: Int
  /// Cells.
  package let cellCount: Int
  /// Elements of a step's output: cells, unless they are projected.
  package let outputCount: Int
  /// Whether the input gate is a gate of its own, not 1 less the forget gate.
  package let hasInputGate: Bool
  /// Whether gates see the cell state.
  package let hasPeepholes: Bool
  /// Whether outputs are a matrix times the cells' results.
  package let hasProjection: Bool
  /// Whether gates are normalised over the cells.
  package let hasLayerNorm: Bool
  /// Which of the node's inputs are diagonals of matrices.
  package let isDiagonal: [Bool]

  /// The gates to compute besides the output gate, which comes after the cell state's update.
  package var gates: [LSTMGate] {
    hasInputGate ? [.input, .forget, .cell] : [.forget, .cell]
  }

  /// The layout of a node with 20 inputs, or 24 with layer normalisation.
  ///
  /// - Throws: `KernelError` where tensors are missing or sizes contradict each other.
  package init(_ node: PrepareContext, isTimeMajor: Bool) throws(KernelError) {
    guard [20, 24].contains(node.inputs.count) else {
      throw .invalid("\(node.inputs.count) inputs, wanted 20 or 24")
    }
    let input = try node.input(0).shape
    guard (2...3).contains(input.rank) else { throw .rank(input.rank, wanted: "2 or 3", .input(0)) }
    let steps = input.rank == 3 ? input[isTimeMajor ? 0 : 1] : 1
    timeCount = steps
    batchCount = input.rank == 3 && isTimeMajor ? input[1] : input[0]
    self.isTimeMajor = isTimeMajor
    inputCount = input[input.rank - 1]
    let weights = try node.input(LSTMGate.output.inputWeights).shape
    let recurrent = try node.input(LSTMGate.output.recurrentWeights).shape
    guard weights.rank == 2 else {
      throw .rank(weights.rank, wanted: "2", .input(LSTMGate.output.inputWeights))
    }
    guard let outputCount = recurrent.dimensions.last else {
      throw .rank(0, wanted: "1 or 2", .input(LSTMGate.output.recurrentWeights))
    }
    cellCount = weights[0]
    self.outputCount = outputCount
    hasInputGate = node.optionalInput(LSTMGate.input.inputWeights) != nil
    hasPeepholes = node.optionalInput(11) != nil
    hasProjection = node.optionalInput(Self.projection.weights) != nil
    hasLayerNorm = node.optionalInput(LSTMGate.forget.layerNorm) != nil
    isDiagonal = node.inputs.map { $0?.type.shape.rank == 1 }
    guard cellCount > 0, outputCount > 0 else {
      throw .invalid("\(cellCount) cells and \(outputCount) outputs")
    }
    guard hasProjection || outputCount == cellCount else {
      throw .invalid("\(cellCount) cells for \(outputCount) outputs without a projection")
    }
  }

  /// Where the step `time` of sequence `batch` lies among all steps.
  package func step(_ time: Int, of batch: Int) -> Int {
    isTimeMajor ? time * batchCount + batch : batch * timeCount + time
  }

  /// Checks every tensor: weights of `weightType`, peepholes of `peepholeType` and so on.
  ///
  /// Recurrent weights that are diagonals are float32 whatever the type of the matrices.
  ///
  /// - Throws: `KernelError` for a tensor of another type or size, or one that may not be there.
  func check(
    _ node: PrepareContext, weights weightType: ElementType, peepholes peepholeType: ElementType,
    bias biasType: ElementType, layerNorm layerNormType: ElementType, allowsDiagonals: Bool
  ) throws(KernelError) {
    for gate in gates + [.output] {
      try expect(node, gate.inputWeights, weightType, [cellCount, inputCount])
      if allowsDiagonals, isDiagonal[gate.recurrentWeights] {
        try expect(node, gate.recurrentWeights, .float32, [outputCount])
        try expect(node, gate.recurrentWeights, .float32, [cellCount])
      } else {
        try expect(node, gate.recurrentWeights, weightType, [cellCount, outputCount])
      }
      try expect(node, gate.bias, biasType, [cellCount])
      if hasLayerNorm { try expect(node, gate.layerNorm, layerNormType, [cellCount]) }
      if let peephole = gate.peephole, hasPeepholes {
        try expect(node, peephole, peepholeType, [cellCount])
      }
    }
    if hasProjection {
      try expect(node, Self.projection.weights, weightType, [outputCount, cellCount])
    }
    if node.optionalInput(Self.projection.bias) != nil {
      guard hasProjection else { throw .invalid("bias without a projection", .input(17)) }
      try expect(node, Self.projection.bias, biasType, [outputCount])
    }
    try expectAbsent(node, hasInputGate ? [] : [5, 12, 20])
    try expectAbsent(node, hasPeepholes ? [] : [9, 10])
  }

  /// Checks that the states are variables of these types with an element for each cell or output.
  func checkStates(
    _ node: PrepareContext, output: ElementType, cell: ElementType
  ) throws(KernelError) {
    for (position, type, count) in [
      (Self.states.output, output, outputCount), (Self.states.cell, cell, cellCount),
    ] {
      let state = try node.input(position)
      guard node.inputs[position]?.isVariable == true else {
        throw .invalid("state is no variable", .input(position))
      }
      guard state.elementType == type else {
        throw .elementType(state.elementType, .input(position))
      }
      guard state.shape.elementCount == batchCount * count else {
        throw .invalid("\(state.shape) state, wanted \(batchCount)x\(count)", .input(position))
      }
    }
  }

  private func expect(
    _ node: PrepareContext, _ position: Int, _ type: ElementType, _ dimensions: [Int]
  ) throws(KernelError) {
    let tensor = try node.input(position)
    guard tensor.elementType == type else {
      throw .elementType(tensor.elementType, .input(position))
    }
    guard tensor.shape.dimensions == dimensions else {
      throw .invalid("shape \(tensor.shape), wanted \(dimensions)", .input(position))
    }
  }

  private func expectAbsent(
    _ node: PrepareContext, _ positions: [Int]
  ) throws(KernelError) {
    for position in positions where node.optionalInput(position) != nil {
      throw .invalid("contradicts an absent tensor", .input(position))
    }
  }
}
