// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

/// The full LSTM cell with a float state, over a sequence.
///
///     i, f, o = σ(W x + A a + R h + p ⊙ c + b),  g = act(W x + A a + R h + b)
///     c ← clip(f ⊙ c + i ⊙ g),                   h ← clip(P (o ⊙ act(c)) + b)
///
/// Each gate has weights of its own; `a` is the auxiliary input, if there is one. Without an input
/// gate `i = 1 − f`; the output gate sees the updated cell state; without a projection `P` is the
/// identity. With layer normalization a gate's sum starts at zero, is normalized over the cells
/// and multiplied by the coefficients before its bias is added.
///
/// Without an activation TFLite's buffers keep what they hold: `o` is multiplied by `g`, not `c`,
/// and a float `g` lacks `R h` where the input and the auxiliary input are both zero (or absent)
/// or both not zero. If `R` is diagonal, `g` is whole there and nothing but `b` (zero with layer
/// normalization) elsewhere. TFLite: `LstmStepFloat`, `LstmStepHybrid` (`lstm_eval.cc`).
package struct FloatLSTMLoop<Products: CellProducts>: KernelLoop {
  /// The sizes.
  package let layout: LSTMLayout
  /// The matrix products.
  package let products: Products
  /// What is applied to the cell gate and the cell state.
  package let activation: CellActivation
  /// The largest magnitude of the cell state; 0 for no limit.
  package let cellClip: Float
  /// The largest magnitude of a projected output; 0 for no limit.
  package let projectionClip: Float

  /// Bytes of the scratch tensors: quantized values of the input, of the state and of the cells'
  /// results; four gates; sums of products; quantized values of the auxiliary input.
  package var scratch: [Int] {
    let quantized = MemoryLayout<Products.Quantized>.stride
    let gate = layout.cellCount * MemoryLayout<Float>.stride
    let sums = max(layout.cellCount, layout.outputCount) * MemoryLayout<Float>.stride
    return [
      layout.inputCount * quantized, layout.outputCount * quantized, layout.cellCount * quantized,
      gate, gate,
      gate, gate, sums, layout.auxiliaryCount * quantized,
    ]
  }

  /// The same cell with other products.
  package func with<Other: CellProducts>(_ products: Other) -> FloatLSTMLoop<Other> {
    FloatLSTMLoop<Other>(
      layout: layout, products: products, activation: activation, cellClip: cellClip,
      projectionClip: projectionClip)
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for time in 0..<layout.timeCount {
      let location = layout.isBackward ? layout.timeCount - 1 - time : time
      for batch in 0..<layout.batchCount { step(frame, layout.step(location, of: batch), batch) }
    }
  }

  private func step(_ frame: borrowing TensorFrame, _ step: Int, _ batch: Int) {
    var inputQuantized = frame.scratch(0, as: Products.Quantized.self)
    var stateQuantized = frame.scratch(1, as: Products.Quantized.self)
    var auxiliaryQuantized = frame.scratch(8, as: Products.Quantized.self)
    let inputs = step * layout.inputCount..<(step + 1) * layout.inputCount
    let auxiliaries = step * layout.auxiliaryCount..<(step + 1) * layout.auxiliaryCount
    let outputs = batch * layout.outputCount..<(batch + 1) * layout.outputCount
    let state = frame.variable(layout.tensors.outputState, as: Float.self)
    // An absent input has no elements, and no auxiliary ones are asked for.
    let auxiliary = frame.input(layout.tensors.auxiliary?.input ?? .max, as: Float.self)
    let vectors = Vectors(
      input: products.encode(
        frame.input(layout.tensors.input).extracting(inputs), into: &inputQuantized),
      auxiliary: products.encode(auxiliary.extracting(auxiliaries), into: &auxiliaryQuantized),
      state: products.encode(state.span.extracting(outputs), into: &stateQuantized), batch: batch,
      cellGate: cellGate(frame, step))
    if layout.hasInputGate { compute(.input, frame, vectors, to: 3) }
    compute(.forget, frame, vectors, to: 4)
    compute(.cell, frame, vectors, to: 5)
    updateCells(frame, batch)
    compute(.output, frame, vectors, to: 6)
    updateOutput(frame, step, batch)
  }

  /// What the quantized values in scratch 0, 8 and 1 mean, and to which sequence they belong.
  private struct Vectors {
    let input: Affine
    let auxiliary: Affine
    let state: Affine
    let batch: Int
    /// What the cell gate has of its formula.
    let cellGate: LSTMCellGate
  }

  /// What the cell gate has of its formula at a step.
  package func cellGate(_ frame: borrowing TensorFrame, _ step: Int) -> LSTMCellGate {
    guard activation.function == .none, !Products.isHybrid else { return .whole }
    let rows = layout.rowsComputedWith(step)
    func isZero(_ position: Int, _ count: Int) -> Bool {
      let vectors = frame.input(position, as: Float.self)
      return (rows.lowerBound * count..<rows.upperBound * count).allSatisfy { vectors[$0] == 0 }
    }
    let auxiliaryIsZero =
      layout.tensors.auxiliary.map { isZero($0.input, layout.auxiliaryCount) } ?? true
    let areAlike = isZero(layout.tensors.input, layout.inputCount) == auxiliaryIsZero
    if layout.isDiagonal[layout.tensors.recurrentWeights(.cell)] {
      return areAlike ? .whole : .bias
    }
    return areAlike ? .withoutState : .whole
  }

  /// Computes `gate` into the scratch tensor at `position`.
  private func compute(
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors, to position: Int
  ) {
    let tensors = layout.tensors
    var values = frame.scratch(position, as: Float.self)
    let bias = frame.input(tensors.bias(gate), as: Float.self)
    let cells = layout.cellCount
    for cell in 0..<cells { values[cell] = layout.hasLayerNorm ? 0 : bias[cell] }
    if gate == .cell, vectors.cellGate == .bias { return }
    add(
      tensors.inputWeights(gate), frame, scratch: 0, vectors.input, vectors, layout.inputCount,
      to: &values)
    if let auxiliary = tensors.auxiliary {
      add(
        auxiliary.weights + gate.rawValue, frame, scratch: 8, vectors.auxiliary, vectors,
        layout.auxiliaryCount, to: &values)
    }
    if gate == .cell, vectors.cellGate == .withoutState { return }
    addState(gate, frame, vectors, to: &values)
    if layout.hasLayerNorm, let coefficients = tensors.layerNorm(gate) {
      normalize(&values, frame.input(coefficients), bias)
    }
    guard gate != .cell else {
      for cell in 0..<cells { values[cell] = activation(values[cell]) }
      return
    }
    let (logistic, first) = layout.logistic(gate, vectors.batch)
    for cell in 0..<cells { values[cell] = logistic.value(values[cell], at: first + cell) }
  }

  /// Adds what a gate sees of the states.
  private func addState(
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors,
    to values: inout MutableSpan<Float>
  ) {
    let tensors = layout.tensors
    let cells = layout.cellCount
    let recurrent = tensors.recurrentWeights(gate)
    if layout.isDiagonal[recurrent] {
      let diagonal = frame.input(recurrent, as: Float.self)
      let state = frame.variable(tensors.outputState, as: Float.self)
      for cell in 0..<cells {
        values[cell] += diagonal[cell] * state[vectors.batch * layout.outputCount + cell]
      }
    } else {
      add(recurrent, frame, scratch: 1, vectors.state, vectors, layout.outputCount, to: &values)
    }
    if layout.hasPeepholes, let peephole = tensors.peephole(gate) {
      let weights = frame.input(peephole, as: Products.Quantized.self)
      let state = frame.variable(tensors.cellState, as: Float.self)
      for cell in 0..<cells {
        values[cell] +=
          products.real(weights[cell], at: peephole) * state[vectors.batch * cells + cell]
      }
    }
  }

  /// Adds the product of the weights at `position` and the quantized values in `scratch` to
  /// `values`.
  private func add(
    _ position: Int, _ frame: borrowing TensorFrame, scratch: Int, _ vector: Affine,
    _ vectors: Vectors, _ count: Int, to values: inout MutableSpan<Float>
  ) {
    let meaning = products.dequantization(of: vector, input: vectors.input, weights: position)
    let quantizedValues = frame.scratch(scratch, as: Products.Quantized.self)
    var sums = frame.scratch(7, as: Float.self)
    products.multiply(
      position, frame, rows: layout.cellCount, columns: count, quantizedValues.span, meaning,
      location: layout.location(vectors.batch), bias: values.span, to: &sums)
    for cell in 0..<layout.cellCount { values[cell] = sums[cell] }
  }

  private func normalize(
    _ values: inout MutableSpan<Float>, _ coefficients: Span<Float>, _ bias: Span<Float>
  ) {
    let count = Float(layout.cellCount)
    var sum: Float = 0
    for cell in 0..<layout.cellCount { sum += values[cell] }
    let mean = sum / count
    var squares: Float = 0
    for cell in 0..<layout.cellCount {
      squares += (values[cell] - mean) * (values[cell] - mean)
    }
    let inverseDeviation = 1 / (squares / count + 1e-8).squareRoot()
    for cell in 0..<layout.cellCount {
      let normal = (values[cell] - mean) * inverseDeviation
      values[cell] = coefficients[cell] * normal + bias[cell]
    }
  }

  private func updateCells(_ frame: borrowing TensorFrame, _ batch: Int) {
    let inputGate = frame.scratch(3, as: Float.self)
    let forgetGate = frame.scratch(4, as: Float.self)
    let cellGate = frame.scratch(5, as: Float.self)
    var states = frame.variable(layout.tensors.cellState, as: Float.self)
    for cell in 0..<layout.cellCount {
      let index = batch * layout.cellCount + cell
      let share = layout.hasInputGate ? inputGate[cell] : 1 - forgetGate[cell]
      let state = forgetGate[cell] * states[index] + cellGate[cell] * share
      states[index] = cellClip > 0 ? max(-cellClip, min(cellClip, state)) : state
    }
  }

  private func updateOutput(_ frame: borrowing TensorFrame, _ step: Int, _ batch: Int) {
    let outputGate = frame.scratch(6, as: Float.self)
    let cellStates = frame.variable(layout.tensors.cellState, as: Float.self)
    var results = frame.scratch(5, as: Float.self)
    for cell in 0..<layout.cellCount {
      // The buffer of results is the cell gate's.
      let activated =
        activation.function == .none
        ? results[cell] : activation(cellStates[batch * layout.cellCount + cell])
      results[cell] = outputGate[cell] * activated
    }
    if layout.hasProjection { project(frame, batch) }
    let projected = frame.scratch(layout.hasProjection ? 7 : 5, as: Float.self)
    var states = frame.variable(layout.tensors.outputState, as: Float.self)
    var output = frame.output(layout.output.position, as: Float.self)
    for index in 0..<layout.outputCount {
      states[batch * layout.outputCount + index] = projected[index]
      output[step * layout.output.stride + layout.output.offset + index] = projected[index]
    }
  }

  /// Multiplies the cells' results in scratch 5 by the projection's weights, into scratch 7.
  private func project(_ frame: borrowing TensorFrame, _ batch: Int) {
    let results = frame.scratch(5, as: Float.self)
    var quantizedValues = frame.scratch(2, as: Products.Quantized.self)
    var projected = frame.scratch(7, as: Float.self)
    let vector = products.encode(
      results.span.extracting(0..<layout.cellCount), into: &quantizedValues)
    products.multiply(
      layout.tensors.projection, frame, rows: layout.outputCount, columns: layout.cellCount,
      quantizedValues.span,
      products.dequantization(of: vector, input: vector, weights: layout.tensors.projection),
      location: layout.location(batch), bias: frame.input(layout.tensors.projectionBias),
      to: &projected)
    guard projectionClip > 0 else { return }
    for index in 0..<layout.outputCount {
      projected[index] = max(-projectionClip, min(projectionClip, projected[index]))
    }
  }
}

/// What the cell gate of a float cell has of its formula, see `FloatLSTMLoop`.
package enum LSTMCellGate: Sendable {
  case whole, withoutState, bias
}
