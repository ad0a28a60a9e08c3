// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A reduction that takes its elements in one after the other, without any other arithmetic.
protocol FoldedReduction: ReductionArithmetic {
  /// What comes out: `sum`, `maximum`.
  var name: String { get }

  /// The result of no elements.
  var start: StoredValue { get }

  /// A running result with one more element.
  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue
}

extension FoldedReduction {
  /// The result of `elements`, from the first or from that of no elements on.
  func explain(
    _ elements: [StoredValue], startsFromFirst: Bool, _ steps: inout StepList
  ) -> StoredValue {
    let rest = startsFromFirst ? elements.dropFirst() : elements[...]
    let first = startsFromFirst ? elements.first ?? start : start
    return steps.fold(
      rest, from: first, name,
      "of \(elements.count) elements in this order, from \(first.digits) on", by: fold)
  }
}

extension FloatSumReduction: FoldedReduction {
  var name: String { "sum" }
  var start: StoredValue { .float(0) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    StoredArithmetic(type: .float32).sum(result, element)
  }
}

extension FloatProductReduction: FoldedReduction {
  var name: String { "product" }
  var start: StoredValue { .float(1) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    StoredArithmetic(type: .float32).product(result, element)
  }
}

extension WrappingSumReduction: FoldedReduction {
  var name: String { "sum" }
  var start: StoredValue { .integer(0) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    StoredArithmetic(type: Element.elementType).sum(result, element)
  }
}

extension WrappingProductReduction: FoldedReduction {
  var name: String { "product" }
  var start: StoredValue { .integer(1) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    StoredArithmetic(type: Element.elementType).product(result, element)
  }
}

extension ExtremeReduction: FoldedReduction {
  var name: String { isMaximum ? "maximum" : "minimum" }
  var start: StoredValue { StoredValue(empty) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    (isMaximum ? result.precedes(element) : element.precedes(result)) ? element : result
  }
}

extension LogicalReduction: FoldedReduction {
  var name: String { isAll ? "all" : "any" }
  var start: StoredValue { .integer(isAll ? 1 : 0) }

  func fold(_ result: StoredValue, _ element: StoredValue) -> StoredValue {
    let arithmetic = StoredArithmetic(type: .bool)
    return isAll ? arithmetic.product(result, element) : arithmetic.sum(result, element)
  }
}

extension SegmentLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let folded = arithmetic as? any FoldedReduction,
      let ids = node.values(1, as: Int32.self), segments.sliceLength > 0
    else { return nil }
    let (segment, offset) = output.flat.quotientAndRemainder(dividingBy: segments.sliceLength)
    let slices = ids.indices.filter { Int(ids[$0]) == segment }
    let places = slices.map { $0 * segments.sliceLength + offset }
    var steps = StepList()
    steps.add(
      "segment", "slices \(slices) have the number \(segment)", integer: slices.count)
    let result = folded.explain(
      node.storedValues(0, places), startsFromFirst: false, &steps)
    return NodeAccount(terms: node.terms(0, places), steps: steps, result: result)
  }
}
