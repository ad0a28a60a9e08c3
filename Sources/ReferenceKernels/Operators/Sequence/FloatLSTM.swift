// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Matrix products of a recurrent cell with a float state: float weights, or integer weights with
/// vectors that are quantised for each product.
package protocol CellProducts: Sendable {
  /// What weights, and vectors to be multiplied, are stored as.
  associatedtype Code: TensorElement
  /// A product's number format.
  associatedtype Arithmetic: ConvolutionArithmetic
  where
    Arithmetic.Input == Code, Arithmetic.Filter == Code, Arithmetic.Bias == Float,
    Arithmetic.Output == Float

  /// Stores `vector` in the first codes of `codes` and gives their meaning.
  func encode(_ vector: Span<Float>, into codes: inout MutableSpan<Code>) -> Affine

  /// The format of products of vectors encoded as `vector` with the weights at `position`.
  func arithmetic(_ vector: Affine, weights position: Int) -> Arithmetic

  /// The real value of a weight at `position`.
  func real(_ code: Code, at position: Int) -> Float
}

/// Float weights.
package struct FloatCellProducts: CellProducts {
  package func encode(_ vector: Span<Float>, into codes: inout MutableSpan<Float>) -> Affine {
    for index in vector.indices { codes[index] = vector[index] }
    return Affine(scale: 1, zeroPoint: 0)
  }

  package func arithmetic(_ vector: Affine, weights position: Int) -> FloatConvolution {
    FloatConvolution(
      range: ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude))
  }

  package func real(_ code: Float, at position: Int) -> Float { code }
}

/// int8 weights, or uint8 ones whose bytes are read as signed.
package struct HybridCellProducts: CellProducts {
  /// The scales of the node's inputs; 1 where there is none.
  package let scales: [Float]
  /// How vectors are quantised.
  package let quantization: HybridQuantization

  package func encode(_ vector: Span<Float>, into codes: inout MutableSpan<Int8>) -> Affine {
    quantization.quantize(vector, into: &codes)
  }

  package func arithmetic(_ vector: Affine, weights position: Int) -> HybridConvolution {
    HybridConvolution(
      filterScales: [scales[position]], scaling: .byProduct,
      range: ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude), input: vector)
  }

  package func real(_ code: Int8, at position: Int) -> Float { scales[position] * Float(code) }
}

