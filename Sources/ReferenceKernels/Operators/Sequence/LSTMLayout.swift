// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

/// The sizes of a full LSTM cell that runs over a sequence, and which of its optional parts it has.
package struct LSTMLayout: Sendable {
  /// Where the node has the cell's tensors.
  package let tensors: LSTMTensors
  /// Whether the sequence is walked from its end.
  package let isBackward: Bool
  /// Steps of the sequence.
  package let timeCount: Int
  /// Sequences in the batch.
  package let batchCount: Int
  /// Whether all first steps come before all second steps, or whole sequences one after another.
  package let isTimeMajor: Bool
  /// Elements of a step's input.
  package let inputCount: Int
  /// Elements of a step's auxiliary input; 0 without one.
  package let auxiliaryCount: Int
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
  /// Whether gates are normalized over the cells.
  package let hasLayerNorm: Bool
  /// Which of the node's inputs are diagonals of matrices.
  package let isDiagonal: [Bool]
  /// Where results go.
  package var output: SequenceOutput

  /// The gates to compute besides the output gate, which comes after the cell state's update.
  package var gates: [LSTMGate] {
    hasInputGate ? [.input, .forget, .cell] : [.forget, .cell]
  }

  /// The layout of the cell that has `tensors`.
  ///
  /// - Throws: `KernelError` where tensors are missing or sizes contradict each other.
  package init(
    _ node: PrepareContext, _ tensors: LSTMTensors = .single, isTimeMajor: Bool,
    isBackward: Bool = false
  ) throws(KernelError) {
    let input = try node.input(tensors.input).shape
    guard (2...3).contains(input.rank) else {
      throw .rank(input.rank, wanted: "2 or 3", .input(tensors.input))
    }
    let weights = try node.input(tensors.inputWeights(.output)).shape
    let recurrent = try node.input(tensors.recurrentWeights(.output)).shape
    guard weights.rank == 2 else {
      throw .rank(weights.rank, wanted: "2", .input(tensors.inputWeights(.output)))
    }
    guard let outputCount = recurrent.dimensions.last else {
      throw .rank(0, wanted: "1 or 2", .input(tensors.recurrentWeights(.output)))
    }
    func has(_ position: Int?) -> Bool {
      position.map { node.optionalInput($0) != nil } ?? false
    }
    self.tensors = tensors
    self.isTimeMajor = isTimeMajor
    self.isBackward = isBackward
    timeCount = input.rank == 3 ? input[isTimeMajor ? 0 : 1] : 1
    batchCount = input.rank == 3 && isTimeMajor ? input[1] : input[0]
    inputCount = input[input.rank - 1]
    auxiliaryCount =
      try tensors.auxiliary.map { auxiliary throws(KernelError) in
        try node.input(auxiliary.input).shape.dimensions.last ?? 0
      } ?? 0
    cellCount = weights[0]
    self.outputCount = outputCount
    output = SequenceOutput(position: 0, stride: outputCount)
    hasInputGate = has(tensors.inputWeights(.input))
    hasPeepholes = has(tensors.peephole(.output))
    hasProjection = has(tensors.projection)
    hasLayerNorm = has(tensors.layerNorm(.forget))
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

  /// The steps that TFLite computes together with `step`: the same step of every sequence of a
  /// time-major batch.
  package func rowsComputedWith(_ step: Int) -> Range<Int> {
    guard isTimeMajor else { return step..<step + 1 }
    let first = step - step % batchCount
    return first..<first + batchCount
  }

  /// The logistic function of a gate, and at which of its elements the cells of `batch` begin.
  ///
  /// TFLite has one buffer for the cell gate and the other gates, in this order save for the input
  /// gate, which is the first. Each is of the whole batch, and all sequences of a time-major batch
  /// are one vector.
  package func logistic(_ gate: LSTMGate, _ batch: Int) -> (function: VectorLogistic, first: Int) {
    let location =
      switch gate {
      case .input: 0
      case .cell: hasInputGate ? 1 : 0
      case .forget: hasInputGate ? 2 : 1
      case .output: hasInputGate ? 3 : 2
      }
    let start = location % 4 * (cellCount % 4) * (batchCount % 4)
    guard isTimeMajor else {
      return (VectorLogistic(start: start + batch % 4 * (cellCount % 4), count: cellCount), 0)
    }
    return (VectorLogistic(start: start, count: batchCount * cellCount), batch * cellCount)
  }

  /// How many sequences' steps are computed at once.
  var vectorCount: Int { isTimeMajor ? batchCount : 1 }

  /// The number of a sequence among those whose steps are computed at once.
  package func location(_ batch: Int) -> Int { isTimeMajor ? batch : 0 }

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
      try node.expect(tensors.inputWeights(gate), weightType, [cellCount, inputCount])
      let recurrent = tensors.recurrentWeights(gate)
      if allowsDiagonals, isDiagonal[recurrent] {
        try node.expect(recurrent, .float32, [outputCount])
        try node.expect(recurrent, .float32, [cellCount])
      } else {
        try node.expect(recurrent, weightType, [cellCount, outputCount])
      }
      try node.expect(tensors.bias(gate), biasType, [cellCount])
      if hasLayerNorm, let coefficients = tensors.layerNorm(gate) {
        try node.expect(coefficients, layerNormType, [cellCount])
      }
      if hasPeepholes, let peephole = tensors.peephole(gate) {
        try node.expect(peephole, peepholeType, [cellCount])
      }
      if let auxiliary = tensors.auxiliary {
        try node.expect(auxiliary.weights + gate.rawValue, weightType, [cellCount, auxiliaryCount])
      }
    }
    if hasProjection {
      try node.expect(tensors.projection, weightType, [outputCount, cellCount])
    }
    if node.optionalInput(tensors.projectionBias) != nil {
      guard hasProjection else {
        throw .invalid("bias without a projection", .input(tensors.projectionBias))
      }
      try node.expect(tensors.projectionBias, biasType, [outputCount])
    }
    if !hasInputGate {
      for position in [
        tensors.recurrentWeights(.input), tensors.bias(.input), tensors.layerNorm(.input),
      ] {
        try expectAbsent(node, position)
      }
    }
    if !hasPeepholes {
      try expectAbsent(node, tensors.peephole(.input))
      try expectAbsent(node, tensors.peephole(.forget))
    }
  }

  /// Checks that the states are variables of these types with an element for each cell or output.
  func checkStates(
    _ node: PrepareContext, output: ElementType, cell: ElementType
  ) throws(KernelError) {
    try node.expectState(tensors.outputState, output, elementCount: batchCount * outputCount)
    try node.expectState(tensors.cellState, cell, elementCount: batchCount * cellCount)
  }

  private func expectAbsent(_ node: PrepareContext, _ position: Int?) throws(KernelError) {
    if let position, node.optionalInput(position) != nil {
      throw .invalid("contradicts an absent tensor", .input(position))
    }
  }
}
