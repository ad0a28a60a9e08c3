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
package final class IntegerLSTM: Kernel {
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

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for time in 0..<layout.timeCount {
      for batch in 0..<layout.batchCount { step(frame, layout.step(time, of: batch), batch) }
    }
  }

  private func step(_ frame: borrowing TensorFrame, _ step: Int, _ batch: Int) {
    let location = Location(step: step, batch: batch)
    if layout.hasInputGate { compute(.input, constants.input, frame, location, to: 0) }
    compute(.forget, constants.forget, frame, location, to: 1)
    compute(.cell, constants.cell, frame, location, to: 2)
    updateCells(frame, batch)
    compute(.output, constants.output, frame, location, to: 3)
    updateOutput(frame, location)
  }

  /// Which step of which sequence is computed.
  private struct Location {
    let step: Int
    let batch: Int
  }

  /// Computes `gate` into the scratch tensor at `position`.
  private func compute(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame,
    _ location: Location,
    to position: Int
  ) {
    var values = frame.scratch(position, as: Int16.self)
    let bias = frame.input(layout.tensors.bias(gate), as: Int32.self)
    let input = frame.input(0, as: Int8.self)
    let state = frame.variable(layout.tensors.outputState, as: Int8.self)
    let inputWeights = frame.input(layout.tensors.inputWeights(gate), as: Int8.self)
    let recurrentWeights = frame.input(layout.tensors.recurrentWeights(gate), as: Int8.self)
    let (inputs, outputs) = (layout.inputCount, layout.outputCount)
    for cell in 0..<layout.cellCount {
      let inputSum = sum(
        inputWeights, row: cell, input, from: location.step * inputs, count: inputs,
        zeroPoint: constants.inputZeroPoint)
      let recurrentSum = sum(
        recurrentWeights, row: cell, state.span, from: location.batch * outputs, count: outputs,
        zeroPoint: constants.stateZeroPoint)
      let start = layout.hasLayerNorm ? 0 : bias[cell]
      let value = Int16(clamping: factors.input.scale(start &+ inputSum))
      values[cell] = Int16(clamping: factors.recurrent.scale(recurrentSum) &+ Int32(value))
    }
    if layout.hasPeepholes, let peephole = layout.tensors.peephole(gate) {
      add(frame.input(peephole), factors.peephole, frame, location.batch, to: &values)
    }
    if layout.hasLayerNorm, let coefficients = layout.tensors.layerNorm(gate) {
      normalize(&values, frame.input(coefficients), bias, factors)
    }
    for cell in 0..<layout.cellCount {
      values[cell] =
        gate == .cell
        ? FixedPoint16.tanh(values[cell], integerBits: 3) : FixedPoint16.logistic(values[cell])
    }
  }

  /// `Σ (x − z) w` over a row of weights; 2^16 products of 8-bit numbers fit 32 bits, more wrap.
  @inline(__always)
  private func sum(
    _ weights: Span<Int8>, row: Int, _ vector: Span<Int8>, from start: Int, count: Int,
    zeroPoint: Int32
  ) -> Int32 {
    let weights = weights.extracting(row * count..<(row + 1) * count)
    let vector = vector.extracting(start..<start + count)
    var sum: Int32 = 0
    for k in 0..<count { sum &+= (Int32(vector[k]) &- zeroPoint) &* Int32(weights[k]) }
    return sum
  }

  /// Adds the peephole's products.
  ///
  /// TFLite runs over as many elements as there are outputs, not cells, and does not start anew
  /// for each sequence of a time-major batch; the two differ where outputs are projected.
  private func add(
    _ weights: Span<Int16>, _ factor: FixedPointMultiplier, _ frame: borrowing TensorFrame,
    _ batch: Int, to values: inout MutableSpan<Int16>
  ) {
    let states = frame.variable(layout.tensors.cellState, as: Int16.self)
    let (cells, outputs) = (layout.cellCount, layout.outputCount)
    let first = layout.isTimeMajor ? batch * cells : 0
    let end = layout.isTimeMajor ? layout.batchCount * outputs : outputs
    for cell in 0..<cells where first + cell < end {
      let weight = weights[(first + cell) % outputs]
      let product = factor.scale(Int32(weight) * Int32(states[batch * cells + cell]))
      values[cell] = Int16(clamping: product &+ Int32(values[cell]))
    }
  }

  /// Normalizes the gate's sums, with ten more fraction bits than they have.
  private func normalize(
    _ values: inout MutableSpan<Int16>, _ coefficients: Span<Int16>, _ bias: Span<Int32>,
    _ factors: Constants.Gate
  ) {
    let count = Int64(layout.cellCount)
    var (sum, squares): (Int64, Int64) = (0, 0)
    for cell in 0..<layout.cellCount {
      sum += Int64(values[cell])
      squares += Int64(values[cell]) * Int64(values[cell])
    }
    let mean = sum * 1024 / count
    // The rounded reciprocal makes this exact only where the count is a power of two.
    let variance = (squares * ((1 << 20) / count) - mean * mean) / (1 << 20)
    let deviation = FixedPoint.inverseSquareRoot(
      variance < 1 ? factors.varianceGuard : Int32(truncatingIfNeeded: variance),
      rounding: factors.layerNorm.rounding)
    for cell in 0..<layout.cellCount {
      let difference = Int32(truncatingIfNeeded: 1024 * Int64(values[cell]) - mean)
      let normal = deviation.scale(difference)
      let weighted = Int64(normal &* Int32(coefficients[cell]) &+ bias[cell])
      let rounded = (weighted > 0 ? weighted + 512 : weighted - 512) / 1024
      values[cell] = Int16(
        clamping: factors.layerNorm.scale(Int32(truncatingIfNeeded: rounded)))
    }
  }

  private func updateCells(_ frame: borrowing TensorFrame, _ batch: Int) {
    let inputGate = frame.scratch(0, as: Int16.self)
    let forgetGate = frame.scratch(1, as: Int16.self)
    let cellGate = frame.scratch(2, as: Int16.self)
    var states = frame.variable(layout.tensors.cellState, as: Int16.self)
    for cell in 0..<layout.cellCount {
      let index = batch * layout.cellCount + cell
      let kept = product(forgetGate[cell], states[index], shift: 15)
      let share = layout.hasInputGate ? inputGate[cell] : .max &- forgetGate[cell]
      let added = product(share, cellGate[cell], shift: 30 + constants.cellScaleExponent)
      let state = Int16(clamping: Int32(kept) + Int32(added))
      let clip = constants.cellClip
      states[index] = clip > 0 ? max(-clip, min(clip, state)) : state
    }
  }

  /// `a · b / 2^shift`, rounded half away from zero.
  @inline(__always)
  private func product(_ a: Int16, _ b: Int16, shift: Int32) -> Int16 {
    Int16(
      truncatingIfNeeded: FixedPointMultiplier.roundingShift(Int32(a) * Int32(b), by: shift))
  }

  private func updateOutput(_ frame: borrowing TensorFrame, _ location: Location) {
    let outputGate = frame.scratch(3, as: Int16.self)
    let cellStates = frame.variable(layout.tensors.cellState, as: Int16.self)
    var results = frame.scratch(4, as: Int8.self)
    for cell in 0..<layout.cellCount {
      let activated = FixedPoint16.tanh(
        cellStates[location.batch * layout.cellCount + cell],
        integerBits: 15 + constants.cellScaleExponent)
      let product = constants.result.scale(Int32(outputGate[cell]) * Int32(activated))
      // A projection takes its zero point with the opposite sign.
      let zeroPoint = constants.resultZeroPoint
      results[cell] = Int8(
        clamping: layout.hasProjection ? product &- zeroPoint : product &+ zeroPoint)
    }
    var states = frame.variable(layout.tensors.outputState, as: Int8.self)
    var output = frame.output(0, as: Int8.self)
    for index in 0..<layout.outputCount {
      let value = layout.hasProjection ? projected(results.span, index, frame) : results[index]
      states[location.batch * layout.outputCount + index] = value
      output[location.step * layout.outputCount + index] = value
    }
  }

  private func projected(
    _ results: Span<Int8>, _ index: Int, _ frame: borrowing TensorFrame
  ) -> Int8 {
    let bias = frame.input(layout.tensors.projectionBias, as: Int32.self)
    let products = sum(
      frame.input(layout.tensors.projection), row: index, results, from: 0,
      count: layout.cellCount, zeroPoint: 0 &- constants.resultZeroPoint)
    let scaled = constants.projection.scale((bias.isEmpty ? 0 : bias[index]) &+ products)
    let value = Int8(clamping: scaled &+ constants.stateZeroPoint)
    let clip = constants.projectionClip
    return clip > 0 ? max(-clip, min(clip, value)) : value
  }
}
