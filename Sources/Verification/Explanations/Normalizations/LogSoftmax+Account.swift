// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension LogSoftmaxKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let row = node.row(of: output, length: rowLength),
      let own = node.value(0, output.flat, as: Float.self)
    else { return nil }
    let scores = row.compactMap { node.value(0, $0, as: Float.self) }
    var steps = StepList()
    let largest = scores.reduce(-Float.greatestFiniteMagnitude) { $1 > $0 ? $1 : $0 }
    let top = steps.add("maximum", "of the row", float: largest)
    let weights = scores.map { StoredValue.float(FloatMath.exp($0 - top)) }
    let sum = steps.sum(weights, of: "exponentials")
    let logarithm = steps.add("logarithm", "ln \(sum)", float: FloatMath.log(sum))
    let difference = steps.add("difference", "\(own) - \(top.operand)", float: own - top)
    _ = steps.add(
      "logarithm", "\(difference) - \(logarithm.operand)", float: difference - logarithm)
    return NodeAccount(node.terms(row, shares: weights), steps)
  }
}

extension QuantizedLogSoftmaxLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let row = node.row(of: output, length: rowLength),
      let own = node.value(0, output.flat, as: Code.self)
    else { return nil }
    let scores = row.compactMap { node.value(0, $0, as: Code.self) }
    var steps = StepList()
    let top = steps.add("maximum", "of the row", integer: Int32(scores.max() ?? .min))
    let weights = scores.map { score -> Int32 in
      let difference = Int32(score) - top
      guard difference >= scaling.lowest else { return 0 }
      let exponential = FixedPoint.exponential(ofNegative: scaling.multiplier.scale(difference))
      return FixedPointMultiplier.roundingShift(exponential, by: 12)
    }
    let sum = steps.add(
      "sum", "of all exponentials with 19 fraction bits", integer: weights.reduce(0, &+))
    let logarithm = steps.add(
      "logarithm", "ln of the sum with 26 fraction bits, by gemmlowp's way",
      integer: FixedPoint.logarithm(ofAtLeastOne: sum))
    let terms = node.terms(row, shares: weights.map { StoredValue(integer: $0) })
    let difference = steps.add("difference", "\(own) - \(top.operand)", integer: Int32(own) - top)
    let limit = max(scaling.lowest - 1, inverse.scale(logarithm &+ Int32.min))
    guard difference > limit else {
      steps.add(
        "stored", "the least code: the difference is not above \(limit)",
        StoredValue(integer: Code.min))
      return NodeAccount(terms, steps)
    }
    let scaled = steps.scale(difference, by: scaling.multiplier)
    let exact = steps.add(
      "logarithm", "\(scaled) - \(logarithm.operand)", integer: scaled &- logarithm)
    let value = steps.shift(exact, by: 22)
    let code = steps.add(
      "highest code", "\(value) + \(Code.max)", integer: value &+ Int32(Code.max))
    let stored = steps.store(code, as: Code.self)
    return NodeAccount(terms: terms, steps: steps, result: stored)
  }
}

extension Int16SoftmaxKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let row = node.row(of: output, length: rowLength) else { return nil }
    let scores = row.compactMap { node.value(0, $0, as: Int16.self) }
    guard scores.count == rowLength, let largest = scores.max() else { return nil }
    var steps = StepList()
    let top = steps.add("maximum", "of the row", integer: Int32(largest))
    let weights = scores.map { score in
      var unseen = StepList()
      return weight(Int32(score), top, &unseen)
    }
    let sum = steps.add(
      "sum", "of all exponentials, each with 15 fraction bits",
      integer: weights.reduce(Int32(0)) { $0 &+ Int32($1) })
    let own = weight(Int32(scores[output.flat - row.lowerBound]), top, &steps)
    let headroom = Int64(sum.leadingZeroBitCount)
    let normalized = steps.add(
      "normalized sum", "\(sum) × 2^\(headroom - 1), rounded to 16 fraction bits",
      integer: (Int64(sum) << (headroom - 1) + 1 << 13) >> 14)
    let fraction = Int16(clamping: normalized - 98304)
    steps.add("fraction", "\(normalized) - 98304 as Int16", integer: fraction)
    let table = Self.reciprocals.explain(fraction, &steps)
    guard case .integer(let reciprocal) = table else { return nil }
    let product = steps.add(
      "product", "\(own) × \(reciprocal)", integer: Int64(own) * Int64(reciprocal))
    let shift = 31 - headroom
    let value = steps.add(
      "rounding", "round(\(product) / 2^\(shift)), halves up",
      integer: (product + 1 << (shift - 1)) >> shift)
    steps.add("stored", "\(value) to 0...32767", integer: Int16(max(0, min(value, 32767))))
    return NodeAccount(
      node.terms(row, shares: weights.map { StoredValue(integer: $0) }), steps)
  }

  /// The exponential of a score's difference to the largest, out of the table.
  private func weight(_ score: Int32, _ top: Int32, _ steps: inout StepList) -> Int16 {
    let difference = steps.add("difference", "\(score) - \(top.operand)", integer: score - top)
    let scaled = steps.scale(difference, by: multiplier)
    let code = steps.add(
      "table code", "\(scaled) + 32767 as Int16", integer: Int16(clamping: scaled &+ 32767))
    guard case .integer(let weight) = Self.exponentials.explain(code, &steps) else { return 0 }
    return Int16(truncatingIfNeeded: weight)
  }
}
