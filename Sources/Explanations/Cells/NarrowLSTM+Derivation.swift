// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension NarrowLSTM: ExplainableKernel, ExplainedLSTM {
  func vectors(at step: LSTMStep, in node: EvaluatedNode) -> IntegerLSTMVectors {
    IntegerLSTMVectors(at: step, of: layout, in: node)
  }

  func gate(
    _ gate: LSTMGate, of cells: Range<Int>, _ vectors: IntegerLSTMVectors,
    states: CellVector<Int16>, _ record: inout CellRecord
  ) -> [Int16] {
    let factors: Constants.Gate
    switch gate {
    case .forget: factors = constants.forget
    case .cell: factors = constants.cell
    case .output: factors = constants.output
    // The kernel ignores an input gate's tensors.
    case .input: return []
    }
    var values = [Int16](repeating: 0, count: layout.cellCount)
    for cell in cells {
      record.follow(cell)
      record.steps.part = "\(gate.name), input"
      let fromInput = record.product(
        factors.input, vectors.input, zeroPoint: constants.inputZeroPoint, row: cell,
        of: layout.tensors.inputWeights(gate))
      record.steps.part = "\(gate.name), state"
      let fromState = record.product(
        factors.recurrent, vectors.state, zeroPoint: constants.stateZeroPoint, row: cell,
        of: layout.tensors.recurrentWeights(gate))
      values[cell] = record.steps.saturatedSum(fromState, fromInput, to: Int16.self)
    }
    normalize(&values, gate, scale: factors.layerNormScale, &record)
    for cell in cells {
      record.follow(cell)
      record.steps.part = gate.name
      let value = record.steps.real(values[cell], fractionBits: 12)
      values[cell] =
        gate == .cell
        ? record.steps.narrowTanh(value) : record.steps.narrowLogistic(value)
    }
    return values
  }

  /// Layer normalization of a gate's sums in float32.
  private func normalize(
    _ values: inout [Int16], _ gate: LSTMGate, scale: Float, _ record: inout CellRecord
  ) {
    record.followAll()
    record.steps.part = "\(gate.name), normalization"
    record.list(CellVector(source: .computed("sum"), start: 0, elements: values))
    let count = Float(layout.cellCount)
    let numbers = values.map { Float($0) }
    let sum = record.steps.sum(numbers, .oneByOne, of: "sums")
    let mean = record.steps.add("mean", "\(sum) / \(layout.cellCount)", float: sum / count)
    let squares = record.steps.sum(numbers.map { $0 * $0 }, .oneByOne, of: "squares")
    var variance = record.steps.add(
      "variance", "\(squares) / \(layout.cellCount) - \(mean.operand)²",
      float: squares / count - mean * mean)
    if variance == 0 { variance = record.steps.add("variance", "not 0", float: 1e-8) }
    let inverse = record.steps.add(
      "inverse deviation", "1 / √\(variance)", float: 1 / variance.squareRoot())
    for cell in values.indices {
      record.follow(cell)
      let normal = record.steps.add(
        "normalized", "(\(values[cell]) - \(mean.operand)) × \(inverse)",
        float: (numbers[cell] - mean) * inverse)
      values[cell] = weigh(normal, cell, gate, scale, &record)
    }
  }

  /// A normalized sum times its coefficient, with its bias, as a Q3.12 number.
  private func weigh(
    _ normal: Float, _ cell: Int, _ gate: LSTMGate, _ scale: Float, _ record: inout CellRecord
  ) -> Int16 {
    let coefficient: Int16 =
      layout.tensors.layerNorm(gate).flatMap { record.element("coefficient", $0, cell) } ?? 0
    let weighted = record.steps.add(
      "weighted", "\(normal) × \(coefficient.operand) × \(scale.operand), the coefficient's scale",
      float: normal * Float(coefficient) * scale)
    let bias: Int32 = record.element("bias", layout.tensors.bias(gate), cell) ?? 0
    let biasScale = 0x1p-10 * scale
    let real = record.steps.add(
      "real bias", "\(bias) × \(biasScale.operand)", float: Float(bias) * biasScale)
    let sum = record.steps.total(weighted, real)
    let rounded = record.steps.add(
      "rounding", "round(\(sum) × 2^12), halves away from zero",
      integer: Int32(roundingOrLeast: sum * 0x1p12))
    return record.steps.saturate(rounded, to: Int16.self)
  }

  func state(
    of cell: Int, from state: Int16, _ gates: LSTMGates<Int16>, _ steps: inout StepList
  ) -> Int16 {
    var gates = gates
    gates.input = nil
    return steps.integerState(
      from: state, gates, cell, addedShift: 15, clip: constants.cellClip)
  }

  func result(
    of cell: Int, state: Int16, _ gates: LSTMGates<Int16>, _ steps: inout StepList
  ) -> Int16 {
    let activated = steps.narrowTanh(steps.real(state, fractionBits: 15))
    return steps.product(gates.output[cell], activated, shift: 15, "product")
  }

  func projected(
    _ index: Int, _ results: CellVector<Int16>, _ step: LSTMStep, _ record: inout CellRecord
  ) -> StoredValue {
    let weights = record.node.row(
      index, of: layout.tensors.projection, count: layout.cellCount, as: Int8.self)
    let sum = record.steps.sum(record.products(results, weights), as: Int64.self)
    let bias: Int32 = record.element("bias", layout.tensors.projectionBias, index) ?? 0
    let biased = record.steps.total(sum, Int64(bias))
    let scaled = record.steps.scaleWide(biased, by: constants.projection)
    let quantized = record.steps.saturate(
      record.steps.addZeroPoint(scaled, constants.stateZeroPoint), to: Int8.self)
    return StoredValue(record.steps.clip(quantized, to: constants.projectionClip))
  }
}

extension CellRecord {
  /// A gate's product that passes through int8 on its way to the gate's scale.
  fileprivate mutating func product(
    _ product: NarrowProduct, _ vector: CellVector<Int8>, zeroPoint: Int32, row: Int,
    of position: Int
  ) -> Int32 {
    let sum = sum(vector, zeroPoint: zeroPoint, row: row, of: position)
    let scaled = steps.scale(sum, by: product.toByte)
    let quantized = steps.saturate(
      steps.addZeroPoint(scaled, product.zeroPoint), to: Int8.self)
    let distance = steps.add(
      "distance", "\(quantized) - \(product.zeroPoint.operand)",
      integer: Int32(quantized) - product.zeroPoint)
    return steps.scale(distance, by: product.toGate)
  }
}

extension StepList {
  /// What a number with so many fraction bits stands for.
  fileprivate mutating func real(_ value: Int16, fractionBits: Int) -> Float {
    let unit = Float(sign: .plus, exponent: 0 - fractionBits, significand: 1)
    return add("real", "\(value) / 2^\(fractionBits)", float: Float(value) * unit)
  }

  fileprivate mutating func narrowTanh(_ x: Float) -> Int16 {
    fraction(add("tanh", "tanh(\(x))", float: FloatMath.tanh(x)))
  }

  fileprivate mutating func narrowLogistic(_ x: Float) -> Int16 {
    fraction(
      add("logistic", "1 / (1 + exp(-\(x.operand)))", float: 1 / (1 + FloatMath.exp(0 - x))))
  }

  /// A number as a Q0.15 number.
  private mutating func fraction(_ value: Float) -> Int16 {
    saturate(
      add(
        "fixed point", "\(value) × 2^15, towards zero",
        integer: Int32(truncatingOrLeast: value * 0x1p15)), to: Int16.self)
  }
}
