// SPDX-License-Identifier: Apache-2.0

import ModelSchema
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
package struct FloatLSTMLoop<Products: CellProducts>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.recurrent, Products.Quantized.elementType) }

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
      gate, gate, gate, gate, sums, layout.auxiliaryCount * quantized,
    ]
  }

  /// The same cell with other products.
  package func with<Other: CellProducts>(_ products: Other) -> FloatLSTMLoop<Other> {
    FloatLSTMLoop<Other>(
      layout: layout, products: products, activation: activation, cellClip: cellClip,
      projectionClip: projectionClip)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    for time in 0..<layout.timeCount {
      let location = layout.isBackward ? layout.timeCount - 1 - time : time
      for batch in 0..<layout.batchCount {
        step(frame, layout.step(location, of: batch), batch, &steps)
      }
    }
  }

  private func step(
    _ frame: borrowing TensorFrame, _ step: Int, _ batch: Int, _ steps: inout some Steps
  ) {
    var inputQuantized = frame.scratch(0, as: Products.Quantized.self)
    var stateQuantized = frame.scratch(1, as: Products.Quantized.self)
    var auxiliaryQuantized = frame.scratch(8, as: Products.Quantized.self)
    let inputs = step * layout.inputCount..<(step + 1) * layout.inputCount
    let auxiliaries = step * layout.auxiliaryCount..<(step + 1) * layout.auxiliaryCount
    let outputs = batch * layout.outputCount..<(batch + 1) * layout.outputCount
    let state = frame.variable(layout.tensors.outputState, as: Float.self)
    let input = frame.input(layout.tensors.input, as: Float.self).extracting(inputs)
    // An absent input has no elements, and no auxiliary ones are asked for.
    let auxiliary = frame.input(layout.tensors.auxiliary?.input ?? .max, as: Float.self)
      .extracting(auxiliaries)
    let vectors = Vectors(
      input: products.encode(input, into: &inputQuantized),
      auxiliary: products.encode(auxiliary, into: &auxiliaryQuantized),
      state: products.encode(state.span.extracting(outputs), into: &stateQuantized), step: step,
      batch: batch, cellGate: cellGate(frame, step),
      results: StepResults(
        position: layout.output.position, first: layout.output.first(of: step),
        count: layout.outputCount))
    if layout.hasInputGate { compute(.input, frame, vectors, to: 3, &steps) }
    compute(.forget, frame, vectors, to: 4, &steps)
    compute(.cell, frame, vectors, to: 5, &steps)
    updateCells(frame, vectors, &steps)
    compute(.output, frame, vectors, to: 6, &steps)
    updateOutput(frame, vectors, &steps)
  }

  /// What the quantized values in scratch 0, 8 and 1 mean, and to which step they belong.
  private struct Vectors {
    let input: Affine
    let auxiliary: Affine
    let state: Affine
    let step: Int
    let batch: Int
    /// What the cell gate has of its formula.
    let cellGate: LSTMCellGate
    let results: StepResults
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
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors, to position: Int,
    _ steps: inout some Steps
  ) {
    var values = frame.scratch(position, as: Float.self)
    addInputs(gate, frame, vectors, to: &values, &steps)
    guard gate != .cell || vectors.cellGate != .bias else {
      leaveOut("all products", values.span, vectors.results, &steps)
      return
    }
    steps.part("\(gate.name), state")
    guard gate != .cell || vectors.cellGate != .withoutState else {
      leaveOut("R h", values.span, vectors.results, &steps)
      return
    }
    addState(gate, frame, vectors, to: &values, &steps)
    if layout.hasLayerNorm { normalize(gate, &values, frame, vectors.results, &steps) }
    let (logistic, first) = layout.logistic(gate, vectors.batch)
    let function: CellFunction =
      gate == .cell ? .activation(activation) : .logistic(logistic, first: first)
    if products.apply(function, to: &values) { return }
    steps.part(gate.name)
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: vectors.results)
      values[cell] =
        gate == .cell
        ? activation(values[cell], &steps)
        : steps.logistic(values[cell], logistic, at: first + cell)
    }
  }

  /// Tells that sums end here, as TFLite's do.
  private func leaveOut(
    _ what: StaticString, _ values: Span<Float>, _ results: StepResults,
    _ steps: inout some Steps
  ) {
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results)
      steps.note(
        "left out", "\(what), as TFLite does here without an activation", values[cell])
    }
  }

  /// Begins the sums of a gate with its bias and what it sees of the inputs.
  private func addInputs(
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors,
    to values: inout MutableSpan<Float>, _ steps: inout some Steps
  ) {
    let tensors = layout.tensors
    let bias = frame.input(tensors.bias(gate), as: Float.self)
    steps.part("\(gate.name), input")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: vectors.results)
      values[cell] = layout.hasLayerNorm ? 0 : steps.element("bias", bias, cell)
    }
    if gate == .cell, vectors.cellGate == .bias { return }
    let inputs = vectors.step * layout.inputCount..<(vectors.step + 1) * layout.inputCount
    add(
      tensors.inputWeights(gate), frame, frame.input(tensors.input).extracting(inputs),
      scratch: 0, vectors.input, vectors, to: &values, &steps)
    guard let auxiliary = tensors.auxiliary else { return }
    let count = layout.auxiliaryCount
    steps.part("\(gate.name), auxiliary input")
    add(
      auxiliary.weights + gate.rawValue, frame,
      frame.input(auxiliary.input).extracting(
        vectors.step * count..<(vectors.step + 1) * count),
      scratch: 8, vectors.auxiliary, vectors, to: &values, &steps)
  }

  /// Adds what a gate sees of the states.
  private func addState(
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors,
    to values: inout MutableSpan<Float>, _ steps: inout some Steps
  ) {
    let tensors = layout.tensors
    let cells = layout.cellCount
    let recurrent = tensors.recurrentWeights(gate)
    let first = vectors.batch * layout.outputCount
    let state = frame.variable(tensors.outputState, as: Float.self)
    if layout.isDiagonal[recurrent] {
      let diagonal = frame.input(recurrent, as: Float.self)
      for cell in 0..<cells {
        steps.about(cell, of: vectors.results)
        let product = steps.term(
          diagonal[cell] * state[first + cell], of: state.span, first + cell, diagonal, cell)
        values[cell] = steps.sum(values[cell], product)
      }
    } else {
      add(
        recurrent, frame, state.span.extracting(first..<first + layout.outputCount), scratch: 1,
        vectors.state, vectors, to: &values, &steps)
    }
    guard layout.hasPeepholes, let peephole = tensors.peephole(gate) else { return }
    let weights = frame.input(peephole, as: Products.Quantized.self)
    let cellState = frame.variable(tensors.cellState, as: Float.self)
    steps.part("\(gate.name), cell state")
    for cell in 0..<cells {
      let index = vectors.batch * cells + cell
      steps.about(cell, of: vectors.results)
      let product = steps.term(
        products.real(weights[cell], at: peephole) * cellState[index], of: cellState.span, index,
        weights, cell)
      values[cell] = steps.sum(values[cell], product)
    }
  }

  /// Adds the product of the weights at `position` and `vector`, whose quantized values are in
  /// `scratch`, to `values`.
  @_lifetime(values: copy values)
  private func add<S: Steps>(
    _ position: Int, _ frame: borrowing TensorFrame, _ vector: Span<Float>, scratch: Int,
    _ meaning: Affine, _ vectors: Vectors, to values: inout MutableSpan<Float>, _ steps: inout S
  ) {
    let quantizedValues = frame.scratch(scratch, as: Products.Quantized.self)
    var sums = frame.scratch(7, as: Float.self)
    products.multiply(
      CellProduct(
        weights: position, rows: layout.cellCount, columns: vector.count,
        vector: products.dequantization(of: meaning, input: vectors.input, weights: position),
        location: layout.location(vectors.batch)),
      frame, vector, as: quantizedValues.span, bias: values.span, to: &sums, &steps
    ) { cell, steps in steps.about(cell, of: vectors.results) }
    for cell in 0..<layout.cellCount { values[cell] = sums[cell] }
  }

  private func normalize(
    _ gate: LSTMGate, _ values: inout MutableSpan<Float>, _ frame: borrowing TensorFrame,
    _ results: StepResults, _ steps: inout some Steps
  ) {
    guard let position = layout.tensors.layerNorm(gate) else { return }
    let coefficients = frame.input(position, as: Float.self)
    let bias = frame.input(layout.tensors.bias(gate), as: Float.self)
    let count = Float(layout.cellCount)
    steps.part("\(gate.name), normalization")
    steps.about(allOf: results)
    var sum: Float = 0
    for cell in 0..<layout.cellCount {
      sum += steps.term(values[cell], of: values.span, cell, named: "sum")
    }
    let mean = steps.quotient(steps.accumulator(sum, of: "sums"), count, "mean")
    var squares: Float = 0
    for cell in 0..<layout.cellCount {
      squares += (values[cell] - mean) * (values[cell] - mean)
    }
    steps.note("squares", "sum of the squared distances from the mean", squares)
    let variance = steps.quotient(squares, count, "variance")
    let inverse = steps.note(
      "inverse deviation", "1 / √(\(variance) + 1e-8)", 1 / (variance + 1e-8).squareRoot())
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: results)
      let value = values[cell]
      let normal = steps.note(
        "normalized", "(\(value) - \(mean.operand)) × \(inverse)", (value - mean) * inverse)
      let weighted = steps.product(
        normal, steps.element("coefficient", coefficients, cell), "weighted")
      values[cell] = steps.sum(weighted, steps.element("bias", bias, cell))
    }
  }

  private func updateCells(
    _ frame: borrowing TensorFrame, _ vectors: Vectors, _ steps: inout some Steps
  ) {
    let inputGate = frame.scratch(3, as: Float.self)
    let forgetGate = frame.scratch(4, as: Float.self)
    let cellGate = frame.scratch(5, as: Float.self)
    var states = frame.variable(layout.tensors.cellState, as: Float.self)
    steps.part("cell state")
    for cell in 0..<layout.cellCount {
      let index = vectors.batch * layout.cellCount + cell
      steps.about(cell, of: vectors.results)
      let before = steps.element("before", states.span, index)
      let (forget, new) = (forgetGate[cell], cellGate[cell])
      let share =
        layout.hasInputGate
        ? inputGate[cell]
        : steps.note("input gate", "1 - \(forget), there being none", 1 - forget)
      let kept = steps.note(
        "kept", "\(forget) × \(before.operand), forget gate × before", forget * before)
      let added = steps.note(
        "added", "\(share) × \(new.operand), input gate × cell gate", new * share)
      states[index] = steps.clip(steps.sum(kept, added), to: cellClip)
    }
  }

  private func updateOutput(
    _ frame: borrowing TensorFrame, _ vectors: Vectors, _ steps: inout some Steps
  ) {
    let outputGate = frame.scratch(6, as: Float.self)
    let cellStates = frame.variable(layout.tensors.cellState, as: Float.self)
    var results = frame.scratch(5, as: Float.self)
    // The buffer of results is the cell gate's.
    let keepsCellGate = activation.function == .none
    let firstCell = vectors.batch * layout.cellCount
    if !keepsCellGate {
      for cell in 0..<layout.cellCount { results[cell] = cellStates[firstCell + cell] }
    }
    let isActivated = keepsCellGate || products.apply(.activation(activation), to: &results)
    steps.part("output")
    for cell in 0..<layout.cellCount {
      steps.about(cell, of: vectors.results)
      let gate = outputGate[cell]
      let activated = isActivated ? results[cell] : activation(results[cell], &steps)
      let other: StaticString = keepsCellGate ? "cell gate, as there is no activation" : "that"
      results[cell] = steps.note(
        "product", "\(gate) × \(activated.operand), output gate × \(other)", gate * activated)
    }
    if layout.hasProjection { project(frame, vectors, &steps) }
    let projected = frame.scratch(layout.hasProjection ? 7 : 5, as: Float.self)
    var states = frame.variable(layout.tensors.outputState, as: Float.self)
    var output = frame.output(layout.output.position, as: Float.self)
    for index in 0..<layout.outputCount {
      states[vectors.batch * layout.outputCount + index] = projected[index]
      output[vectors.results.first + index] = projected[index]
    }
  }

  /// Multiplies the cells' results in scratch 5 by the projection's weights, into scratch 7.
  private func project<S: Steps>(
    _ frame: borrowing TensorFrame, _ vectors: Vectors, _ steps: inout S
  ) {
    let position = layout.tensors.projection
    let results = frame.scratch(5, as: Float.self)
    let bias = frame.input(layout.tensors.projectionBias, as: Float.self)
    var quantizedValues = frame.scratch(2, as: Products.Quantized.self)
    var projected = frame.scratch(7, as: Float.self)
    let vector = products.encode(
      results.span.extracting(0..<layout.cellCount), into: &quantizedValues)
    steps.part("projection")
    products.multiply(
      CellProduct(
        weights: position, rows: layout.outputCount, columns: layout.cellCount,
        vector: products.dequantization(of: vector, input: vector, weights: position),
        location: layout.location(vectors.batch), vectorName: "result"),
      frame, results.span, as: quantizedValues.span, bias: bias, to: &projected, &steps
    ) { index, steps in
      steps.about(index, of: vectors.results)
      if !bias.isEmpty { steps.element("bias", bias, index) }
    }
    for index in 0..<layout.outputCount {
      steps.about(index, of: vectors.results)
      projected[index] = steps.clip(projected[index], to: projectionClip)
    }
  }
}

/// What the cell gate of a float cell has of its formula, see `FloatLSTMLoop`.
package enum LSTMCellGate: Sendable {
  case whole, withoutState, bias
}
