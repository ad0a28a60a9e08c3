// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The full LSTM cell whose gates are sums of two 8-bit numbers, with layer normalization, a
/// projection and no input gate.
///
///     f, o = σ(norm(W x + R h)),  g = tanh(norm(W x + R h))
///     c ← clip(f ⊙ c + (1 − f) ⊙ g),  h ← clip(P (o ⊙ tanh(c)) + b)
///
/// The products `W x` and `R h` are brought to int8 each, then to the gate's own scale and added
/// with saturation. Normalization and functions are computed in float32 between 16-bit quantized
/// values: Q3.12 before a function and Q0.15 after it, and in the cell state.
///
/// An input gate's tensors and peepholes are ignored. TFLite: `LstmStepInteger8x8_8`
/// (`lstm_eval.cc`).
package final class NarrowLSTM: SteppedKernel {
  /// The sizes.
  package let layout: LSTMLayout
  /// Every factor and limit.
  package let constants: Constants

  init(_ layout: LSTMLayout, _ constants: Constants) {
    self.layout = layout
    self.constants = constants
  }

  /// Bytes of the scratch tensors: forget, cell and output gate, which the cells' results replace.
  package var scratch: [Int] {
    let gate = layout.cellCount * MemoryLayout<Int16>.stride
    return [gate, gate, gate]
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    for batch in 0..<layout.batchCount {
      compute(.forget, constants.forget, frame, batch, to: 0, &steps)
      compute(.cell, constants.cell, frame, batch, to: 1, &steps)
      updateCells(frame, batch, &steps)
      compute(.output, constants.output, frame, batch, to: 2, &steps)
      updateOutput(frame, batch, &steps)
    }
  }

  /// The results of a sequence in the output.
  private func results(_ batch: Int) -> StepResults {
    StepResults(
      position: layout.output.position, first: batch * layout.outputCount,
      count: layout.outputCount)
  }

  private func compute(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame, _ batch: Int,
    to position: Int, _ steps: inout some Steps
  ) {
    var values = frame.scratch(position, as: Int16.self)
    let input = frame.input(layout.tensors.input, as: Int8.self)
    let state = frame.variable(layout.tensors.outputState, as: Int8.self)
    let (inputs, outputs) = (layout.inputCount, layout.outputCount)
    let inputVector = input.extracting(batch * inputs..<(batch + 1) * inputs)
    let stateVector = state.span.extracting(batch * outputs..<(batch + 1) * outputs)
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results(batch))
      steps.part("\(gate.name), input")
      let fromInput = factors.input.apply(
        frame.input(layout.tensors.inputWeights(gate)), row: cell, inputVector,
        zeroPoint: constants.inputZeroPoint, &steps)
      steps.part("\(gate.name), state")
      let fromState = factors.recurrent.apply(
        frame.input(layout.tensors.recurrentWeights(gate)), row: cell, stateVector,
        zeroPoint: constants.stateZeroPoint, &steps)
      values[cell] = steps.saturate(steps.sum(fromState, fromInput))
    }
    if let coefficients = layout.tensors.layerNorm(gate) {
      steps.part("\(gate.name), normalization")
      normalize(
        &values, frame.input(coefficients), frame.input(layout.tensors.bias(gate)),
        scale: factors.layerNormScale, results(batch), &steps)
    }
    steps.part(gate.name)
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results(batch))
      let value = steps.real(values[cell], fractionBits: 12)
      let function =
        gate == .cell
        ? steps.note("tanh", "tanh(\(value))", FloatMath.tanh(value))
        : steps.note(
          "logistic", "1 / (1 + exp(-\(value.operand)))", 1 / (1 + FloatMath.exp(0 - value)))
      values[cell] = steps.fraction(function)
    }
  }

  /// Normalizes the gate's sums; TFLite: `PortableApplyLayerNormFloat`.
  @_lifetime(values: copy values)
  private func normalize(
    _ values: inout MutableSpan<Int16>, _ coefficients: Span<Int16>, _ bias: Span<Int32>,
    scale: Float, _ results: StepResults, _ steps: inout some Steps
  ) {
    steps.about(allOf: results)
    let (mean, inverseDeviation) = moments(values.span, &steps)
    let biasScale = 0x1p-10 * scale
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results)
      let value = values[cell]
      let normal = steps.note(
        "normalized", "(\(value) - \(mean.operand)) × \(inverseDeviation)",
        (Float(value) - mean) * inverseDeviation)
      let coefficient = steps.element("coefficient", coefficients, cell)
      let weighted = steps.note(
        "weighted",
        "\(normal) × \(coefficient.operand) × \(scale.operand), the coefficient's scale",
        normal * Float(coefficient) * scale)
      let stored = steps.element("bias", bias, cell)
      let real = steps.product(Float(stored), biasScale, "real bias")
      let sum = steps.sum(weighted, real)
      values[cell] = steps.saturate(
        steps.note(
          "rounding", "round(\(sum) × 2^12), halves away from zero",
          Int32(roundingOrLeast: sum * 0x1p12)))
    }
  }

  /// The mean of a gate's sums and the reciprocal of their deviation.
  private func moments(
    _ values: Span<Int16>, _ steps: inout some Steps
  ) -> (mean: Float, inverseDeviation: Float) {
    let count = Float(layout.cellCount)
    var (sum, squares): (Float, Float) = (0, 0)
    for cell in values.indices {
      let value = Float(values[cell])
      sum += steps.term(value, of: values, cell, named: "sum")
      squares += value * value
    }
    let mean = steps.quotient(steps.accumulator(sum, of: "sums"), count, "mean")
    steps.note("squares", "sum of the squares", squares)
    var variance = steps.note(
      "variance", "\(squares) / \(count) - \(mean.operand)²", squares / count - mean * mean)
    if variance == 0 { variance = steps.note("variance", "not 0", 1e-8) }
    let inverse = steps.note(
      "inverse deviation", "1 / √\(variance)", 1 / variance.squareRoot())
    return (mean, inverse)
  }

  private func updateCells(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout some Steps
  ) {
    let forgetGate = frame.scratch(0, as: Int16.self)
    let cellGate = frame.scratch(1, as: Int16.self)
    var states = frame.variable(layout.tensors.cellState, as: Int16.self)
    steps.part("cell state")
    for cell in 0..<layout.cellCount {
      let index = batch * layout.cellCount + cell
      steps.about(cell, of: results(batch))
      let before = steps.element("before", states.span, index)
      let forget = forgetGate[cell]
      let share = steps.note(
        "input gate", "32767 - \(forget), there being none", .max &- forget)
      let kept = steps.product(forget, before, shift: 15, "kept")
      let added = steps.product(share, cellGate[cell], shift: 15, "added")
      let state: Int16 = steps.saturate(steps.sum(Int32(kept), Int32(added)))
      states[index] = steps.clip(state, to: constants.cellClip)
    }
  }

  private func updateOutput(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout some Steps
  ) {
    let cellStates = frame.variable(layout.tensors.cellState, as: Int16.self)
    var values = frame.scratch(2, as: Int16.self)
    steps.part("output")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results(batch))
      let state = steps.real(cellStates[batch * layout.cellCount + cell], fractionBits: 15)
      let activated = steps.fraction(
        steps.note("tanh", "tanh(\(state))", FloatMath.tanh(state)))
      values[cell] = steps.product(values[cell], activated, shift: 15, "product")
    }
    var states = frame.variable(layout.tensors.outputState, as: Int8.self)
    var output = frame.output(layout.output.position, as: Int8.self)
    steps.part("projection")
    for index in 0..<layout.outputCount {
      steps.about(index, of: results(batch))
      let value = projected(values.span, index, frame, &steps)
      states[batch * layout.outputCount + index] = value
      output[batch * layout.outputCount + index] = value
    }
  }

  private func projected(
    _ values: Span<Int16>, _ index: Int, _ frame: borrowing TensorFrame,
    _ steps: inout some Steps
  ) -> Int8 {
    let weights = frame.input(layout.tensors.projection, as: Int8.self)
    let bias = frame.input(layout.tensors.projectionBias, as: Int32.self)
    var sum: Int64 = 0
    for cell in 0..<layout.cellCount {
      let weight = index * layout.cellCount + cell
      sum += steps.term(
        Int64(values[cell]) * Int64(weights[weight]), of: values, cell, named: "result", weights,
        weight)
    }
    let biased = steps.sum(
      steps.accumulator(sum), Int64(steps.element("bias", bias, index)))
    let scaled = steps.scaleWide(biased, by: constants.projection)
    let value: Int8 = steps.saturate(steps.addZeroPoint(scaled, constants.stateZeroPoint))
    return steps.clip(value, to: constants.projectionClip)
  }
}

