// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The basic kind of `LSTM`: all gates in one matrix, neither peepholes nor a projection; see
/// `BasicFloatLSTM` for the formula.
///
/// - Input 0: `x`, `[batch, inputs]`.
/// - Input 1: `h`, `[batch, cells]`, often a variable.
/// - Input 2: `W`, `[4 cells, inputs + cells]`.
/// - Input 3: `b`, `[4 cells]`.
/// - Input 4: `c`, `[batch, cells]`, often a variable.
/// - Outputs: the new `h` and `c`; `[x, h]`; the gates before their functions.
///
/// TFLite copies the new states to inputs 1 and 4 whatever they are. Here variables are updated;
/// others are given anew with each invocation. TFLite: `lstm.cc`, `LstmCell` (`optimized_ops.h`).
struct BasicLSTM {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 5...5, outputs: 4)
    let input = try node.input(0)
    let state = try node.input(1)
    guard input.shape.rank == 2 else {
      throw .rank(input.shape.rank, wanted: "2", .input(0))
    }
    guard state.shape.rank == 2 else {
      throw .rank(state.shape.rank, wanted: "2", .input(1))
    }
    let layout = BasicLSTMLayout(
      batchCount: input.shape[0], inputCount: input.shape[1], cellCount: state.shape[1],
      updates: [1, 4].filter { node.inputs[$0]?.isVariable == true })
    switch input.elementType {
    case .float32:
      return Prepared(
        outputs: try outputs(
          node, layout, number: .float32, bias: .float32, state: .float32),
        kernel: BasicFloatLSTM(layout: layout),
        scratch: [4 * layout.cellCount * MemoryLayout<Float>.stride])
    case .uint8:
      let outputs = try outputs(node, layout, number: .uint8, bias: .int32, state: .int16)
      return Prepared(
        outputs: outputs, kernel: try BasicByteLSTM(node, layout, state: outputs[1]))
    case let other: throw .elementType(other, .input(0))
    }
  }

  /// The outputs' types, after a check of every tensor.
  private func outputs(
    _ node: PrepareContext, _ layout: BasicLSTMLayout, number: ElementType, bias: ElementType,
    state: ElementType
  ) throws(KernelError) -> [TensorType] {
    let (gates, overflow) = layout.cellCount.multipliedReportingOverflow(by: 4)
    guard !overflow else { throw .invalid("\(layout.cellCount) cells", .input(1)) }
    let batch = layout.batchCount
    try node.expect(1, number, [batch, layout.cellCount])
    try node.expect(2, number, [gates, layout.depth])
    try node.expect(3, bias, [gates])
    try node.expect(4, state, [batch, layout.cellCount])
    var types: [TensorType] = []
    for (position, (type, length)) in [
      (number, layout.cellCount), (state, layout.cellCount), (number, layout.depth),
      (state, gates),
    ].enumerated() {
      let declared = try node.declaredOutput(position)
      guard declared.elementType == type else {
        throw .elementType(declared.elementType, .output(position))
      }
      types.append(
        TensorType(
          type, try Shape.checked([batch, length], .output(position)),
          quantization: declared.quantization))
    }
    return types
  }
}

/// The sizes of a basic LSTM node.
package struct BasicLSTMLayout: Sendable {
  package let batchCount: Int
  package let inputCount: Int
  package let cellCount: Int
  /// Which of the states' inputs are variables.
  package let updates: [Int]

  /// Elements of an input followed by an output.
  package var depth: Int { inputCount + cellCount }

  /// Copies `[x, h]` to output 2.
  func concatenate<Element: TensorElement>(
    _ frame: borrowing TensorFrame, as type: Element.Type
  ) {
    let input = frame.input(0, as: Element.self)
    let state = frame.input(1, as: Element.self)
    var both = frame.output(2, as: Element.self)
    for batch in 0..<batchCount {
      for k in 0..<inputCount { both[batch * depth + k] = input[batch * inputCount + k] }
      for k in 0..<cellCount {
        both[batch * depth + inputCount + k] = state[batch * cellCount + k]
      }
    }
  }

  /// Copies an output to the variable input it belongs to.
  func update<Element: TensorElement>(
    _ input: Int, from output: Int, _ frame: borrowing TensorFrame, as type: Element.Type
  ) {
    guard updates.contains(input) else { return }
    let new = frame.output(output, as: Element.self)
    var state = frame.variable(input, as: Element.self)
    for index in new.indices { state[index] = new[index] }
  }
}

