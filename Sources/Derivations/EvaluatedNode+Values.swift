// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
package import Tensors

extension EvaluatedNode {
  /// All elements of an input; nil where it is absent.
  func values<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) -> [Element]? {
    input(position).map { input in
      let elements = input.bytes.span(as: type)
      return elements.indices.map { elements[$0] }
    }
  }

  /// The shape of an input; nil where it is absent.
  func shape(_ position: Int) -> Shape? { input(position)?.tensor.type.shape }

  /// The element type of an output.
  package func elementType(of output: OutputLocation) -> ElementType {
    outputs[output.position].tensor.type.elementType
  }

  /// The position of an element of an output along each axis.
  package func index(of output: OutputLocation) -> [Int] {
    outputs[output.position].tensor.type.shape.index(ofFlat: output.flat)
  }

  /// An element of a kernel's type as the output stores it: kernels read truth values as bytes.
  func stored<Element: TensorElement>(
    _ element: Element, as output: OutputLocation
  ) -> StoredValue? {
    StoredValue(elementType(of: output), TensorBytes(copying: [element]), at: 0)
  }

  /// The elements of an input at these flat indices, each a term.
  func terms(_ position: Int, _ indices: some Sequence<Int>) -> [ExplainedTerm] {
    indices.compactMap { term(position, $0) }
  }

  /// The stored values of an input at these flat indices.
  func storedValues(_ position: Int, _ indices: some Sequence<Int>) -> [StoredValue] {
    indices.compactMap { input(position)?.element($0)?.stored }
  }
}

extension NodeDerivation {
  /// What `compute` makes of the terms; arithmetic that tells no steps gets one for its result.
  init<Element: TensorElement>(
    _ terms: [ExplainedTerm], _ compute: (inout StepList) -> Element
  ) {
    var steps = StepList()
    let result = StoredValue(compute(&steps))
    steps.addResult(result, of: terms.count)
    self.init(terms: terms, steps: steps, result: result)
  }

  /// A derivation that ends with the value of its last step.
  package init(_ terms: [ExplainedTerm], _ steps: StepList) {
    self.init(terms: terms, steps: steps, result: steps.steps.last?.value)
  }
}

extension StepList {
  /// A step for the result of arithmetic that has told none.
  mutating func addResult(_ result: StoredValue, of count: Int) {
    guard steps.isEmpty else { return }
    isSilent = false
    let operand = count == 1 ? "the element" : "the \(count) elements"
    add("result", "of \(operand), by the formula", result)
  }

  /// A step for how the last one's value is stored, where that is another.
  mutating func addStored(_ result: StoredValue, as type: ElementType) {
    guard let last = steps.last, !last.value.isIdentical(to: result) else { return }
    isSilent = false
    add("stored", "as \(type.schemaName)", result)
  }
}
