// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The vectors that an integer cell's gates multiply at one step.
struct IntegerLSTMVectors {
  let input: CellVector<Int8>
  let state: CellVector<Int8>
  let batch: Int

  /// The vectors of a step.
  init(at step: LSTMStep, of layout: LSTMLayout, in node: EvaluatedNode) {
    input = node.vector(
      .input(layout.tensors.input), from: step.row * layout.inputCount, count: layout.inputCount)
    state = layout.outputState(at: step, in: node)
    batch = step.batch
  }
}

extension IntegerLSTM: ExplainableKernel, ExplainedLSTM {
  func vectors(at step: LSTMStep, in node: EvaluatedNode) -> IntegerLSTMVectors {
    IntegerLSTMVectors(at: step, of: layout, in: node)
  }

  func gate(
    _ gate: LSTMGate, of cells: Range<Int>, _ vectors: IntegerLSTMVectors,
    states: CellVector<Int16>, _ record: inout CellRecord
  ) -> [Int16] {
    let factors =
      switch gate {
      case .input: constants.input
      case .forget: constants.forget
      case .cell: constants.cell
      case .output: constants.output
      }
    var values = [Int16](repeating: 0, count: layout.cellCount)
    for cell in cells {
      record.follow(cell)
      values[cell] = sum(gate, of: cell, factors, vectors, &record)
      if layout.hasPeepholes, let peephole = layout.tensors.peephole(gate) {
        record.steps.part = "\(gate.name), cell state"
        values[cell] = add(
          peephole, factors.peephole, states, cell, vectors.batch, to: values[cell], &record)
      }
    }
    if layout.hasLayerNorm { normalize(&values, gate, factors, &record) }
    for cell in cells {
      record.follow(cell)
      record.steps.part = gate.name
      values[cell] =
        gate == .cell
        ? record.steps.tanh(values[cell], integerBits: 3) : record.steps.logistic(values[cell])
    }
    return values
  }

  /// The sum of a gate's products with the input and the output state.
  private func sum(
    _ gate: LSTMGate, of cell: Int, _ factors: Constants.Gate, _ vectors: IntegerLSTMVectors,
    _ record: inout CellRecord
  ) -> Int16 {
    let tensors = layout.tensors
    record.steps.part = "\(gate.name), input"
    let inputSum = record.sum(
      vectors.input, zeroPoint: constants.inputZeroPoint, row: cell,
      of: tensors.inputWeights(gate))
    let bias: Int32? =
      layout.hasLayerNorm ? nil : record.element("bias", tensors.bias(gate), cell)
    let biased = bias.map { record.steps.total(inputSum, $0) } ?? inputSum
    let value = record.steps.saturate(
      record.steps.scale(biased, by: factors.input), to: Int16.self)
    record.steps.part = "\(gate.name), state"
    let stateSum = record.sum(
      vectors.state, zeroPoint: constants.stateZeroPoint, row: cell,
      of: tensors.recurrentWeights(gate))
    let scaled = record.steps.scale(stateSum, by: factors.recurrent)
    return record.steps.saturatedSum(scaled, Int32(value), to: Int16.self)
  }

  /// Adds the peephole's product, in the rows where TFLite comes to.
  private func add(
    _ position: Int, _ factor: FixedPointMultiplier, _ states: CellVector<Int16>, _ cell: Int,
    _ batch: Int, to value: Int16, _ record: inout CellRecord
  ) -> Int16 {
    let outputs = layout.outputCount
    let location = (layout.isTimeMajor ? batch * layout.cellCount : 0) + cell
    guard location < (layout.isTimeMajor ? layout.batchCount * outputs : outputs) else {
      return record.steps.add(
        "left out", "TFLite's loop runs over outputs, not cells", integer: value)
    }
    let weight = record.node.row(location % outputs, of: position, count: 1, as: Int16.self)
    let product = record.products(states.only(cell), weight)
    let scaled = record.steps.scale(
      record.steps.sum(product, as: Int32.self), by: factor)
    return record.steps.saturatedSum(scaled, Int32(value), to: Int16.self)
  }

