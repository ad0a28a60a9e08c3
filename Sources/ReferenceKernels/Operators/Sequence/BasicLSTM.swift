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
    _ frame: borrowing TensorFrame, as type: Element.Type, _ steps: inout some Steps
  ) {
    let input = frame.input(0, as: Element.self)
    let state = frame.input(1, as: Element.self)
    var both = frame.output(2, as: Element.self)
    for batch in 0..<batchCount {
      for k in 0..<depth {
        steps.about(batch * depth + k, ofOutput: 2)
        both[batch * depth + k] =
          k < inputCount
          ? steps.moved(input, batch * inputCount + k)
          : steps.moved(state, batch * cellCount + k - inputCount)
      }
    }
  }

  /// What follows is about a row of all gates of a batch entry: an element of output 3, and cells
  /// of the other outputs.
  @inline(__always)
  func tell(_ row: Int, of batch: Int, _ steps: inout some Steps) {
    let (gate, cell) = row.quotientAndRemainder(dividingBy: cellCount)
    // The matrix has the output gate last, which has no part in the new cell state.
    steps.part(["input gate", "cell gate", "forget gate", "output gate"][gate])
    steps.about(batch * 4 * cellCount + row, ofOutput: 3)
    steps.alsoAbout(batch * cellCount + cell, ofOutputs: 0...(gate < 3 ? 1 : 0))
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
package final class BasicFloatLSTM: SteppedKernel {
  package let layout: BasicLSTMLayout

  init(layout: BasicLSTMLayout) { self.layout = layout }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    layout.concatenate(frame, as: Float.self, &steps)
    for batch in 0..<layout.batchCount {
      computeGates(frame, batch, &steps)
      update(frame, batch, &steps)
    }
    layout.update(1, from: 0, frame, as: Float.self)
    layout.update(4, from: 1, frame, as: Float.self)
  }

  private func computeGates<S: Steps>(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout S
  ) {
    let (rows, depth) = (4 * layout.cellCount, layout.depth)
    let vectors = frame.output(2, as: Float.self)
    let vector = vectors.span.extracting(batch * depth..<(batch + 1) * depth)
    let bias = frame.input(3, as: Float.self)
    var gates = frame.output(3, as: Float.self)
    var sums = frame.scratch(0, as: Float.self)
    let product = CellProduct(
      weights: 2, rows: rows, columns: depth, vector: Affine(scale: 1, zeroPoint: 0),
      location: batch)
    FloatCellProducts(.eigen(vectorCount: layout.batchCount)).multiply(
      product, frame, vector, as: vector, bias: bias, to: &sums, &steps
    ) { row, steps in
      layout.tell(row, of: batch, &steps)
      steps.element("bias", bias, row)
    }
    for row in 0..<rows { gates[batch * rows + row] = sums[row] }
  }

  /// The new states and outputs of a batch entry from its gates in scratch 0.
  private func update(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout some Steps
  ) {
    let sums = frame.scratch(0, as: Float.self)
    let previous = frame.input(4, as: Float.self)
    var outputs = frame.output(0, as: Float.self)
    var states = frame.output(1, as: Float.self)
    let cells = layout.cellCount
    let logistic = VectorLogistic(start: batch % 4 * (cells % 4), count: cells)
    for cell in 0..<cells {
      let index = batch * cells + cell
      steps.about(index, ofOutputs: 0...1)
      steps.part("cell state")
      let input = steps.logistic(sums[cell], logistic, at: cell)
      let new = steps.tanh(sums[cell + cells])
      let forget = steps.logistic(sums[cell + 2 * cells], logistic, at: cell)
      let before = steps.element("before", previous, index)
      let added = steps.note(
        "added", "\(input) × \(new.operand), input gate × cell gate", input * new)
      let kept = steps.note(
        "kept", "\(forget) × \(before.operand), forget gate × before", forget * before)
      let state = steps.sum(added, kept)
      states[index] = state
      steps.about(index)
      steps.part("output")
      let gate = steps.logistic(sums[cell + 3 * cells], logistic, at: cell)
      let activated = steps.tanh(state)
      outputs[index] = steps.note(
        "product", "\(gate) × \(activated.operand), output gate × that", gate * activated)
    }
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
package final class BasicByteLSTM: SteppedKernel {
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

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    layout.concatenate(frame, as: UInt8.self, &steps)
    for batch in 0..<layout.batchCount {
      computeGates(frame, batch, &steps)
      update(frame, batch, &steps)
    }
    layout.update(1, from: 0, frame, as: UInt8.self)
    layout.update(4, from: 1, frame, as: Int16.self)
  }

  private func computeGates(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout some Steps
  ) {
    let (rows, depth) = (4 * layout.cellCount, layout.depth)
    let vectors = frame.output(2, as: UInt8.self)
    let vector = vectors.span.extracting(batch * depth..<(batch + 1) * depth)
    let weights = frame.input(2, as: UInt8.self)
    let bias = frame.input(3, as: Int32.self)
    var gates = frame.output(3, as: Int16.self)
    for row in 0..<rows {
      layout.tell(row, of: batch, &steps)
      let rowWeights = weights.extracting(row * depth..<(row + 1) * depth)
      var sum: Int32 = 0
      for k in 0..<depth {
        sum &+= steps.term(
          (Int32(vector[k]) - 128) &* (Int32(rowWeights[k]) &- weightZeroPoint), of: vector, k,
          rowWeights, k)
      }
      steps.note("input zero point", "the quantized value of zero", Int32(128))
      steps.note("weight zero point", "the quantized value of zero", weightZeroPoint)
      let biased = steps.sum(steps.accumulator(sum), steps.element("bias", bias, row))
      gates[batch * rows + row] = steps.saturate(steps.scale(biased, by: multiplier))
    }
  }

  /// The new states and outputs of a batch entry from its gates.
  private func update(
    _ frame: borrowing TensorFrame, _ batch: Int, _ steps: inout some Steps
  ) {
    let gates = frame.output(3, as: Int16.self)
    let previous = frame.input(4, as: Int16.self)
    var outputs = frame.output(0, as: UInt8.self)
    var states = frame.output(1, as: Int16.self)
    let cells = layout.cellCount
    for cell in 0..<cells {
      let gate = batch * 4 * cells + cell
      let index = batch * cells + cell
      steps.about(index, ofOutputs: 0...1)
      steps.part("cell state")
      let input = steps.logistic(gates[gate])
      let new = steps.tanh(gates[gate + cells], integerBits: 3)
      let forget = steps.logistic(gates[gate + 2 * cells])
      let before = steps.element("before", previous, index)
      let added = steps.shift(
        Int32(steps.highProduct(input, new, "added")), by: 4, "added, Q4.11")
      let kept = steps.highProduct(forget, before, "kept")
      let state: Int16 = steps.saturate(steps.sum(added, Int32(kept)))
      states[index] = state
      steps.about(index)
      steps.part("output")
      let opened = steps.logistic(gates[gate + 3 * cells])
      let doubled: Int16 = steps.saturate(
        steps.note("Q3.12", "\(state) × 2", Int32(state) * 2))
      let result = steps.highProduct(
        opened, steps.tanh(doubled, integerBits: 3), "product")
      let quantized: Int8 = steps.saturate(steps.shift(Int32(result), by: 8))
      outputs[index] = UInt8(truncatingIfNeeded: steps.addZeroPoint(Int32(quantized), 128))
    }
  }
}
