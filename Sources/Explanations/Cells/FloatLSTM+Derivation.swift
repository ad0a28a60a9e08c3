// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// The vectors that a float cell's gates multiply at one step.
struct FloatLSTMVectors<Quantized: TensorElement> {
  let input: EncodedVector<Quantized>
  let auxiliary: EncodedVector<Quantized>?
  let state: EncodedVector<Quantized>
  let batch: Int
  let cellGate: LSTMCellGate
}

extension FloatLSTMLoop: ExplainableLoop where Products: ExplainedCellProducts {}

extension FloatLSTMLoop: ExplainedLSTM where Products: ExplainedCellProducts {
  func vectors(at step: LSTMStep, in node: EvaluatedNode) -> FloatLSTMVectors<Products.Quantized> {
    func input(_ position: Int, _ count: Int) -> EncodedVector<Products.Quantized> {
      products.encode(node.vector(.input(position), from: step.row * count, count: count))
    }
    let frame = TensorFrame(inputs: node.inputs.map { $0?.bytes }, outputs: [])
    return FloatLSTMVectors(
      input: input(layout.tensors.input, layout.inputCount),
      auxiliary: layout.tensors.auxiliary.map { input($0.input, layout.auxiliaryCount) },
      state: products.encode(layout.outputState(at: step, in: node)), batch: step.batch,
      cellGate: cellGate(frame, step.row))
  }

  func gate(
    _ gate: LSTMGate, of cells: Range<Int>, _ vectors: FloatLSTMVectors<Products.Quantized>,
    states: CellVector<Float>, _ record: inout CellRecord
  ) -> [Float] {
    var values = [Float](repeating: 0, count: layout.cellCount)
    for cell in cells {
      record.follow(cell)
      values[cell] = sum(gate, of: cell, vectors, states, &record)
    }
    // Such a gate ends with its sum.
    if gate == .cell, vectors.cellGate != .whole { return values }
    if layout.hasLayerNorm { normalize(&values, gate, &record) }
    let (logistic, first) = layout.logistic(gate, vectors.batch)
    for cell in cells {
      record.follow(cell)
      record.steps.part = gate.name
      values[cell] =
        gate == .cell
        ? record.steps.activate(values[cell], activation)
        : record.steps.logistic(values[cell], logistic, at: first + cell)
    }
    return values
  }

  /// The sum of a gate.
  private func sum(
    _ gate: LSTMGate, of cell: Int, _ vectors: FloatLSTMVectors<Products.Quantized>,
    _ states: CellVector<Float>, _ record: inout CellRecord
  ) -> Float {
    let tensors = layout.tensors
    record.steps.part = "\(gate.name), input"
    // With layer normalization the bias comes last.
    let bias: Float? = layout.hasLayerNorm ? nil : record.element("bias", tensors.bias(gate), cell)
    if gate == .cell, vectors.cellGate == .bias {
      return record.steps.add(
        "left out", "all products, as TFLite does here without an activation", float: bias ?? 0)
    }
    var sum = add(tensors.inputWeights(gate), of: cell, vectors.input, vectors, to: bias, &record)
    if let auxiliary = tensors.auxiliary, let vector = vectors.auxiliary {
      record.steps.part = "\(gate.name), auxiliary input"
      sum = add(auxiliary.weights + gate.rawValue, of: cell, vector, vectors, to: sum, &record)
    }
    record.steps.part = "\(gate.name), state"
    if gate == .cell, vectors.cellGate == .withoutState {
      return record.steps.add(
        "left out", "R h, as TFLite does here without an activation", float: sum)
    }
    let recurrent = tensors.recurrentWeights(gate)
    if layout.isDiagonal[recurrent] {
      let product = record.products(
        vectors.state.vector.only(cell), record.node.row(cell, of: recurrent, count: 1))
      sum = record.steps.total(sum, product.first ?? 0)
    } else {
      sum = add(recurrent, of: cell, vectors.state, vectors, to: sum, &record)
    }
    guard layout.hasPeepholes, let peephole = tensors.peephole(gate) else { return sum }
    record.steps.part = "\(gate.name), cell state"
    let product = products.products(
      states.only(cell), record.node.row(cell, of: peephole, count: 1), of: peephole, &record)
    return record.steps.total(sum, product.first ?? 0)
  }

