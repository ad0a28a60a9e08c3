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
package final class NarrowLSTM: Kernel {
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

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for batch in 0..<layout.batchCount {
      compute(.forget, constants.forget, frame, batch, to: 0)
      compute(.cell, constants.cell, frame, batch, to: 1)
      updateCells(frame, batch)
      compute(.output, constants.output, frame, batch, to: 2)
      updateOutput(frame, batch)
    }
  }

  private func compute(
    _ gate: LSTMGate, _ factors: Constants.Gate, _ frame: borrowing TensorFrame, _ batch: Int,
    to position: Int
  ) {
    var values = frame.scratch(position, as: Int16.self)
    let input = frame.input(layout.tensors.input, as: Int8.self)
    let state = frame.variable(layout.tensors.outputState, as: Int8.self)
    let (inputs, outputs) = (layout.inputCount, layout.outputCount)
    let inputVector = input.extracting(batch * inputs..<(batch + 1) * inputs)
    let stateVector = state.span.extracting(batch * outputs..<(batch + 1) * outputs)
    for cell in 0..<layout.cellCount {
      let fromInput = factors.input.apply(
        frame.input(layout.tensors.inputWeights(gate)), row: cell, inputVector,
        zeroPoint: constants.inputZeroPoint)
      let fromState = factors.recurrent.apply(
        frame.input(layout.tensors.recurrentWeights(gate)), row: cell, stateVector,
        zeroPoint: constants.stateZeroPoint)
      values[cell] = Int16(clamping: fromState &+ fromInput)
    }
    if let coefficients = layout.tensors.layerNorm(gate) {
      normalize(
        &values, frame.input(coefficients), frame.input(layout.tensors.bias(gate)),
        scale: factors.layerNormScale)
    }
    for cell in 0..<layout.cellCount {
      let value = Float(values[cell]) * 0x1p-12
      let function =
        gate == .cell ? FloatMath.tanh(value) : 1 / (1 + FloatMath.exp(0 - value))
      values[cell] = Int16(clamping: Int32(truncatingOrLeast: function * 0x1p15))
    }
  }

  /// Normalizes the gate's sums; TFLite: `PortableApplyLayerNormFloat`.
  private func normalize(
    _ values: inout MutableSpan<Int16>, _ coefficients: Span<Int16>, _ bias: Span<Int32>,
    scale: Float
  ) {
    let count = Float(layout.cellCount)
    var (sum, squares): (Float, Float) = (0, 0)
    for cell in 0..<layout.cellCount {
      let value = Float(values[cell])
      sum += value
      squares += value * value
    }
    let mean = sum / count
    let variance = squares / count - mean * mean
    let inverseDeviation = 1 / (variance == 0 ? 1e-8 : variance).squareRoot()
    let biasScale = 0x1p-10 * scale
    for cell in 0..<layout.cellCount {
      let normal = (Float(values[cell]) - mean) * inverseDeviation
      let weighted = normal * Float(coefficients[cell]) * scale + Float(bias[cell]) * biasScale
      values[cell] = Int16(clamping: Int32(roundingOrLeast: weighted * 0x1p12))
    }
  }

  private func updateCells(_ frame: borrowing TensorFrame, _ batch: Int) {
    let forgetGate = frame.scratch(0, as: Int16.self)
    let cellGate = frame.scratch(1, as: Int16.self)
    var states = frame.variable(layout.tensors.cellState, as: Int16.self)
    for cell in 0..<layout.cellCount {
      let index = batch * layout.cellCount + cell
      let kept = Self.product(forgetGate[cell], states[index])
      let added = Self.product(.max &- forgetGate[cell], cellGate[cell])
      let state = Int16(clamping: Int32(kept) + Int32(added))
      let clip = constants.cellClip
      states[index] = clip > 0 ? max(-clip, min(clip, state)) : state
    }
  }

  /// The product of two Q0.15 numbers, rounded half away from zero.
  @inline(__always)
  private static func product(_ a: Int16, _ b: Int16) -> Int16 {
    Int16(truncatingIfNeeded: FixedPointMultiplier.roundingShift(Int32(a) * Int32(b), by: 15))
  }

  private func updateOutput(_ frame: borrowing TensorFrame, _ batch: Int) {
    let cellStates = frame.variable(layout.tensors.cellState, as: Int16.self)
    var results = frame.scratch(2, as: Int16.self)
    for cell in 0..<layout.cellCount {
      let state = Float(cellStates[batch * layout.cellCount + cell]) * 0x1p-15
      let activated = Int16(clamping: Int32(truncatingOrLeast: FloatMath.tanh(state) * 0x1p15))
      results[cell] = Self.product(results[cell], activated)
    }
    let weights = frame.input(layout.tensors.projection, as: Int8.self)
    let bias = frame.input(layout.tensors.projectionBias, as: Int32.self)
    var states = frame.variable(layout.tensors.outputState, as: Int8.self)
    var output = frame.output(layout.output.position, as: Int8.self)
    for index in 0..<layout.outputCount {
      var sum = Int64(bias[index])
      for cell in 0..<layout.cellCount {
        sum += Int64(results[cell]) * Int64(weights[index * layout.cellCount + cell])
      }
      let scaled = constants.projection.scale(sum) &+ constants.stateZeroPoint
      let clip = constants.projectionClip
      let quantized = Int8(clamping: scaled)
      let value = clip > 0 ? max(-clip, min(clip, quantized)) : quantized
      states[batch * layout.outputCount + index] = value
      output[batch * layout.outputCount + index] = value
    }
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
    _ weights: Span<Int8>, row: Int, _ vector: Span<Int8>, zeroPoint vectorZeroPoint: Int32
  ) -> Int32 {
    let weights = weights.extracting(row * vector.count..<(row + 1) * vector.count)
    var sum: Int32 = 0
    for k in vector.indices {
      sum &+= (Int32(vector[k]) &- vectorZeroPoint) &* Int32(weights[k])
    }
    let quantized = Int8(clamping: toByte.scale(sum) &+ zeroPoint)
    return toGate.scale(Int32(quantized) - zeroPoint)
  }
}
