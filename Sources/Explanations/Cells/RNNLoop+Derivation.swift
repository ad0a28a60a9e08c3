// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension RNNLoop: ExplainableLoop where Products: ExplainedCellProducts {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    let row = output.flat / layout.output.stride
    let unit = output.flat % layout.output.stride - layout.output.offset
    guard output.position == layout.output.position, 0..<layout.unitCount ~= unit else {
      return nil
    }
    let (time, batch) =
      layout.isTimeMajor
      ? row.quotientAndRemainder(dividingBy: layout.batchCount)
      : (row % layout.timeCount, row / layout.timeCount)
    var record = CellRecord(node)
    let state = state(before: time, of: batch, &record)
    record.steps.isSilent = false
    let value = value(of: unit, time, batch, products.encode(state), &record)
    return record.derivation(
      .float(value),
      remark: state.source == .computed("state")
        ? "the sequence is walked \(layout.passCount) times, as TFLite does here; the state that "
          + "the walks before the last one leave comes about in the same way" : nil)
  }

  /// The step of the sequence that is walked as this number.
  private func time(walkedAs number: Int) -> Int {
    layout.isBackward ? layout.timeCount - 1 - number : number
  }

  /// The state that a step sees: what the step before gave.
  private func state(
    before time: Int, of batch: Int, _ record: inout CellRecord
  ) -> CellVector<Float> {
    let units = layout.unitCount
    let number = self.time(walkedAs: time)
    guard number == 0 else {
      let previous = layout.step(self.time(walkedAs: number - 1), of: batch)
      return record.node.vector(
        .output(layout.output.position),
        from: previous * layout.output.stride + layout.output.offset, count: units)
    }
    var state: CellVector<Float> = record.node.vector(
      .input(layout.tensors.state), from: batch * units, count: units)
    // Outputs of all walks but the last are stored nowhere.
    for _ in 1..<layout.passCount {
      for number in 0..<layout.timeCount {
        let encoded = products.encode(state)
        state = CellVector(
          source: .computed("state"), start: 0,
          elements: (0..<units).map {
            value(of: $0, self.time(walkedAs: number), batch, encoded, &record)
          })
      }
    }
    return state
  }

  /// A unit's output at a step.
  private func value(
    of unit: Int, _ time: Int, _ batch: Int, _ state: EncodedVector<Products.Quantized>,
    _ record: inout CellRecord
  ) -> Float {
    let tensors = layout.tensors
    func add(
      _ part: String, _ position: Int, _ vector: EncodedVector<Products.Quantized>, to value: Float
    ) -> Float {
      record.steps.part = part
      return products.sum(
        CellRow(position: position, row: unit, count: layout.unitCount), vector,
        input: vector.meaning, addedTo: value, &record)
    }
    func vector(_ input: Int, _ start: Int, _ count: Int) -> EncodedVector<Products.Quantized> {
      products.encode(record.node.vector(.input(input), from: start, count: count))
    }
    record.steps.part = "input"
    var value: Float = record.element("bias", tensors.bias, unit) ?? 0
    let start = layout.step(time, of: batch) * layout.inputCount
    value = add(
      "input", tensors.inputWeights, vector(tensors.input, start, layout.inputCount), to: value)
    if let auxiliary = tensors.auxiliary {
      let start = layout.auxiliaryStart(time, of: batch)
      value = add(
        "auxiliary input", auxiliary.weights,
        vector(auxiliary.input, start, layout.auxiliaryCount), to: value)
    }
    value = add("state", tensors.recurrentWeights, state, to: value)
    record.steps.part = "output"
    return record.steps.activate(value, activation)
  }
}

extension BothDirections: ExplainableLoop where Cell: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    // A cell tells nothing about elements that the other one writes.
    if let derivation = try forward.derivation(of: output, in: node) { return derivation }
    return try backward.derivation(of: output, in: node)
  }
}