extension Steps {
  /// What a number with so many fraction bits stands for.
  @inline(__always)
  fileprivate mutating func real(_ value: Int16, fractionBits: Int) -> Float {
    let unit = Float(sign: .plus, exponent: 0 - fractionBits, significand: 1)
    return note("real", "\(value) / 2^\(fractionBits)", Float(value) * unit)
  }

  /// A number as a Q0.15 number.
  @inline(__always)
  fileprivate mutating func fraction(_ value: Float) -> Int16 {
    saturate(
      note(
        "fixed point", "\(value) × 2^15, towards zero",
        Int32(truncatingOrLeast: value * 0x1p15)))
  }
}

/// A product of a gate that passes through int8 on its way to the gate's scale.
package struct NarrowProduct: Sendable {
  /// From the product's own scale to that of int8.
  package let toByte: FixedPointMultiplier
  /// The quantized value of zero that is added there, and the one that is taken off again.
  package let zeroPoint: Int32
  /// From int8 to the gate's scale.
  package let toGate: FixedPointMultiplier

  /// The product of a row of weights and a vector.
  @inline(__always)
  func apply(
    _ weights: Span<Int8>, row: Int, _ vector: Span<Int8>, zeroPoint vectorZeroPoint: Int32,
    _ steps: inout some Steps
  ) -> Int32 {
    let weights = weights.extracting(row * vector.count..<(row + 1) * vector.count)
    var sum: Int32 = 0
    for k in vector.indices {
      sum &+= steps.term(
        (Int32(vector[k]) &- vectorZeroPoint) &* Int32(weights[k]), of: vector, k, weights, k)
    }
    steps.note("input zero point", "the quantized value of zero", vectorZeroPoint)
    let scaled = steps.scale(steps.accumulator(sum), by: toByte)
    let quantized: Int8 = steps.saturate(steps.addZeroPoint(scaled, zeroPoint))
    return steps.scale(steps.difference(Int32(quantized), zeroPoint, "distance"), by: toGate)
  }
}
