// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import Tensors

/// What a kernel of recurrent cells does with the tensors of its node.
typealias CellRun = @Sendable (borrowing TensorFrame) -> Void

/// Cells in one direction, or in both.
final class CellKernel: Kernel {
  private let runs: [CellRun]

  /// The cells that `runs` compute one after the other.
  init(_ runs: [CellRun]) { self.runs = runs }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for run in runs { run(frame) }
  }
}

/// The full LSTM cell whose gates see inputs and outputs and nothing else, as most do: the same
/// operations in the same order as `FloatLSTMLoop`, with the tensors' memory looked up once.
struct GatedCells<Products: CellProducts>: Sendable {
  private let layout: LSTMLayout
  private let products: Products
  private let activation: CellActivation
  private let cellClip: Float

  /// The cells of `loop` with other products; nil where they have more than the simplest ones.
  init?<Base: CellProducts>(_ loop: FloatLSTMLoop<Base>, _ products: Products)
  where Base.Quantized == Products.Quantized {
    let layout = loop.layout
    guard layout.hasInputGate, !layout.hasPeepholes, !layout.hasProjection, !layout.hasLayerNorm,
      layout.tensors.auxiliary == nil, loop.activation.function != .none,
      LSTMGate.allCases.allSatisfy({ !layout.isDiagonal[layout.tensors.recurrentWeights($0)] })
    else { return nil }
    self.layout = layout
    self.products = products
    activation = loop.activation
    cellClip = loop.cellClip
  }

  /// What the cells do, compiled for the products where these are known.
  @inline(__always)
  var run: CellRun { { frame in evaluate(frame) } }

  @inline(__always)
  private func evaluate(_ frame: borrowing TensorFrame) {
    guard let memory = unsafe CellMemory<Products.Quantized>(frame, layout) else { return }
    for time in 0..<layout.timeCount {
      let location = layout.isBackward ? layout.timeCount - 1 - time : time
      for batch in 0..<layout.batchCount {
        unsafe step(frame, memory, layout.step(location, of: batch), batch)
      }
    }
  }

  @inline(__always)
  private func step(
    _ frame: borrowing TensorFrame, _ memory: CellMemory<Products.Quantized>, _ step: Int,
    _ batch: Int
  ) {
    let (cells, tensors) = (layout.cellCount, layout.tensors)
    let states = unsafe memory.states + batch * cells
    let input = unsafe memory.vector(memory.input + step * layout.inputCount, layout.inputCount)
    let state = unsafe memory.vector(UnsafePointer(states), cells)
    var inputQuantized = unsafe MutableSpan(
      _unsafeStart: memory.inputQuantized, count: layout.inputCount)
    var stateQuantized = unsafe MutableSpan(_unsafeStart: memory.stateQuantized, count: cells)
    let inputMeaning = products.encode(input, into: &inputQuantized)
    let stateMeaning = products.encode(state, into: &stateQuantized)
    for gate in LSTMGate.allCases {
      let weights = tensors.inputWeights(gate)
      let recurrent = tensors.recurrentWeights(gate)
      var sums = unsafe MutableSpan(_unsafeStart: memory.sums, count: cells)
      unsafe multiply(
        frame, weights, input, inputQuantized.span,
        products.dequantization(of: inputMeaning, input: inputMeaning, weights: weights), batch,
        bias: memory.vector(memory.bias[gate.rawValue], cells), to: &sums)
      var values = unsafe MutableSpan(_unsafeStart: memory.gates[gate.rawValue], count: cells)
      multiply(
        frame, recurrent, state, stateQuantized.span,
        products.dequantization(of: stateMeaning, input: inputMeaning, weights: recurrent), batch,
        bias: sums.span, to: &values)
      let (logistic, first) = layout.logistic(gate, batch)
      apply(
        gate == .cell ? .activation(activation) : .logistic(logistic, first: first), to: &values)
    }
    unsafe update(memory, batch, states, memory.output + layout.output.first(of: step))
  }

  @inline(__always)
  @_lifetime(result: copy result)
  private func multiply(
    _ frame: borrowing TensorFrame, _ weights: Int, _ vector: Span<Float>,
    _ quantizedValues: Span<Products.Quantized>, _ meaning: Affine, _ batch: Int,
    bias: Span<Float>, to result: inout MutableSpan<Float>
  ) {
    var steps = NoSteps()
    products.multiply(
      CellProduct(
        weights: weights, rows: layout.cellCount, columns: vector.count, vector: meaning,
        location: layout.location(batch)),
      frame, vector, as: quantizedValues, bias: bias, to: &result, &steps
    ) { _, _ in }
  }

