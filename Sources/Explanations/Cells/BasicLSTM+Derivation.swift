// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension BasicLSTMLayout {
  /// How `[x, h]`, the third output, came to an element.
  fileprivate func moved(_ flat: Int, in node: EvaluatedNode) -> NodeDerivation? {
    let (batch, location) = flat.quotientAndRemainder(dividingBy: depth)
    let term =
      location < inputCount
      ? node.term(0, batch * inputCount + location)
      : node.term(1, batch * cellCount + location - inputCount)
    return term.map(NodeDerivation.init(moving:))
  }

  /// The row of a gate of a cell among the weights.
  fileprivate func row(_ gate: LSTMGate, of cell: Int) -> Int {
    let order: [LSTMGate] = [.input, .cell, .forget, .output]
    return (order.firstIndex(of: gate) ?? 0) * cellCount + cell
  }

  /// The products of the elements of `[x, h]` with a row of the weights, as `products` gives them
  /// of two vectors.
  fileprivate func products<Quantized: TensorElement, Product>(
    _ row: Int, of batch: Int, _ record: inout CellRecord,
    _ products: (CellVector<Quantized>, CellVector<Quantized>, inout CellRecord) -> [Product]
  ) -> [Product] {
    let node = record.node
    func part(_ position: Int, _ count: Int, from column: Int) -> [Product] {
      products(
        node.vector(.input(position), from: batch * count, count: count),
        node.vector(.input(2), from: row * depth + column, count: count), &record)
    }
    return part(0, inputCount, from: 0) + part(1, cellCount, from: inputCount)
  }
}

extension BasicFloatLSTM: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    // This output has elements even without cells.
    if output.position == 2 { return layout.moved(output.flat, in: node) }
    var record = CellRecord(node)
    record.steps.isSilent = false
    let rows = 4 * layout.cellCount
    let (batch, cell) = output.flat.quotientAndRemainder(dividingBy: layout.cellCount)
    switch output.position {
    case 3:
      let sum = sum(output.flat % rows, of: output.flat / rows, &record)
      return record.derivation(.float(sum))
    case 1:
      let state = state(of: cell, batch, &record)
      return record.derivation(.float(state))
    case _:
      let state = state(of: cell, batch, &record)
      let gate = gate(.output, of: cell, batch, &record)
      record.steps.part = "output"
      let activated = record.steps.tanh(state)
      let result = record.steps.add(
        "product", "\(gate) × \(activated.operand), output gate × that", float: gate * activated)
      return record.derivation(.float(result))
    }
  }

  private func sum(_ row: Int, of batch: Int, _ record: inout CellRecord) -> Float {
    let products = layout.products(row, of: batch, &record) { $2.products($0, $1) }
    let sum = record.steps.sum(
      products,
      .eigen(
        row: row, of: 4 * layout.cellCount, column: batch, of: layout.batchCount,
        depth: layout.depth))
    let bias: Float = record.element("bias", 3, row) ?? 0
    return record.steps.total(sum, bias)
  }

  private func gate(
    _ gate: LSTMGate, of cell: Int, _ batch: Int, _ record: inout CellRecord
  ) -> Float {
    record.steps.part = gate.name
    let sum = sum(layout.row(gate, of: cell), of: batch, &record)
    guard gate != .cell else { return record.steps.tanh(sum) }
    let cells = layout.cellCount
    return record.steps.logistic(
      sum, VectorLogistic(start: batch % 4 * (cells % 4), count: cells), at: cell)
  }

  private func state(of cell: Int, _ batch: Int, _ record: inout CellRecord) -> Float {
    let input = gate(.input, of: cell, batch, &record)
    let new = gate(.cell, of: cell, batch, &record)
    let forget = gate(.forget, of: cell, batch, &record)
    record.steps.part = "cell state"
    let before: Float = record.element("before", 4, batch * layout.cellCount + cell) ?? 0
    let added = record.steps.add(
      "added", "\(input) × \(new.operand), input gate × cell gate", float: input * new)
    let kept = record.steps.add(
      "kept", "\(forget) × \(before.operand), forget gate × before", float: forget * before)
    return record.steps.total(added, kept)
  }
}

extension BasicByteLSTM: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    // This output has elements even without cells.
    if output.position == 2 { return layout.moved(output.flat, in: node) }
    var record = CellRecord(node)
    record.steps.isSilent = false
    let rows = 4 * layout.cellCount
    let (batch, cell) = output.flat.quotientAndRemainder(dividingBy: layout.cellCount)
    switch output.position {
    case 3:
      let sum = sum(output.flat % rows, of: output.flat / rows, &record)
      return record.derivation(StoredValue(sum))
    case 1:
      let state = state(of: cell, batch, &record)
      return record.derivation(StoredValue(state))
    case _:
      let state = state(of: cell, batch, &record)
      let gate = gate(.output, of: cell, batch, &record)
      record.steps.part = "output"
      let doubled = record.steps.saturate(
        record.steps.add("Q3.12", "\(state) × 2", integer: Int32(state) * 2), to: Int16.self)
      let activated = record.steps.tanh(doubled, integerBits: 3)
      let result = record.steps.highProduct(gate, activated, "product")
      let shifted = record.steps.shift(Int32(result), by: 8)
      let quantized = record.steps.saturate(shifted, to: Int8.self)
      let stored = record.steps.addZeroPoint(Int32(quantized), 128)
      return record.derivation(StoredValue(integer: stored))
    }
  }

  private func sum(_ row: Int, of batch: Int, _ record: inout CellRecord) -> Int16 {
    let products = layout.products(row, of: batch, &record) {
      (numbers: CellVector<UInt8>, weights: CellVector<UInt8>, record: inout CellRecord) in
      record.products(numbers, zeroPoint: 128, weights, zeroPoint: weightZeroPoint)
    }
    record.steps.add("input zero point", "the quantized value of zero", integer: 128)
    record.steps.add("weight zero point", "the quantized value of zero", integer: weightZeroPoint)
    let sum = record.steps.sum(products, as: Int32.self)
    let bias: Int32 = record.element("bias", 3, row) ?? 0
    let biased = record.steps.total(sum, bias)
    return record.steps.saturate(record.steps.scale(biased, by: multiplier), to: Int16.self)
  }

  private func gate(
    _ gate: LSTMGate, of cell: Int, _ batch: Int, _ record: inout CellRecord
  ) -> Int16 {
    record.steps.part = gate.name
    let sum = sum(layout.row(gate, of: cell), of: batch, &record)
    return gate == .cell
      ? record.steps.tanh(sum, integerBits: 3) : record.steps.logistic(sum)
  }

  private func state(of cell: Int, _ batch: Int, _ record: inout CellRecord) -> Int16 {
    let input = gate(.input, of: cell, batch, &record)
    let new = gate(.cell, of: cell, batch, &record)
    let forget = gate(.forget, of: cell, batch, &record)
    record.steps.part = "cell state"
    let before: Int16 = record.element("before", 4, batch * layout.cellCount + cell) ?? 0
    let added = record.steps.shift(
      Int32(record.steps.highProduct(input, new, "added")), by: 4, "added, Q4.11")
    let kept = record.steps.highProduct(forget, before, "kept")
    return record.steps.saturatedSum(added, Int32(kept), to: Int16.self)
  }
}