  /// Adds the product of a cell's row of the weights at `position` and a vector.
  private func add(
    _ position: Int, of cell: Int, _ vector: EncodedVector<Products.Quantized>,
    _ vectors: FloatLSTMVectors<Products.Quantized>, to sum: Float?, _ record: inout CellRecord
  ) -> Float {
    products.sum(
      CellRow(
        position: position, row: cell, count: layout.cellCount,
        location: layout.location(vectors.batch)
      ), vector, input: vectors.input.meaning, addedTo: sum, &record)
  }

  /// Layer normalization of a gate's sums, of which there is one for each cell.
  private func normalize(
    _ values: inout [Float], _ gate: LSTMGate, _ record: inout CellRecord
  ) {
    record.followAll()
    record.steps.part = "\(gate.name), normalization"
    record.list(CellVector(source: .computed("sum"), start: 0, elements: values))
    let count = Float(layout.cellCount)
    let sum = record.steps.sum(values, .oneByOne, of: "sums")
    let mean = record.steps.add("mean", "\(sum) / \(layout.cellCount)", float: sum / count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    record.steps.add("squares", "sum of the squared distances from the mean", float: squares)
    let variance = record.steps.add(
      "variance", "\(squares) / \(layout.cellCount)", float: squares / count)
    let inverse = record.steps.add(
      "inverse deviation", "1 / √(\(variance) + 1e-8)",
      float: 1 / (variance + 1e-8).squareRoot())
    for cell in values.indices {
      record.follow(cell)
      let normal = record.steps.add(
        "normalized", "(\(values[cell]) - \(mean.operand)) × \(inverse)",
        float: (values[cell] - mean) * inverse)
      let coefficient: Float =
        layout.tensors.layerNorm(gate).flatMap { record.element("coefficient", $0, cell) } ?? 0
      let weighted = record.steps.add(
        "weighted", "\(normal) × \(coefficient.operand)", float: coefficient * normal)
      let bias: Float = record.element("bias", layout.tensors.bias(gate), cell) ?? 0
      values[cell] = record.steps.total(weighted, bias)
    }
  }

  func state(
    of cell: Int, from state: Float, _ gates: LSTMGates<Float>, _ steps: inout StepList
  ) -> Float {
    let forget = gates.forget[cell]
    let share =
      gates.input?[cell]
      ?? steps.add("input gate", "1 - \(forget), there being none", float: 1 - forget)
    let kept = steps.add(
      "kept", "\(forget) × \(state.operand), forget gate × before", float: forget * state)
    let added = steps.add(
      "added", "\(share) × \(gates.cell[cell].operand), input gate × cell gate",
      float: gates.cell[cell] * share)
    return steps.clip(steps.total(kept, added), to: cellClip)
  }

  func result(
    of cell: Int, state: Float, _ gates: LSTMGates<Float>, _ steps: inout StepList
  ) -> Float {
    // Without an activation the buffer still holds the cell gate.
    let activated =
      activation.function == .none ? gates.cell[cell] : steps.activate(state, activation)
    let other = activation.function == .none ? "cell gate, as there is no activation" : "that"
    return steps.add(
      "product", "\(gates.output[cell]) × \(activated.operand), output gate × \(other)",
      float: gates.output[cell] * activated)
  }

  func projected(
    _ index: Int, _ results: CellVector<Float>, _ step: LSTMStep, _ record: inout CellRecord
  ) -> StoredValue {
    let tensors = layout.tensors
    let vector = products.encode(results)
    let bias: Float? = record.element("bias", tensors.projectionBias, index)
    let sum = products.sum(
      CellRow(
        position: tensors.projection, row: index, count: layout.outputCount,
        location: layout.location(step.batch)), vector, input: vector.meaning, addedTo: bias,
      &record)
    return .float(record.steps.clip(sum, to: projectionClip))
  }
}