/// The basic LSTM cell in float32.
///
///     [i, g, f, o] = W [x, h] + b
///     c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
///
/// Products and functions are Eigen's, see `FloatCellProducts`.
package final class BasicFloatLSTM: Kernel {
  package let layout: BasicLSTMLayout

  init(layout: BasicLSTMLayout) { self.layout = layout }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    layout.concatenate(frame, as: Float.self)
    let previous = frame.input(4, as: Float.self)
    var outputs = frame.output(0, as: Float.self)
    var states = frame.output(1, as: Float.self)
    let vectors = frame.output(2, as: Float.self)
    var gates = frame.output(3, as: Float.self)
    let products = FloatCellProducts(.eigen(vectorCount: layout.batchCount))
    let (cells, depth) = (layout.cellCount, layout.depth)
    var sums = frame.scratch(0, as: Float.self)
    for batch in 0..<layout.batchCount {
      products.multiply(
        2, frame, rows: 4 * cells, columns: depth,
        vectors.span.extracting(batch * depth..<(batch + 1) * depth),
        Affine(scale: 1, zeroPoint: 0), location: batch, bias: frame.input(3), to: &sums)
      for row in 0..<4 * cells { gates[batch * 4 * cells + row] = sums[row] }
      let logistic = VectorLogistic(start: batch % 4 * (cells % 4), count: cells)
      for cell in 0..<cells {
        let index = batch * cells + cell
        let added =
          logistic.value(sums[cell], at: cell) * RationalTanh.value(sums[cell + cells])
        let kept = logistic.value(sums[cell + 2 * cells], at: cell) * previous[index]
        let state = added + kept
        states[index] = state
        outputs[index] =
          logistic.value(sums[cell + 3 * cells], at: cell) * RationalTanh.value(state)
      }
    }
    layout.update(1, from: 0, frame, as: Float.self)
    layout.update(4, from: 1, frame, as: Float.self)
  }
}

/// The basic LSTM cell with uint8 inputs and outputs and an int16 state.
///
///     [i, g, f, o] = W [x, h] + b
///     c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
///
/// Inputs and outputs are in units of 1/128 around the quantized value 128, whatever their
/// quantization says. Gates are Q3.12 and the state is Q4.11; the product of two functions has no
/// integer bits.
///
/// Sums are brought to Q3.12 by the matrix library, which rounds twice as other kernels do, but
/// the second time halves towards +∞.
package final class BasicByteLSTM: Kernel {
  package let layout: BasicLSTMLayout
  /// The quantized value of a weight of zero.
  package let weightZeroPoint: Int32
  /// From the sums' scale to Q3.12.
  package let multiplier: FixedPointMultiplier

  init(
    _ node: PrepareContext, _ layout: BasicLSTMLayout, state: TensorType
  ) throws(KernelError) {
    let scale = try state.affine(.output(1)).scale
    // Within 0.001 of -11 as a power of two.
    guard abs(FloatMath.log(scale) * (1 / FloatMath.log(2)) + 11) < 1e-3 else {
      throw .invalid("cell state's scale \(scale), wanted 2^-11", .output(1))
    }
    self.layout = layout
    weightZeroPoint = try node.input(2).affine(.input(2)).zeroPoint
    multiplier = FixedPointMultiplier(
      Double(4096 * (try node.input(3).affine(.input(3)).scale)), rounding: node.rounding,
      shiftsHalvesUp: true)
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    layout.concatenate(frame, as: UInt8.self)
    computeGates(frame)
    let gates = frame.output(3, as: Int16.self)
    let previous = frame.input(4, as: Int16.self)
    var outputs = frame.output(0, as: UInt8.self)
    var states = frame.output(1, as: Int16.self)
    let cells = layout.cellCount
    for batch in 0..<layout.batchCount {
      for cell in 0..<cells {
        let gate = batch * 4 * cells + cell
        let index = batch * cells + cell
        let added = FixedPoint.doublingHighProduct(
          FixedPoint16.logistic(gates[gate]),
          FixedPoint16.tanh(gates[gate + cells], integerBits: 3))
        let kept = FixedPoint.doublingHighProduct(
          FixedPoint16.logistic(gates[gate + 2 * cells]), previous[index])
        let state = Int16(clamping: Int32(FixedPoint.roundingShift(added, by: 4)) + Int32(kept))
        let result = FixedPoint.doublingHighProduct(
          FixedPoint16.logistic(gates[gate + 3 * cells]),
          FixedPoint16.tanh(FixedPoint.saturatingShift(state, by: 1), integerBits: 3))
        states[index] = state
        let quantized = max(-128, min(127, FixedPoint.roundingShift(result, by: 8)))
        outputs[index] = UInt8(truncatingIfNeeded: 128 + quantized)
      }
    }
    layout.update(1, from: 0, frame, as: UInt8.self)
    layout.update(4, from: 1, frame, as: Int16.self)
  }

  private func computeGates(_ frame: borrowing TensorFrame) {
    let vectors = frame.output(2, as: UInt8.self)
    let weights = frame.input(2, as: UInt8.self)
    let bias = frame.input(3, as: Int32.self)
    var gates = frame.output(3, as: Int16.self)
    for batch in 0..<layout.batchCount {
      let vector = vectors.span.extracting(batch * layout.depth..<(batch + 1) * layout.depth)
      for row in 0..<4 * layout.cellCount {
        let rowWeights = weights.extracting(row * layout.depth..<(row + 1) * layout.depth)
        var sum = bias[row]
        for k in 0..<layout.depth {
          sum &+= (Int32(vector[k]) - 128) &* (Int32(rowWeights[k]) &- weightZeroPoint)
        }
        gates[batch * 4 * layout.cellCount + row] = Int16(clamping: multiplier.scale(sum))
      }
    }
  }
}
