// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension HybridBatchMatMulKernel: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let (line, column) = output.flat.quotientAndRemainder(dividingBy: nest.columnCount)
    let (batch, row) = line.quotientAndRemainder(dividingBy: nest.rowCount)
    let (left, right) = pair(batch)
    guard let own = quantizedRow(left.index * nest.rowCount + row, node),
      let scaledAs = quantizedRow(left.location * nest.rowCount + row, node)
    else { return nil }
    let (start, step) = nest.leftRow(row, of: left.index)
    let from = nest.rightColumn(column, of: right.index)
    var terms: [ExplainedTerm] = []
    for k in 0..<nest.depth {
      let location = from.start + k * from.step
      guard let weight = node.value(1, location, as: Int8.self),
        let second = node.factor(1, location),
        let first = node.factor(0, start + k * step, quantized: Int(own.quantizedValues[k]))
      else { return nil }
      terms.append(
        ExplainedTerm(
          factors: [first, second], value: .integer(Int(own.quantizedValues[k]) * Int(weight))))
    }
    let summed = nest.rightColumn(column, of: right.location)
    let columnSum = (0..<nest.depth).reduce(Int32(0)) { sum, k in
      sum &+ Int32(node.value(1, summed.start + k * summed.step, as: Int8.self) ?? 0)
    }
    var steps = StepList()
    let total = steps.correctedSum(
      terms.compactMap(\.value), columnSum: columnSum, zeroPoint: scaledAs.affine.zeroPoint)
    steps.note("input scale", "from the range of this row", scaledAs.affine.scale)
    var arithmetic = arithmetic
    arithmetic.input = scaledAs.affine
    let scaled = arithmetic.real(
      total, filterScale: steps.weightScale(of: column, arithmetic.filterScales), &steps)
    let clamped = steps.activate(scaled + 0, arithmetic.range)
    return NodeDerivation(terms: terms, steps: steps, result: .float(clamped))
  }

  /// The quantized values of a row of the left matrices, counted through all of them.
  private func quantizedRow(
    _ number: Int, _ node: EvaluatedNode
  ) -> (quantizedValues: [Int8], affine: Affine)? {
    let (matrix, row) = number.quotientAndRemainder(dividingBy: nest.rowCount)
    let from = nest.leftRow(row, of: matrix)
    let values = (0..<nest.depth).compactMap {
      node.value(0, from.start + $0 * from.step, as: Float.self)
    }
    guard values.count == nest.depth else { return nil }
    let quantizedValues = TensorBytes(zeroed: nest.depth)
    var locations = quantizedValues.mutableSpan(as: Int8.self)
    let affine = quantization.quantize(values.span, into: &locations)
    return (locations.indices.map { locations[$0] }, affine)
  }
}

extension StepList {
  /// The sum of products of quantized values, less the zero point's share, subtracted in float32.
  fileprivate mutating func correctedSum(
    _ products: [StoredValue], columnSum: Int32, zeroPoint: Int32
  ) -> Int32 {
    let sum = sum(products, as: Int32.self)
    add("column sum", "of the weights", integer: columnSum)
    add("input zero point", "the quantized value of zero in this row", integer: zeroPoint)
    let share = Float(columnSum) * Float(zeroPoint)
    return add(
      "difference", "\(sum) - \(columnSum.operand) × \(zeroPoint.operand) in float32, cut off",
      integer: Int32(truncatingOrLeast: Float(sum) - share))
  }
}

extension ShuffledFullyConnected: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let (rows, depth, units) = (nest.batchCount, nest.inputCount, nest.outputDepth)
    if output.position == 1 {
      let (block, rest) = output.flat.quotientAndRemainder(dividingBy: rows * 16)
      return workspace(rest / 16 * depth + block * 16 + rest % 16, node)
    }
    let (row, unit) = output.flat.quotientAndRemainder(dividingBy: units)
    var terms: [ExplainedTerm] = []
    for k in 0..<depth {
      let block = unit / 4 * (depth / 16) + k / 16
      let location = (block * 4 + unit % 4) * 16 + k % 16
      guard let quantized = node.value(0, row * depth + k, as: UInt8.self),
        let weight = node.value(1, location, as: Int8.self),
        let first = node.factor(0, row * depth + k, quantized: Int(quantized) - 128),
        let second = node.factor(1, location, quantized: Int(weight))
      else { return nil }
      terms.append(
        ExplainedTerm(
          factors: [first, second], value: .integer((Int(quantized) - 128) * Int(weight))))
    }
    var steps = StepList()
    let sum = steps.addBias(
      steps.sum(terms.compactMap(\.value), as: Int32.self), node.value(2, unit, as: Int32.self))
    let scaled = steps.scale(sum, by: multiplier)
    let stored = steps.store(steps.clamp(scaled, range), as: Int16.self)
    return NodeDerivation(
      terms: terms, bias: node.factor(2, unit), steps: steps, result: stored)
  }

  /// An activation as it stands in the workspace.
  private func workspace(_ source: Int, _ node: EvaluatedNode) -> NodeDerivation? {
    guard let term = node.term(0, source), let quantized = node.value(0, source, as: UInt8.self)
    else {
      return nil
    }
    var steps = StepList()
    steps.add("sign bit", "\(quantized) with its highest bit inverted", integer: quantized ^ 0x80)
    return NodeDerivation([term], steps)
  }
}