  /// Layer normalization of a gate's sums, with ten more fraction bits than they have.
  private func normalize(
    _ values: inout [Int16], _ gate: LSTMGate, _ factors: Constants.Gate,
    _ record: inout CellRecord
  ) {
    record.followAll()
    record.steps.part = "\(gate.name), normalization"
    record.list(CellVector(source: .computed("sum"), start: 0, elements: values))
    let count = Int64(layout.cellCount)
    let sum = record.steps.sum(values.map(Int.init), as: Int64.self)
    let mean = record.steps.add(
      "mean", "\(sum) × 2^10 / \(count), towards zero", integer: sum * 1024 / count)
    let squares = record.steps.add(
      "squares", "sum of the squares",
      integer: values.reduce(Int64(0)) { $0 + Int64($1) * Int64($1) })
    let variance = record.steps.add(
      "variance",
      "(\(squares) × (2^20 / \(count), towards zero) - \(mean.operand)²) / 2^20, towards zero",
      integer: (squares * ((1 << 20) / count) - mean * mean) / (1 << 20))
    var guarded = Int32(truncatingIfNeeded: variance)
    if variance < 1 {
      guarded = record.steps.add(
        "variance", "below 1, so what the coefficients' scale allows",
        integer: factors.varianceGuard)
    }
    // The factor that it gives is told where it is used.
    let inverse = FixedPoint.inverseSquareRoot(guarded, rounding: factors.layerNorm.rounding)
    for cell in values.indices {
      record.follow(cell)
      let difference = record.steps.add(
        "difference", "2^10 × \(values[cell]) - \(mean.operand)",
        integer: Int32(truncatingIfNeeded: 1024 * Int64(values[cell]) - mean))
      let normal = record.steps.scale(difference, by: inverse, "inverse deviation")
      values[cell] = weigh(normal, cell, gate, factors, &record)
    }
  }

  /// A normalized sum times its coefficient, with its bias, as a Q3.12 number.
  private func weigh(
    _ normal: Int32, _ cell: Int, _ gate: LSTMGate, _ factors: Constants.Gate,
    _ record: inout CellRecord
  ) -> Int16 {
    let coefficient: Int16 =
      layout.tensors.layerNorm(gate).flatMap { record.element("coefficient", $0, cell) } ?? 0
    let weighted = record.steps.add(
      "weighted", "\(normal) × \(coefficient.operand)", integer: normal &* Int32(coefficient))
    let bias: Int32 = record.element("bias", layout.tensors.bias(gate), cell) ?? 0
    let sum = Int64(record.steps.total(weighted, bias))
    let rounded = record.steps.add(
      "rounding", "round(\(sum) / 2^10), halves away from zero",
      integer: Int32(truncatingIfNeeded: (sum > 0 ? sum + 512 : sum - 512) / 1024))
    return record.steps.saturate(
      record.steps.scale(rounded, by: factors.layerNorm), to: Int16.self)
  }

  func state(
    of cell: Int, from state: Int16, _ gates: LSTMGates<Int16>, _ steps: inout StepList
  ) -> Int16 {
    steps.integerState(
      from: state, gates, cell, addedShift: 30 + constants.cellScaleExponent,
      clip: constants.cellClip)
  }

  func result(
    of cell: Int, state: Int16, _ gates: LSTMGates<Int16>, _ steps: inout StepList
  ) -> Int8 {
    let activated = steps.tanh(state, integerBits: 15 + constants.cellScaleExponent)
    let product = steps.add(
      "product", "\(gates.output[cell]) × \(activated.operand), output gate × that",
      integer: Int32(gates.output[cell]) * Int32(activated))
    let scaled = steps.scale(product, by: constants.result)
    // A projection takes its zero point with the opposite sign.
    let zeroPoint = constants.resultZeroPoint
    return steps.saturate(
      steps.addZeroPoint(scaled, layout.hasProjection ? 0 &- zeroPoint : zeroPoint),
      to: Int8.self)
  }

  func projected(
    _ index: Int, _ results: CellVector<Int8>, _ step: LSTMStep, _ record: inout CellRecord
  ) -> StoredValue {
    let sum = record.sum(
      results, zeroPoint: 0 &- constants.resultZeroPoint, row: index,
      of: layout.tensors.projection)
    let bias: Int32? = record.element("bias", layout.tensors.projectionBias, index)
    let biased = bias.map { record.steps.total(sum, $0) } ?? sum
    let scaled = record.steps.scale(biased, by: constants.projection)
    let quantized = record.steps.saturate(
      record.steps.addZeroPoint(scaled, constants.stateZeroPoint), to: Int8.self)
    return StoredValue(record.steps.clip(quantized, to: constants.projectionClip))
  }
}

extension StepList {
  /// The sum of two integers.
  mutating func total<Number: FixedWidthInteger>(_ a: Number, _ b: Number) -> Number {
    add("sum", "\(a) + \(b.operand)", integer: a &+ b)
  }

  /// The new state of a cell whose gates and state are 16-bit numbers; what the cell gate adds is
  /// shifted by `addedShift`.
  mutating func integerState(
    from state: Int16, _ gates: LSTMGates<Int16>, _ cell: Int, addedShift: Int32, clip limit: Int16
  ) -> Int16 {
    let forget = gates.forget[cell]
    let share =
      gates.input?[cell]
      ?? add("input gate", "32767 - \(forget), there being none", integer: .max &- forget)
    let kept = product(forget, state, shift: 15, "kept")
    let added = product(share, gates.cell[cell], shift: addedShift, "added")
    return clip(saturatedSum(Int32(kept), Int32(added), to: Int16.self), to: limit)
  }
}
