// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A reduction that can tell its steps.
protocol ExplainedReduction: ReductionArithmetic {
  /// The steps from the elements to the stored value.
  func explain(_ elements: [Input], _ steps: inout StepList) -> StoredValue
}

/// A reduction that only notes what goes into a result.
private struct ReductionRecorder: ReductionArithmetic {
  let log: ElementLog

  var empty: [Int]? { log.begin() }

  func first(_ element: UInt32) -> [Int]? { [Int(element)] }

  func combine(_ list: inout [Int]?, _ element: UInt32) { list?.append(Int(element)) }

  func finish(_ list: [Int]?) -> UInt32 {
    log.end(list)
    return 0
  }
}

extension ReductionLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let log = ElementLog(wanted: output.flat)
    let recorder = ReductionRecorder(log: log)
    // Lists must begin with the result of no elements, which is asked for once for each output.
    try ReductionLoop<ReductionRecorder>(recorder, axes, startsFromFirst: false)
      .evaluate(node.indexFrame())
    guard let indices = log.record else { return nil }
    let elements = indices.compactMap { node.value(0, $0, as: Arithmetic.Input.self) }
    guard elements.count == indices.count else { return nil }
    var account = NodeAccount(terms: node.terms(indices), steps: StepList())
    if let folded = arithmetic as? any FoldedReduction {
      account.result = folded.explain(
        node.storedValues(0, indices), startsFromFirst: startsFromFirst, &account.steps)
      return account
    }
    if !axes.isEmpty, let explained = arithmetic as? any ExplainedReduction,
      let result = Self.result(explained, elements, &account.steps)
    {
      account.result = result
      return account
    }
    var state = arithmetic.empty
    for (number, element) in elements.enumerated() {
      if number == 0, startsFromFirst {
        state = arithmetic.first(element)
      } else {
        arithmetic.combine(&state, element)
      }
    }
    let result = StoredValue(arithmetic.finish(state))
    account.steps.add("result", "of \(elements.count) elements, by the formula", result)
    account.result = result
    return account
  }

  private static func result<Explained: ExplainedReduction>(
    _ arithmetic: Explained, _ elements: [Arithmetic.Input], _ steps: inout StepList
  ) -> StoredValue? {
    (elements as? [Explained.Input]).map { arithmetic.explain($0, &steps) }
  }
}

extension FloatMeanReduction: ExplainedReduction {
  func explain(_ elements: [Float], _ steps: inout StepList) -> StoredValue {
    let sum = steps.sum(elements.map { .float($0) }, of: "elements")
    let mean = count == 0 ? .nan : sum / Float(count)
    return .float(steps.add("mean", "\(sum) / \(count)", float: mean))
  }
}

extension QuantizedMeanReduction: ExplainedReduction {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    let sum = steps.sum(elements)
    let distance = steps.add(
      "distance", "\(sum) - \(offset.operand), the zero points of all elements",
      integer: Int32(truncatingIfNeeded: Int64(sum) &- offset))
    let scaled = steps.scale(distance, by: multiplier)
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Element.self)
  }
}

extension QuantizedSumReduction: ExplainedReduction {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    let sum = steps.sum(elements)
    let product = steps.add("product", "\(sum) × \(scale)", float: Float(sum) * scale)
    let shifted = steps.add(
      "bias", "\(product) + \(bias.operand), the zero points of all elements",
      float: product + bias)
    let rounded = steps.add(
      "rounding", "round(\(shifted)), halves away from zero",
      float: shifted.rounded(.toNearestOrAwayFromZero))
    guard rounded.magnitude < 0x1p30 else {
      let limit: Element = rounded > 0 ? .max : .min
      return StoredValue(integer: steps.add("stored", "saturated", integer: limit))
    }
    return steps.store(steps.addZeroPoint(Int32(rounded), outputZeroPoint), as: Element.self)
  }
}

extension StepList {
  /// The sum of codes, which wraps at 32 bits.
  fileprivate mutating func sum<Code: FixedWidthInteger>(_ codes: [Code]) -> Int32 {
    add(
      "sum", "of \(codes.count) codes",
      integer: codes.reduce(Int32(0)) { $0 &+ Int32(truncatingIfNeeded: $1) })
  }
}
