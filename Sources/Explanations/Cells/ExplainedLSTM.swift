// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A step of one of a node's sequences.
struct LSTMStep {
  /// How many steps come before it.
  let number: Int
  /// Which sequence.
  let batch: Int
  /// Where the step lies among all steps of all sequences.
  let row: Int
  /// Where the step before lies; nil for the first.
  let previous: Int?
}

extension LSTMLayout {
  /// The step that is walked as this number.
  func walkedStep(_ number: Int, of batch: Int) -> LSTMStep {
    func row(_ number: Int) -> Int {
      step(isBackward ? timeCount - 1 - number : number, of: batch)
    }
    return LSTMStep(
      number: number, batch: batch, row: row(number),
      previous: number > 0 ? row(number - 1) : nil)
  }

  /// The step that an element of an output belongs to, and its position there; nil for elements
  /// that this cell does not write.
  func location(of element: OutputLocation) -> (step: LSTMStep, index: Int)? {
    let row = element.flat / output.stride
    let index = element.flat % output.stride - output.offset
    guard element.position == output.position, 0..<outputCount ~= index else { return nil }
    let (time, batch) =
      isTimeMajor
      ? row.quotientAndRemainder(dividingBy: batchCount)
      : (row % timeCount, row / timeCount)
    return (walkedStep(isBackward ? timeCount - 1 - time : time, of: batch), index)
  }

  /// The output state that the cells see at a step: the output of the step before.
  func outputState<Number: TensorElement>(
    at step: LSTMStep, in node: EvaluatedNode, as type: Number.Type = Number.self
  ) -> CellVector<Number> {
    guard let previous = step.previous else {
      return node.vector(
        .input(tensors.outputState), from: step.batch * outputCount, count: outputCount)
    }
    return node.vector(
      .output(output.position), from: previous * output.stride + output.offset,
      count: outputCount)
  }
}

extension LSTMGate {
  /// The gate's name.
  var name: String {
    switch self {
    case .input: "input gate"
    case .forget: "forget gate"
    case .cell: "cell gate"
    case .output: "output gate"
    }
  }
}

/// The gates of all cells that are computed, by cell.
struct LSTMGates<Number> {
  /// Nil where it is 1 less the forget gate.
  var input: [Number]?
  var forget: [Number]
  var cell: [Number]
  /// Zeros until it is computed.
  var output: [Number]
}

/// A full LSTM cell that can tell its steps.
protocol ExplainedLSTM {
  /// What gates and cell states are stored as.
  associatedtype Number: TensorElement & Numeric
  /// What the cells' results are stored as.
  associatedtype Result: TensorElement
  /// What the gates multiply at one step.
  associatedtype Vectors

  var layout: LSTMLayout { get }

  /// What the gates multiply at a step.
  func vectors(at step: LSTMStep, in node: EvaluatedNode) -> Vectors

  /// A gate of `cells`, by cell.
  func gate(
    _ gate: LSTMGate, of cells: Range<Int>, _ vectors: Vectors, states: CellVector<Number>,
    _ record: inout CellRecord
  ) -> [Number]

  /// The new state of a cell.
  func state(
    of cell: Int, from state: Number, _ gates: LSTMGates<Number>, _ steps: inout StepList
  ) -> Number

  /// A cell's result, which is its output or gets projected.
  func result(
    of cell: Int, state: Number, _ gates: LSTMGates<Number>, _ steps: inout StepList
  ) -> Result

  /// An element of the output: the projection of the results, by cell.
  func projected(
    _ index: Int, _ results: CellVector<Result>, _ step: LSTMStep, _ record: inout CellRecord
  ) -> StoredValue
}

extension ExplainedLSTM {
  /// How the cell came to an element of its output.
  ///
  /// Cell states of earlier steps are stored nowhere. They are computed, by the same arithmetic
  /// and from the first step on, for the cell of the element, or for all cells where they are
  /// normalized or projected together.
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    guard let (last, index) = layout.location(of: output) else { return nil }
    let cells =
      layout.hasProjection || layout.hasLayerNorm ? 0..<layout.cellCount : index..<index + 1
    var record = CellRecord(node)
    var states: CellVector<Number> = node.vector(
      .input(layout.tensors.cellState), from: last.batch * layout.cellCount,
      count: layout.cellCount)
    guard states.elements.count == layout.cellCount else { return nil }
    for number in 0..<last.number {
      states = compute(layout.walkedStep(number, of: last.batch), cells, states, &record).states
    }
    guard layout.hasProjection else {
      record.shown = index
      let (_, results) = compute(last, cells, states, &record)
      return record.derivation(StoredValue(results.elements[index - cells.lowerBound]))
    }
    // Of the cells that are projected, the one that weighs most is shown.
    var draft = record
    draft.steps.isSilent = false
    _ = projected(index, compute(last, cells, states, &record).results, last, &draft)
    let shown = draft.largestProduct ?? 0
    record.shown = shown
    let (_, results) = compute(last, cells, states, &record)
    record.followAll()
    record.steps.part = "projection"
    let result = projected(index, results, last, &record)
    return record.derivation(
      result,
      remark: layout.cellCount == 1
        ? nil
        : "of the \(layout.cellCount) cells that are projected, number \(shown), which weighs "
          + "most, is shown; the others' results come about in the same way")
  }

  /// The states, by cell, and the results of `cells` at a step.
  private func compute(
    _ step: LSTMStep, _ cells: Range<Int>, _ states: CellVector<Number>,
    _ record: inout CellRecord
  ) -> (states: CellVector<Number>, results: CellVector<Result>) {
    let vectors = vectors(at: step, in: record.node)
    func gate(_ gate: LSTMGate, _ states: CellVector<Number>) -> [Number] {
      self.gate(gate, of: cells, vectors, states: states, &record)
    }
    var gates = LSTMGates(
      input: layout.hasInputGate ? gate(.input, states) : nil, forget: gate(.forget, states),
      cell: gate(.cell, states), output: [Number](repeating: 0, count: layout.cellCount))
    var updated = CellVector<Number>(
      source: .computed("cell state"), start: 0, elements: states.elements)
    for cell in cells {
      record.follow(cell)
      record.steps.part = "cell state"
      record.tellState(states, cell, step)
      updated.elements[cell] = state(
        of: cell, from: states.elements[cell], gates, &record.steps)
    }
    gates.output = gate(.output, updated)
    let results = cells.map { cell in
      record.follow(cell)
      record.steps.part = "output"
      return result(of: cell, state: updated.elements[cell], gates, &record.steps)
    }
    return (updated, CellVector(source: .computed("result"), start: 0, elements: results))
  }
}

extension CellRecord {
  /// Writes down what a cell's state was before a step.
  fileprivate mutating func tellState<Number>(
    _ states: CellVector<Number>, _ cell: Int, _ step: LSTMStep
  ) {
    let value = StoredValue(states.elements[cell])
    guard step.number > 0 else {
      tell("before", at: states.source, states.start + cell, value)
      return
    }
    steps.add(
      "before",
      step.number == 1
        ? "by the same formulas, from the step before"
        : "by the same formulas, from the \(step.number) steps before", value)
  }
}
