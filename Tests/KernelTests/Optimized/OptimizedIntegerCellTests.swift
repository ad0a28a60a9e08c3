// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for recurrent cells with an integer state, bit for bit.
@Suite struct OptimizedIntegerCellTests {
  @Test(arguments: 0..<60)
  func `LSTM cells`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let sizes = CellSizes(&random)
    var options = UnidirectionalSequenceLSTMOptions()
    options.timeMajor = sizes.isTimeMajor
    options.cellClip = random.pick([0, 0, 0.7])
    options.projectionClip = random.pick([0, 0, 0.3])
    func weights(_ rows: Int, _ columns: Int) -> Tensor {
      let codes = random.codes(rows * columns, as: Int8.self)
      return Tensor([rows, columns], codes, scale: random.pick([0.02, 0.003, 0.3])).constant
    }
    func bias(_ count: Int) -> Tensor {
      let sums = (0..<count).map { _ in Int32.random(in: -20_000...20_000, using: &random) }
      return Tensor([count], sums).constant
    }
    var inputs = [Tensor?](repeating: nil, count: 24)
    inputs[0] = Tensor(
      sizes.inputShape, random.codes(sizes.inputShape.elementCount, as: Int8.self),
      scale: random.pick([0.03, 0.001]), zeroPoint: random.pick([-128, 127, 5]))
    let firstGate = random.pick([0, 0, 1])
    for gate in firstGate..<4 {
      inputs[1 + gate] = weights(sizes.cells, sizes.inputs)
      inputs[5 + gate] = weights(sizes.cells, sizes.outputs)
      inputs[12 + gate] = bias(sizes.cells)
    }
    if sizes.isProjected {
      inputs[16] = weights(sizes.outputs, sizes.cells)
      if Bool.random(using: &random) { inputs[17] = bias(sizes.outputs) }
    }
    let hidden = Quantization(scale: 1 / 128, zeroPoint: random.pick([0, -128, 127, -9]))
    let (batches, outputs) = (sizes.batches, sizes.outputs)
    inputs[18] = Tensor(
      [batches, outputs], random.codes(batches * outputs, as: Int8.self),
      scale: hidden.scales[0], zeroPoint: hidden.zeroPoints[0])
    inputs[19] = Tensor(
      [batches, sizes.cells], random.codes(batches * sizes.cells, as: Int16.self),
      scale: random.pick([0x1p-15, 0x1p-12, 0x1p-11, 0x1p-9]))
    let results = Quantization(scale: 1 / 127, zeroPoint: random.pick([0, -128, 127, 4]))
    try RecurrentProblem(
      seed: seed, code: .unidirectionalSequenceLSTM, options: options, inputs: inputs,
      states: [18, 19],
      intermediates: [nil, nil, nil, nil, TensorType(.int8, [], quantization: results)],
      outputs: [TensorType(.int8, [], quantization: hidden)],
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: MicrokernelSet.tested)
  func `functions of every 16-bit number`(set: MicrokernelSet) {
    let numbers = (Int16.min ... .max).map { $0 }
    #expect(values(of: .logistic, numbers, set) == numbers.map { FixedPoint16.logistic($0) })
    for bits in 0...6 as ClosedRange<Int32> {
      let expected = numbers.map { FixedPoint16.tanh($0, integerBits: bits) }
      #expect(values(of: .tanh(integerBits: bits), numbers, set) == expected, "\(bits) bits")
    }
  }

  private func values(
    of function: WordFunction, _ numbers: [Int16], _ set: MicrokernelSet
  ) -> [Int16] {
    let (input, output) = (GuardedBuffer(numbers), GuardedBuffer(numbers))
    unsafe set.word.apply(
      function,
      WordFunctionTask(input: input.address, output: output.address, count: numbers.count))
    return output.elements
  }
}

/// The sizes of a recurrent node.
struct CellSizes {
  let batches: Int
  let steps: Int
  let inputs: Int
  let cells: Int
  let outputs: Int
  let isProjected: Bool
  let isTimeMajor: Bool

  init(_ random: inout SeededRandom) {
    batches = random.pick([1, 1, 2, 3, 30])
    steps = random.pick([1, 2, 7, 28])
    inputs = random.pick([1, 3, 16, 28, 65, 257])
    cells = random.pick([1, 4, 16, 20, 31, 32, 33, 64, 100])
    isProjected = random.pick([false, false, true])
    outputs = isProjected ? random.pick([1, 8, 33]) : cells
    isTimeMajor = Bool.random(using: &random)
  }

  var inputShape: Shape {
    isTimeMajor ? [steps, batches, inputs] : [batches, steps, inputs]
  }
}