  @_lifetime(values: copy values)
  private func apply(_ function: CellFunction, to values: inout MutableSpan<Float>) {
    if LaneFunctions.apply(function, to: &values) { return }
    for index in values.indices { values[index] = activation(values[index]) }
  }

  /// The cells' new states, and what they give.
  @inline(__always)
  private func update(
    _ memory: CellMemory<Products.Quantized>, _ batch: Int, _ states: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    let cells = layout.cellCount
    let kept = unsafe memory.cellStates + batch * cells
    let inputGate = unsafe memory.gates[LSTMGate.input.rawValue]
    let forgetGate = unsafe memory.gates[LSTMGate.forget.rawValue]
    let cellGate = unsafe memory.gates[LSTMGate.cell.rawValue]
    let outputGate = unsafe memory.gates[LSTMGate.output.rawValue]
    for cell in 0..<cells {
      let sum = unsafe forgetGate[cell] * kept[cell] + cellGate[cell] * inputGate[cell]
      let new = cellClip > 0 ? max(-cellClip, min(cellClip, sum)) : sum
      unsafe kept[cell] = new
      unsafe cellGate[cell] = new
    }
    var activated = unsafe MutableSpan(_unsafeStart: cellGate, count: cells)
    apply(.activation(activation), to: &activated)
    for cell in 0..<cells {
      let result = unsafe outputGate[cell] * cellGate[cell]
      unsafe states[cell] = result
      unsafe output[cell] = result
    }
  }
}

/// Where a node's tensors are, for cells that are nothing but gates.
@unsafe
private struct CellMemory<Quantized: TensorElement> {
  let input: UnsafePointer<Float>
  let output: UnsafeMutablePointer<Float>
  let states: UnsafeMutablePointer<Float>
  let cellStates: UnsafeMutablePointer<Float>
  let inputQuantized: UnsafeMutablePointer<Quantized>
  let stateQuantized: UnsafeMutablePointer<Quantized>
  let sums: UnsafeMutablePointer<Float>
  /// By the numbers of gates.
  var bias: InlineArray<4, UnsafePointer<Float>>
  var gates: InlineArray<4, UnsafeMutablePointer<Float>>

  /// The memory of a node with this layout; nil where a tensor is missing, or there is no step.
  init?(_ frame: borrowing TensorFrame, _ layout: LSTMLayout) {
    func values(_ position: Int) -> UnsafePointer<Float>? {
      unsafe frame.inputAddress(position)?.assumingMemoryBound(to: Float.self)
    }
    func scratch<Element>(_ position: Int, as _: Element.Type) -> UnsafeMutablePointer<Element> {
      unsafe frame.scratchAddress(position).assumingMemoryBound(to: Element.self)
    }
    let tensors = layout.tensors
    guard let input = unsafe values(tensors.input),
      let states = unsafe values(tensors.outputState),
      let cellStates = unsafe values(tensors.cellState)
    else { return nil }
    unsafe self.input = input
    unsafe self.states = UnsafeMutablePointer(mutating: states)
    unsafe self.cellStates = UnsafeMutablePointer(mutating: cellStates)
    unsafe output = frame.outputAddress(layout.output.position)
      .assumingMemoryBound(to: Float.self)
    unsafe inputQuantized = scratch(0, as: Quantized.self)
    unsafe stateQuantized = scratch(1, as: Quantized.self)
    unsafe sums = scratch(7, as: Float.self)
    unsafe bias = InlineArray(repeating: input)
    unsafe gates = InlineArray(repeating: scratch(3, as: Float.self))
    for gate in LSTMGate.allCases {
      guard let values = unsafe values(tensors.bias(gate)) else { return nil }
      unsafe bias[gate.rawValue] = values
      unsafe gates[gate.rawValue] = scratch(3 + gate.rawValue, as: Float.self)
    }
  }

  /// `count` numbers from `start` on.
  @_lifetime(immortal)
  func vector(_ start: UnsafePointer<Float>, _ count: Int) -> Span<Float> {
    unsafe _overrideLifetime(Span(_unsafeStart: start, count: count), copying: ())
  }
}
