// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for recurrent cells with a float state and float or integer weights: the same
/// sums in the same order, and so the same bits.
@Suite struct OptimizedCellTests {
  @Test(arguments: 0..<60)
  func `LSTM cells`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = CellSizes(&random)
    var options = UnidirectionalSequenceLSTMOptions()
    options.timeMajor = sizes.isTimeMajor
    options.fusedActivation = random.pick([.tanh, .tanh, .relu, .none])
    options.cellClip = random.pick([0, 0, 0.7])
    options.asymmetricQuantizeInputs = Bool.random(using: &random)
    var inputs = [Tensor?](repeating: nil, count: 24)
    inputs[0] = random.tensor(sizes.inputShape)
    let cell = random.lstm(sizes, isHybrid: Bool.random(using: &random))
    for position in 1...17 { inputs[position] = cell[position - 1] }
    inputs[18] = random.tensor([sizes.batches, sizes.outputs])
    inputs[19] = random.tensor([sizes.batches, sizes.cells])
    try RecurrentProblem(
      seed: seed, code: .unidirectionalSequenceLSTM, options: options, inputs: inputs,
      states: [18, 19], outputs: [TensorType(.float32, [])]
    ).expectSameBytes()
  }

  @Test(arguments: 0..<30)
  func `LSTM cells in both directions`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = CellSizes(&random)
    var options = BidirectionalSequenceLSTMOptions()
    options.timeMajor = sizes.isTimeMajor
    options.fusedActivation = .tanh
    options.mergesOutputs = Bool.random(using: &random)
    var inputs = [Tensor?](repeating: nil, count: 48)
    inputs[0] = random.tensor(sizes.inputShape)
    let isHybrid = Bool.random(using: &random)
    for first in [1, 18] {
      let cell = random.lstm(sizes, isHybrid: isHybrid)
      for index in 0..<17 { inputs[first + index] = cell[index] }
    }
    for position in [35, 37] {
      inputs[position] = random.tensor([sizes.batches, sizes.outputs])
      inputs[position + 1] = random.tensor([sizes.batches, sizes.cells])
    }
    let type = TensorType(.float32, [])
    try RecurrentProblem(
      seed: seed, code: .bidirectionalSequenceLSTM, options: options, inputs: inputs,
      states: [35, 36, 37, 38], outputs: options.mergesOutputs ? [type] : [type, type]
    ).expectSameBytes()
  }

  @Test(arguments: 0..<40)
  func `simple cells`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = CellSizes(&random)
    var options = SequenceRNNOptions()
    options.timeMajor = sizes.isTimeMajor
    options.fusedActivation = random.pick([.tanh, .relu])
    options.asymmetricQuantizeInputs = Bool.random(using: &random)
    let isHybrid = Bool.random(using: &random)
    let inputs = [
      random.tensor(sizes.inputShape), random.weights(sizes.cells, sizes.inputs, isHybrid),
      random.weights(sizes.cells, sizes.cells, isHybrid), random.tensor([sizes.cells]).constant,
      random.tensor([sizes.batches, sizes.cells]),
    ]
    try RecurrentProblem(
      seed: seed, code: .unidirectionalSequenceRNN, options: options, inputs: inputs, states: [4],
      outputs: [TensorType(.float32, [])]
    ).expectSameBytes()
  }

  /// The sizes of a random SVDF node, and its options.
  private struct Filters {
    let batches: Int
    let inputs: Int
    let units: Int
    let count: Int
    let steps: Int
    let options: SVDFOptions

    init(_ random: inout SeededRandom) {
      var options = SVDFOptions()
      options.rank = random.pick([1, 2, 3])
      options.fusedActivation = .relu
      options.asymmetricQuantizeInputs = Bool.random(using: &random)
      (batches, inputs) = (random.pick([1, 2]), random.pick([1, 3, 40, 65]))
      steps = random.pick([1, 3, 4, 5, 8, 10, 13, 27])
      units = random.pick([1, 5, 32])
      count = units * Int(options.rank)
      self.options = options
    }
  }

  @Test(arguments: 0..<40)
  func filters(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = Filters(&random)
    let isHybrid = seed % 2 == 1
    let tensors = [
      random.tensor([sizes.batches, sizes.inputs]),
      random.weights(sizes.count, sizes.inputs, isHybrid),
      random.weights(sizes.count, sizes.steps, isHybrid),
      random.pick([random.tensor([sizes.units]).constant, nil]),
      random.tensor([sizes.batches, sizes.count * sizes.steps]),
    ]
    try RecurrentProblem(
      seed: seed, code: .svdf, options: sizes.options, inputs: tensors, states: [4],
      outputs: [TensorType(.float32, [])]
    ).expectSameBytes()
  }

  @Test(arguments: 0..<40)
  func `filters of integers`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = Filters(&random)
    let bias = (0..<sizes.units).map { _ in Int32.random(in: -20_000...20_000, using: &random) }
    let (inputCount, weightCount) = (sizes.batches * sizes.inputs, sizes.count * sizes.steps)
    let weights: Shape = [sizes.count, sizes.steps]
    let memory: Shape = [sizes.batches, weightCount]
    let memoryCount = sizes.batches * weightCount
    let (time, state) =
      seed % 2 == 0
      ? (
        Tensor(weights, random.codes(weightCount, as: Int16.self), scale: 0.0005),
        Tensor(
          memory, random.codes(memoryCount, as: Int16.self), scale: random.pick([0.001, 0.01]))
      )
      : (
        Tensor(weights, random.codes(weightCount, as: Int8.self), scale: 0.02),
        Tensor(
          memory, random.codes(memoryCount, as: Int8.self), scale: random.pick([0.01, 0.2]),
          zeroPoint: random.pick([0, -128, 40]))
      )
    let tensors = [
      Tensor(
        [sizes.batches, sizes.inputs], random.codes(inputCount, as: Int8.self), scale: 0.02,
        zeroPoint: random.pick([0, -128, 127])),
      random.weights(sizes.count, sizes.inputs, true), time.constant,
      random.pick([Tensor([sizes.units], bias).constant, nil]), state,
    ]
    try RecurrentProblem(
      seed: seed, code: .svdf, options: sizes.options, inputs: tensors, states: [4],
      outputs: [
        TensorType(
          .int8, [], quantization: Quantization(scale: random.pick([0.1, 3]), zeroPoint: -7))
      ],
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }
}

