// SPDX-License-Identifier: Apache-2.0

import Martlet
import ReferenceKernels
import Tensors

extension SessionDerivations {
  /// Where an element came from that an operator took out of a list, or counted in one; nil for
  /// other operators.
  func listDerivation() -> NodeDerivation? {
    guard let name = node.node.identity.customName, let entry = OperatorCatalog.customByName[name],
      let list = node.inputs.first ?? nil,
      let elements = resources.listElements(TensorValue(list.tensor.type, list.bytes))
    else { return nil }
    if entry === CatalogEntry.tensorListStack { return stackDerivation(elements) }
    if entry === CatalogEntry.tensorListGather {
      return stackDerivation(elements) { node.value(1, $0, as: Int32.self).map { Int($0) } }
    }
    if entry === CatalogEntry.tensorListGetItem {
      guard let position = node.value(1, 0, as: Int32.self) else { return nil }
      return elementDerivation(elements, Int(position), output.flat)
    }
    if entry === CatalogEntry.tensorListPopBack {
      return elementDerivation(elements, elements.count - 1, output.flat)
    }
    if entry === CatalogEntry.tensorListConcat { return concatDerivation(elements) }
    if entry === CatalogEntry.tensorListLength {
      return number("length", "elements of the list", elements.count)
    }
    if entry === CatalogEntry.tensorListElementShape {
      let shape = resources.listElementShape(TensorValue(list.tensor.type, list.bytes))
      guard let shape, shape.indices.contains(output.flat) else { return nil }
      return number("length", "of elements along axis \(output.flat)", shape[output.flat])
    }
    return nil
  }

  private var resources: Resources { explainer.interpreter.resources }

  private func number(_ name: String, _ text: String, _ value: Int) -> NodeDerivation {
    var steps = StepList()
    steps.add(name, text, integer: value)
    return NodeDerivation([], steps)
  }

  /// An element of elements of one shape beside each other, of which `position` says which they are.
  private func stackDerivation(
    _ elements: [TensorValue?], position: (Int) -> Int? = { $0 }
  ) -> NodeDerivation? {
    let shape = node.outputs[output.position].tensor.type.shape
    guard let count = shape.dimensions.first, count > 0 else { return nil }
    let size = max(shape.elementCount / count, 1)
    return position(output.flat / size).flatMap {
      elementDerivation(elements, $0, output.flat % size)
    }
  }

  /// An element of elements one after the other, or one of their lengths.
  private func concatDerivation(_ elements: [TensorValue?]) -> NodeDerivation? {
    guard let lengths = node.outputs.last else { return nil }
    let span = lengths.bytes.span(as: Int64.self)
    guard output.position == 0 else {
      return number("length", "of the element along its first axis", Int(span[output.flat]))
    }
    let shape = node.outputs[0].tensor.type.shape
    guard let rows = shape.dimensions.first, rows > 0 else { return nil }
    let size = max(shape.elementCount / rows, 1)
    var flat = output.flat
    for position in elements.indices {
      let count = Int(span[position]) * size
      if flat < count { return elementDerivation(elements, position, flat) }
      flat -= count
    }
    return nil
  }

  /// The derivation of the element at `flat` of the list's element at a position.
  private func elementDerivation(
    _ elements: [TensorValue?], _ position: Int, _ flat: Int
  ) -> NodeDerivation? {
    guard elements.indices.contains(position) else { return nil }
    var steps = StepList()
    steps.add("element", "of the list, of \(elements.count)", integer: position)
    guard let element = elements[position] else {
      let type = node.outputs[output.position].tensor.type.elementType
      guard let zero = StoredValue(type, TensorBytes(zeroed: 16), at: 0) else { return nil }
      steps.add("filled", "zero, as the element has no value", zero)
      return moved(zero, [], steps)
    }
    return moved(StoredValue(element.type.elementType, element.bytes, at: flat), [], steps)
  }
}
