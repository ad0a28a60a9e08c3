// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The full LSTM cell with int8 inputs and outputs, int8 weights and an int16 cell state, over a
/// sequence.
///
///     i, f, o = σ(W x + R h + p ⊙ c + b),  g = tanh(W x + R h + b)
///     c ← clip(f ⊙ c + i ⊙ g),             h ← clip(P (o ⊙ tanh(c)) + b)
///
/// Gates are Q3.12 before their function and Q0.15 after it. Each product is brought to the
/// gate's scale by a factor of its own and added with saturation; the bias belongs to the
/// input's. The cell state's scale is a power of two, so that it is shifted into the range of
/// `tanh`. TFLite: `LstmStepInteger8x8_16` (`lstm_eval.cc`).
package final class IntegerLSTM: SteppedKernel {
  /// The sizes.
  package let layout: LSTMLayout
  /// Every factor and limit.
  package let constants: Constants

  /// What the scales of an integer LSTM node come to.
  package struct Constants: Sendable {
    /// Zero points of the input, the output state and the cells' results.
    package let inputZeroPoint: Int32
    package let stateZeroPoint: Int32
    package let resultZeroPoint: Int32
    /// The base-2 logarithm of the cell state's scale, from -15 to -9.
    package let cellScaleExponent: Int32
    /// The gates' factors: input, forget, cell and output gate.
    package let input: Gate
    package let forget: Gate
    package let cell: Gate
    package let output: Gate
    /// From the product of two Q0.15 numbers to the cells' results.
    package let result: FixedPointMultiplier
    /// From the projection's sums to the output.
    package let projection: FixedPointMultiplier
    /// The largest magnitudes; 0 for no limit.
    package let cellClip: Int16
    package let projectionClip: Int8

    /// A gate's factors.
    package struct Gate: Sendable {
      /// Of the product with the input.
      package let input: FixedPointMultiplier
      /// Of the product with the output state.
      package let recurrent: FixedPointMultiplier
      /// Of the product with the cell state.
      package let peephole: FixedPointMultiplier
      /// From a normalized sum to Q3.12.
      package let layerNorm: FixedPointMultiplier
      /// What a variance below 1 is replaced by.
      package let varianceGuard: Int32
    }
  }

  init(_ layout: LSTMLayout, _ constants: Constants) {
    self.layout = layout
    self.constants = constants
  }

  /// Bytes of the scratch tensors: four gates, and the cells' results.
  package var scratch: [Int] {
    let gate = layout.cellCount * MemoryLayout<Int16>.stride
    return [gate, gate, gate, gate, layout.cellCount]
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    for time in 0..<layout.timeCount {
      for batch in 0..<layout.batchCount {
        step(frame, layout.step(time, of: batch), batch, &steps)
      }
    }
  }

  private func step(
    _ frame: borrowing TensorFrame, _ step: Int, _ batch: Int, _ steps: inout some Steps
  ) {
    let location = Location(
      step: step, batch: batch,
      results: StepResults(
        position: 0, first: step * layout.outputCount, count: layout.outputCount))
    if layout.hasInputGate { compute(.input, constants.input, frame, location, to: 0, &steps) }
    compute(.forget, constants.forget, frame, location, to: 1, &steps)
    compute(.cell, constants.cell, frame, location, to: 2, &steps)
    updateCells(frame, location, &steps)
    compute(.output, constants.output, frame, location, to: 3, &steps)
    updateOutput(frame, location, &steps)
  }

  /// Which step of which sequence is computed.
  private struct Location {
    let step: Int
    let batch: Int
    let results: StepResults
  }

  /// Computes `gate` into the scratch tensor at `position`.
  private func compute(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame,
    _ location: Location, to position: Int, _ steps: inout some Steps
  ) {
    var values = frame.scratch(position, as: Int16.self)
    addInput(gate, factors, frame, location, to: &values, &steps)
    addState(gate, factors, frame, location, to: &values, &steps)
    if layout.hasPeepholes, let peephole = layout.tensors.peephole(gate) {
      steps.part("\(gate.name), cell state")
      add(frame.input(peephole), factors.peephole, frame, location, to: &values, &steps)
    }
    if layout.hasLayerNorm, let coefficients = layout.tensors.layerNorm(gate) {
      steps.part("\(gate.name), normalization")
      normalize(
        &values, frame.input(coefficients), frame.input(layout.tensors.bias(gate)), factors,
        location.results, &steps)
    }
    steps.part(gate.name)
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: location.results)
      values[cell] =
        gate == .cell ? steps.tanh(values[cell], integerBits: 3) : steps.logistic(values[cell])
    }
  }

  /// Begins the sums of a gate with its bias and its products with the input.
  private func addInput(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame,
    _ location: Location, to values: inout MutableSpan<Int16>, _ steps: inout some Steps
  ) {
    let bias = frame.input(layout.tensors.bias(gate), as: Int32.self)
    let weights = frame.input(layout.tensors.inputWeights(gate), as: Int8.self)
    let count = layout.inputCount
    let vector = frame.input(0, as: Int8.self).extracting(
      location.step * count..<(location.step + 1) * count)
    steps.part("\(gate.name), input")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: location.results)
      var sum = sum(weights, row: cell, vector, zeroPoint: constants.inputZeroPoint, &steps)
      if !layout.hasLayerNorm { sum = steps.sum(sum, steps.element("bias", bias, cell)) }
      values[cell] = steps.saturate(steps.scale(sum, by: factors.input))
    }
  }

  /// Adds a gate's products with the output state.
  private func addState(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame,
    _ location: Location, to values: inout MutableSpan<Int16>, _ steps: inout some Steps
  ) {
    let state = frame.variable(layout.tensors.outputState, as: Int8.self)
    let weights = frame.input(layout.tensors.recurrentWeights(gate), as: Int8.self)
    let count = layout.outputCount
    let vector = state.span.extracting(location.batch * count..<(location.batch + 1) * count)
    steps.part("\(gate.name), state")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: location.results)
      let sum = sum(weights, row: cell, vector, zeroPoint: constants.stateZeroPoint, &steps)
      let scaled = steps.scale(sum, by: factors.recurrent)
      values[cell] = steps.saturate(steps.sum(scaled, Int32(values[cell])))
    }
  }

  /// `Σ (x − z) w` over a row of weights; 2^16 products of 8-bit numbers fit 32 bits, more wrap.
  @inline(__always)
  private func sum(
    _ weights: Span<Int8>, row: Int, _ vector: Span<Int8>, zeroPoint: Int32,
    _ steps: inout some Steps, named name: StaticString = "number"
  ) -> Int32 {
    let weights = weights.extracting(row * vector.count..<(row + 1) * vector.count)
    var sum: Int32 = 0
    for k in vector.indices {
      sum &+= steps.term(
        (Int32(vector[k]) &- zeroPoint) &* Int32(weights[k]), of: vector, k, named: name, weights,
        k)
    }
    steps.note("input zero point", "the quantized value of zero", zeroPoint)
    return steps.accumulator(sum)
  }

  /// Adds the peephole's products.
  ///
  /// TFLite runs over as many elements as there are outputs, not cells, and does not start anew
  /// for each sequence of a time-major batch; the two differ where outputs are projected.
  @_lifetime(values: copy values)
  private func add(
    _ weights: Span<Int16>, _ factor: FixedPointMultiplier, _ frame: borrowing TensorFrame,
    _ location: Location, to values: inout MutableSpan<Int16>, _ steps: inout some Steps
  ) {
    let states = frame.variable(layout.tensors.cellState, as: Int16.self)
    let (cells, outputs) = (layout.cellCount, layout.outputCount)
    let first = layout.isTimeMajor ? location.batch * cells : 0
    let end = layout.isTimeMajor ? layout.batchCount * outputs : outputs
    for cell in 0..<cells {
      steps.about(cell, of: location.results)
      guard first + cell < end else {
        steps.note("left out", "TFLite's loop runs over outputs, not cells", values[cell])
        continue
      }
      let (state, weight) = (location.batch * cells + cell, (first + cell) % outputs)
      let product = steps.term(
        Int32(weights[weight]) * Int32(states[state]), of: states.span, state, weights, weight)
      let scaled = steps.scale(steps.accumulator(product), by: factor)
      values[cell] = steps.saturate(steps.sum(scaled, Int32(values[cell])))
    }
  }

  /// Normalizes the gate's sums, with ten more fraction bits than they have.
  @_lifetime(values: copy values)
  private func normalize(
    _ values: inout MutableSpan<Int16>, _ coefficients: Span<Int16>, _ bias: Span<Int32>,
    _ factors: Constants.Gate, _ results: StepResults, _ steps: inout some Steps
  ) {
    steps.about(allOf: results)
    let (mean, deviation) = moments(values.span, factors, &steps)
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results)
      let value = values[cell]
      let difference = steps.note(
        "difference", "2^10 × \(value) - \(mean.operand)",
        Int32(truncatingIfNeeded: 1024 * Int64(value) - mean))
      let normal = steps.scale(difference, by: deviation, "inverse deviation")
      let product = steps.product(
        normal, Int32(steps.element("coefficient", coefficients, cell)), "weighted")
      let weighted = Int64(steps.sum(product, steps.element("bias", bias, cell)))
      let rounded = steps.note(
        "rounding", "round(\(weighted) / 2^10), halves away from zero",
        Int32(truncatingIfNeeded: (weighted > 0 ? weighted + 512 : weighted - 512) / 1024))
      values[cell] = steps.saturate(steps.scale(rounded, by: factors.layerNorm))
    }
  }

  /// The mean of a gate's sums, with ten more fraction bits, and the reciprocal of their deviation.
  private func moments(
    _ values: Span<Int16>, _ factors: Constants.Gate, _ steps: inout some Steps
  ) -> (mean: Int64, deviation: FixedPointMultiplier) {
    let count = Int64(layout.cellCount)
    var (sum, squares): (Int64, Int64) = (0, 0)
    for cell in values.indices {
      sum += steps.term(Int64(values[cell]), of: values, cell, named: "sum")
      squares += Int64(values[cell]) * Int64(values[cell])
    }
    sum = steps.accumulator(sum, of: "sums")
    let mean = steps.note(
      "mean", "\(sum) × 2^10 / \(count), towards zero", sum * 1024 / count)
    steps.note("squares", "sum of the squares", squares)
    // The rounded reciprocal makes this exact only where the count is a power of two.
    let variance = steps.note(
      "variance",
      "(\(squares) × (2^20 / \(count), towards zero) - \(mean.operand)²) / 2^20, towards zero",
      (squares * ((1 << 20) / count) - mean * mean) / (1 << 20))
    let guarded =
      variance < 1
      ? steps.note(
        "variance", "below 1, so what the coefficients' scale allows", factors.varianceGuard)
      : Int32(truncatingIfNeeded: variance)
    return (mean, FixedPoint.inverseSquareRoot(guarded, rounding: factors.layerNorm.rounding))
  }

  private func updateCells(
    _ frame: borrowing TensorFrame, _ location: Location, _ steps: inout some Steps
  ) {
    let inputGate = frame.scratch(0, as: Int16.self)
    let forgetGate = frame.scratch(1, as: Int16.self)
    let cellGate = frame.scratch(2, as: Int16.self)
    var states = frame.variable(layout.tensors.cellState, as: Int16.self)
    steps.part("cell state")
    for cell in 0..<layout.cellCount {
      let index = location.batch * layout.cellCount + cell
      steps.about(cell, of: location.results)
      let before = steps.element("before", states.span, index)
      let forget = forgetGate[cell]
      let share =
        layout.hasInputGate
        ? inputGate[cell]
        : steps.note("input gate", "32767 - \(forget), there being none", .max &- forget)
      let kept = steps.product(forget, before, shift: 15, "kept")
      let added = steps.product(
        share, cellGate[cell], shift: 30 + constants.cellScaleExponent, "added")
      let state: Int16 = steps.saturate(steps.sum(Int32(kept), Int32(added)))
      states[index] = steps.clip(state, to: constants.cellClip)
    }
  }

  private func updateOutput(
    _ frame: borrowing TensorFrame, _ location: Location, _ steps: inout some Steps
  ) {
    let outputGate = frame.scratch(3, as: Int16.self)
    let cellStates = frame.variable(layout.tensors.cellState, as: Int16.self)
    var results = frame.scratch(4, as: Int8.self)
    // A projection takes its zero point with the opposite sign.
    let zeroPoint =
      layout.hasProjection ? 0 &- constants.resultZeroPoint : constants.resultZeroPoint
    steps.part("output")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: location.results)
      let activated = steps.tanh(
        cellStates[location.batch * layout.cellCount + cell],
        integerBits: 15 + constants.cellScaleExponent)
      let product = steps.product(Int32(outputGate[cell]), Int32(activated))
      results[cell] = steps.saturate(
        steps.addZeroPoint(steps.scale(product, by: constants.result), zeroPoint))
    }
    var states = frame.variable(layout.tensors.outputState, as: Int8.self)
    var output = frame.output(0, as: Int8.self)
    if layout.hasProjection { steps.part("projection") }
    for index in 0..<layout.outputCount {
      steps.about(index, of: location.results)
      let value =
        layout.hasProjection ? projected(results.span, index, frame, &steps) : results[index]
      states[location.batch * layout.outputCount + index] = value
      output[location.results.first + index] = value
    }
  }

  private func projected(
    _ results: Span<Int8>, _ index: Int, _ frame: borrowing TensorFrame,
    _ steps: inout some Steps
  ) -> Int8 {
    let bias = frame.input(layout.tensors.projectionBias, as: Int32.self)
    var sum = sum(
      frame.input(layout.tensors.projection), row: index,
      results.extracting(0..<layout.cellCount), zeroPoint: 0 &- constants.resultZeroPoint, &steps,
      named: "result")
    if !bias.isEmpty { sum = steps.sum(sum, steps.element("bias", bias, index)) }
    let scaled = steps.scale(sum, by: constants.projection)
    let value: Int8 = steps.saturate(steps.addZeroPoint(scaled, constants.stateZeroPoint))
    return steps.clip(value, to: constants.projectionClip)
  }
}