/// The full LSTM cell with a float state, over a sequence.
///
///     i, f, o = σ(W x + R h + p ⊙ c + b),  g = act(W x + R h + b)
///     c ← clip(f ⊙ c + i ⊙ g),             h ← clip(P (o ⊙ act(c)) + b)
///
/// Each gate has weights of its own. Without an input gate `i = 1 − f`; the output gate sees the
/// updated cell state; without a projection `P` is the identity. With layer normalisation a
/// gate's sum starts at zero, is normalised over the cells and multiplied by the coefficients
/// before its bias is added. TFLite: `LstmStepFloat`, `LstmStepHybrid` (`lstm_eval.cc`).
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

  /// Bytes of the scratch tensors: codes of the input, of the state and of the cells' results;
  /// four gates; sums of products.
  package var scratch: [Int] {
    let code = MemoryLayout<Products.Code>.stride
    let gate = layout.cellCount * MemoryLayout<Float>.stride
    let sums = max(layout.cellCount, layout.outputCount) * MemoryLayout<Float>.stride
    return [
      layout.inputCount * code, layout.outputCount * code, layout.cellCount * code, gate, gate,
      gate, gate, sums,
    ]
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for time in 0..<layout.timeCount {
      for batch in 0..<layout.batchCount { step(frame, layout.step(time, of: batch), batch) }
    }
  }

  private func step(_ frame: borrowing TensorFrame, _ step: Int, _ batch: Int) {
    var inputCodes = frame.scratch(0, as: Products.Code.self)
    var stateCodes = frame.scratch(1, as: Products.Code.self)
    let inputs = step * layout.inputCount..<(step + 1) * layout.inputCount
    let outputs = batch * layout.outputCount..<(batch + 1) * layout.outputCount
    let state = frame.variable(LSTMLayout.states.output, as: Float.self)
    let vectors = Vectors(
      input: products.encode(frame.input(0).extracting(inputs), into: &inputCodes),
      state: products.encode(state.span.extracting(outputs), into: &stateCodes), batch: batch)
    if layout.hasInputGate { compute(.input, frame, vectors, to: 3) }
    compute(.forget, frame, vectors, to: 4)
    compute(.cell, frame, vectors, to: 5)
    updateCells(frame, batch)
    compute(.output, frame, vectors, to: 6)
    updateOutput(frame, step, batch)
  }

  /// What the codes in scratch 0 and 1 mean, and to which sequence they belong.
  private struct Vectors {
    let input: Affine
    let state: Affine
    let batch: Int
  }

  /// Computes `gate` into the scratch tensor at `position`.
  private func compute(
    _ gate: LSTMGate, _ frame: borrowing TensorFrame, _ vectors: Vectors, to position: Int
  ) {
    var values = frame.scratch(position, as: Float.self)
    let bias = frame.input(gate.bias, as: Float.self)
    let cells = layout.cellCount
    for cell in 0..<cells { values[cell] = layout.hasLayerNorm ? 0 : bias[cell] }
    add(gate.inputWeights, frame, scratch: 0, vectors.input, layout.inputCount, to: &values)
    if layout.isDiagonal[gate.recurrentWeights] {
      let diagonal = frame.input(gate.recurrentWeights, as: Float.self)
      let state = frame.variable(LSTMLayout.states.output, as: Float.self)
      for cell in 0..<cells {
        values[cell] += diagonal[cell] * state[vectors.batch * layout.outputCount + cell]
      }
    } else {
      add(gate.recurrentWeights, frame, scratch: 1, vectors.state, layout.outputCount, to: &values)
    }
    if layout.hasPeepholes, let peephole = gate.peephole {
      let weights = frame.input(peephole, as: Products.Code.self)
      let state = frame.variable(LSTMLayout.states.cell, as: Float.self)
      for cell in 0..<cells {
        values[cell] +=
          products.real(weights[cell], at: peephole) * state[vectors.batch * cells + cell]
      }
    }
    if layout.hasLayerNorm {
      normalize(&values, frame.input(gate.layerNorm), bias)
    }
    let isCellGate = gate.peephole == nil
    for cell in 0..<cells {
      values[cell] = isCellGate ? activation(values[cell]) : CutSigmoid()(values[cell])
    }
  }

  /// Adds the product of the weights at `position` and the codes in `scratch` to `values`.
  private func add(
    _ position: Int, _ frame: borrowing TensorFrame, scratch: Int, _ vector: Affine, _ count: Int,
    to values: inout MutableSpan<Float>
  ) {
    let codes = frame.scratch(scratch, as: Products.Code.self)
    var sums = frame.scratch(7, as: Float.self)
    let nest = FullyConnectedNest(
      batchCount: 1, inputCount: count, outputDepth: layout.cellCount)
    nest.run(
      products.arithmetic(vector, weights: position), batch: 0, input: codes.span,
      filter: frame.input(position), bias: Span(), output: &sums)
    for cell in 0..<layout.cellCount { values[cell] = sums[cell] + values[cell] }
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
    var states = frame.variable(LSTMLayout.states.cell, as: Float.self)
    for cell in 0..<layout.cellCount {
      let index = batch * layout.cellCount + cell
      let share = layout.hasInputGate ? inputGate[cell] : 1 - forgetGate[cell]
      let state = forgetGate[cell] * states[index] + cellGate[cell] * share
      states[index] = cellClip > 0 ? max(-cellClip, min(cellClip, state)) : state
    }
  }

  private func updateOutput(_ frame: borrowing TensorFrame, _ step: Int, _ batch: Int) {
    let outputGate = frame.scratch(6, as: Float.self)
    let cellStates = frame.variable(LSTMLayout.states.cell, as: Float.self)
    var results = frame.scratch(5, as: Float.self)
    for cell in 0..<layout.cellCount {
      results[cell] =
        outputGate[cell] * activation(cellStates[batch * layout.cellCount + cell])
    }
    if layout.hasProjection { project(frame) }
    let projected = frame.scratch(layout.hasProjection ? 7 : 5, as: Float.self)
    var states = frame.variable(LSTMLayout.states.output, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in 0..<layout.outputCount {
      states[batch * layout.outputCount + index] = projected[index]
      output[step * layout.outputCount + index] = projected[index]
    }
  }

  /// Multiplies the cells' results in scratch 5 by the projection's weights, into scratch 7.
  private func project(_ frame: borrowing TensorFrame) {
    let results = frame.scratch(5, as: Float.self)
    var codes = frame.scratch(2, as: Products.Code.self)
    var projected = frame.scratch(7, as: Float.self)
    let vector = products.encode(
      results.span.extracting(0..<layout.cellCount), into: &codes)
    let nest = FullyConnectedNest(
      batchCount: 1, inputCount: layout.cellCount, outputDepth: layout.outputCount)
    let position = LSTMLayout.projection.weights
    nest.run(
      products.arithmetic(vector, weights: position), batch: 0, input: codes.span,
      filter: frame.input(position), bias: frame.input(LSTMLayout.projection.bias),
      output: &projected)
    guard projectionClip > 0 else { return }
    for index in 0..<layout.outputCount {
      projected[index] = max(-projectionClip, min(projectionClip, projected[index]))
    }
  }
}
