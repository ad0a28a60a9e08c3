// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension SoftmaxLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard rowLength > 0 else { return nil }
    let start = output.flat / rowLength * rowLength
    let scores = (start..<start + rowLength).compactMap { node.value(0, $0, as: Element.self) }
    guard scores.count == rowLength else { return nil }
    var steps = StepList()
    let largest = scores.reduce(-Element.greatestFiniteMagnitude) { $1 > $0 ? $1 : $0 }
    let top = steps.add("maximum", "of the row", float: Float(largest))
    func weight(_ score: Element) -> Float { FloatMath.exp((Float(score) - top) * beta) }
    let weights = scores.map(weight)
    let terms = zip(start..., weights).compactMap { node.term(0, $0, value: .float($1)) }
    let own = scores[output.flat - start]
    let ownWeight = steps.add(
      "exponential", "exp((\(own) - \(top.operand)) × \(beta))", float: weights[output.flat - start]
    )
    let sum = steps.sum(weights.map { .float($0) }, of: "exponentials")
    // Elements narrower than 32 bits hold the exponential before it is divided.
    let stored = Float(Element(ownWeight))
    let quotient = Element(stored / sum)
    steps.add("quotient", "\(stored) / \(sum)", StoredValue(quotient))
    return NodeAccount(terms: terms, steps: steps, result: StoredValue(quotient))
  }
}

extension QuantizedSoftmaxLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard rowLength > 0 else { return nil }
    let start = output.flat / rowLength * rowLength
    let scores = (start..<start + rowLength).compactMap { node.value(0, $0, as: Input.self) }
    guard scores.count == rowLength, let largest = scores.max() else { return nil }
    var steps = StepList()
    let top = steps.add("maximum", "of the row", integer: Int32(largest))
    var terms: [ExplainedTerm] = []
    var sum: Int32 = 0
    for (place, score) in zip(start..., scores) {
      let difference = Int32(score) - top
      var weight: Int32?
      if difference >= scaling.lowest {
        let exponential = exponential(difference)
        weight = exponential
        sum &+= FixedPointMultiplier.roundingShift(exponential, by: 12)
      }
      if let term = node.term(0, place, value: .integer(Int(weight ?? 0))) { terms.append(term) }
    }
    let difference = steps.add(
      "difference", "\(scores[output.flat - start]) - \(top.operand)",
      integer: Int32(scores[output.flat - start]) - top)
    guard difference >= scaling.lowest else {
      steps.add(
        "stored", "the least code: below \(scaling.lowest) the exponential counts as zero",
        StoredValue(integer: Output.min))
      return NodeAccount(terms: terms, steps: steps, result: StoredValue(integer: Output.min))
    }
    let result = divide(exponential(difference), by: sum, &steps)
    return NodeAccount(terms: terms, steps: steps, result: result)
  }

  /// The exponential of a difference of codes, as a number of 31 fraction bits.
  private func exponential(_ difference: Int32) -> Int32 {
    FixedPoint.exponential(ofNegative: scaling.multiplier.scale(difference))
  }

  private func divide(
    _ exponential: Int32, by sum: Int32, _ steps: inout StepList
  ) -> StoredValue {
    steps.add(
      "exponential", "e^d with 31 fraction bits, by gemmlowp's function",
      integer: exponential)
    steps.add("sum", "of all exponentials, each rounded to 19 fraction bits", integer: sum)
    let (reciprocal, bits) = FixedPoint.reciprocal(sum)
    steps.add(
      "reciprocal", "1 / sum with 31 fraction bits, \(bits) bits shifted, by three Newton steps",
      integer: reciprocal)
    let weight = FixedPointMultiplier.doublingHighProduct(reciprocal, exponential)
    steps.add(
      "high product", "round(\(exponential) × \(reciprocal) / 2^31), halves up", integer: weight)
    let shift = bits + 12 - Int32(Output.bitWidth)
    let value = shift > 31 ? 0 : steps.shift(weight, by: shift)
    let code = steps.add(
      "lowest code", "\(value) + \(Output.min.operand)", integer: value &+ Int32(Output.min))
    return steps.store(code, as: Output.self)
  }
}
