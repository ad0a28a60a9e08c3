// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension SVDFLayout {
  /// The filters of a unit.
  fileprivate func filters(of unit: Int) -> Range<Int> { unit * rank..<(unit + 1) * rank }

  /// What a filter remembers, with the newest value, which the step itself computes, last.
  fileprivate func memory<Number: TensorElement>(
    of filter: Int, _ batch: Int, newest: Number, in node: EvaluatedNode
  ) -> (older: CellVector<Number>, newest: CellVector<Number>) {
    let start = (batch * filterCount + filter) * memoryCount
    return (
      node.vector(.input(4), from: start + 1, count: memoryCount - 1),
      CellVector(source: .computed("feature"), start: filter, elements: [newest])
    )
  }

  /// A filter's weights for what it remembers, without the one for the newest value, and that.
  fileprivate func timeWeights<Quantized: TensorElement>(
    of filter: Int, in node: EvaluatedNode, as type: Quantized.Type = Quantized.self
  ) -> (older: CellVector<Quantized>, newest: CellVector<Quantized>) {
    let start = filter * memoryCount
    return (
      node.vector(.input(2), from: start, count: memoryCount - 1),
      node.vector(.input(2), from: start + memoryCount - 1, count: 1)
    )
  }
}

extension SVDFLoop: ExplainableLoop where Products: ExplainedCellProducts {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    let (batch, unit) = output.flat.quotientAndRemainder(dividingBy: layout.unitCount)
    var record = CellRecord(node)
    record.steps.isSilent = false
    let input = products.encode(
      node.vector(.input(0), from: batch * layout.inputCount, count: layout.inputCount))
    var sum: Float = 0
    for filter in layout.filters(of: unit) {
      record.steps.part = "filter \(filter), feature"
      let feature = products.sum(
        CellRow(position: 1, row: filter, count: layout.filterCount, location: batch), input,
        input: input.meaning, addedTo: nil, &record)
      record.steps.part = "filter \(filter), memory"
      let memory = layout.memory(of: filter, batch, newest: feature, in: node)
      let weights = layout.timeWeights(of: filter, in: node, as: Products.Quantized.self)
      let terms =
        products.products(memory.older, weights.older, of: 2, &record)
        + products.products(memory.newest, weights.newest, of: 2, &record)
      let product = record.steps.sum(terms, .inTurn)
      sum = filter % layout.rank == 0 ? sum + product : record.steps.total(sum, product)
    }
    record.steps.part = "output"
    if let bias: Float = record.element("bias", 3, unit) { sum = record.steps.total(sum, bias) }
    let result = record.steps.activate(sum, activation)
    return record.derivation(.float(result))
  }
}

extension IntegerSVDF: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) -> NodeDerivation? {
    let (batch, unit) = output.flat.quotientAndRemainder(dividingBy: layout.unitCount)
    var record = CellRecord(node)
    record.steps.isSilent = false
    let input: CellVector<Int8> = node.vector(
      .input(0), from: batch * layout.inputCount, count: layout.inputCount)
    var sum: Int32 = 0
    for filter in layout.filters(of: unit) {
      record.steps.part = "filter \(filter), feature"
      let products = record.sum(input, zeroPoint: inputZeroPoint, row: filter, of: 1)
      let feature = record.steps.saturate(
        record.steps.scale(products, by: self.feature), to: Int16.self)
      record.steps.part = "filter \(filter), memory"
      let memory = layout.memory(of: filter, batch, newest: feature, in: node)
      let weights = layout.timeWeights(of: filter, in: node, as: Int16.self)
      let terms =
        record.products(memory.older, weights.older)
        + record.products(memory.newest, weights.newest)
      let product = record.steps.sum(terms, as: Int32.self)
      sum = filter % layout.rank == 0 ? product : record.steps.total(sum, product)
    }
    record.steps.part = "output"
    if let bias: Int32 = record.element("bias", 3, unit) { sum = record.steps.total(sum, bias) }
    let quantized = record.steps.addZeroPoint(
      record.steps.scale(sum, by: result), outputZeroPoint)
    let stored = record.steps.store(quantized, as: Int8.self)
    return record.derivation(stored)
  }
}