extension SeededRandom {
  /// Floats within ±1.
  fileprivate mutating func tensor(_ shape: Shape) -> Tensor {
    Tensor(shape, floats(shape.elementCount))
  }

  /// A constant matrix of floats or of quantized values.
  fileprivate mutating func weights(_ rows: Int, _ columns: Int, _ isHybrid: Bool) -> Tensor {
    guard isHybrid else { return tensor([rows, columns]).constant }
    return Tensor(
      [rows, columns], codes(rows * columns, as: Int8.self), scale: pick([0.003, 0.01])
    ).constant
  }

  /// The weights and biases of an LSTM cell, in the order of its node.
  fileprivate mutating func lstm(_ sizes: CellSizes, isHybrid: Bool) -> [Tensor?] {
    var tensors = [Tensor?](repeating: nil, count: 17)
    for gate in pick([0, 0, 1])..<4 {
      tensors[gate] = weights(sizes.cells, sizes.inputs, isHybrid)
      tensors[4 + gate] = weights(sizes.cells, sizes.outputs, isHybrid)
      tensors[11 + gate] = tensor([sizes.cells]).constant
    }
    if sizes.isProjected {
      tensors[15] = weights(sizes.outputs, sizes.cells, isHybrid)
      tensors[16] = pick([tensor([sizes.outputs]).constant, nil])
    }
    return tensors
  }
}
