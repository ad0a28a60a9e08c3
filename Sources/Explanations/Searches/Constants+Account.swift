// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// What is known when a node is prepared is told from the inputs it was known by.
extension ConstantLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    switch node.node.identity.code {
    case .shape: node.shapeAccount(of: output)
    case .rank: node.rankAccount()
    case .where: node.whereAccount(of: output)
    case .skipGram: node.skipGramAccount(of: output)
    default: nil
    }
  }
}

extension ConstantPairLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    switch node.node.identity.code {
    case .unique: node.uniqueAccount(of: output)
    case .hashtableLookup: node.foundRowAccount(of: output, rowLength: 1)
    default: nil
    }
  }
}

extension EvaluatedNode {
  fileprivate func shapeAccount(of output: OutputPlace) -> NodeAccount? {
    guard let shape = shape(0), shape.dimensions.indices.contains(output.flat) else { return nil }
    var steps = StepList()
    steps.add(
      "length", "of axis \(output.flat) of input 0, whose shape is \(shape)",
      integer: shape[output.flat])
    return NodeAccount([], steps)
  }

  fileprivate func rankAccount() -> NodeAccount? {
    guard let shape = shape(0) else { return nil }
    var steps = StepList()
    steps.add("rank", "axes of input 0, whose shape is \(shape)", integer: shape.rank)
    return NodeAccount([], steps)
  }

  fileprivate func whereAccount(of output: OutputPlace) -> NodeAccount? {
    guard let shape = shape(0), shape.rank > 0 else { return nil }
    let (row, axis) = output.flat.quotientAndRemainder(dividingBy: shape.rank)
    var found = -1
    for flat in 0..<shape.elementCount {
      guard let term = term(0, flat) else { return nil }
      guard term.factors[0].element.stored.isNonZero else { continue }
      found += 1
      guard found == row else { continue }
      var steps = StepList()
      steps.add("row", "elements before it that are not zero", integer: row)
      steps.add(
        "coordinate", "of that element along axis \(axis)", integer: shape.index(ofFlat: flat)[axis]
      )
      return NodeAccount([term], steps)
    }
    return nil
  }

  /// The distinct elements of input 0 by their places, and which of them each element is.
  ///
  /// What is no number passes for equal to the least element so far.
  private func distinct() -> (places: [Int], numbers: [Int]) {
    let values = storedValues(0, 0..<(shape(0)?.elementCount ?? 0))
    var (places, numbers) = ([Int](), [Int]())
    for (index, value) in values.enumerated() {
      var equal = places.firstIndex { values[$0] == value || values[places[0]].isNaN }
      if value.isNaN {
        equal = places.indices.min { values[places[$0]].precedes(values[places[$1]]) }
      }
      numbers.append(equal ?? places.count)
      if equal == nil { places.append(index) }
    }
    return (places, numbers)
  }

  fileprivate func uniqueAccount(of output: OutputPlace) -> NodeAccount? {
    let (places, numbers) = distinct()
    var steps = StepList()
    if output.position == 0 {
      guard places.indices.contains(output.flat), let term = term(0, places[output.flat]) else {
        return nil
      }
      steps.add("number", "distinct elements before it", integer: output.flat)
      steps.add("moved", "where it was first seen", term.factors[0].element.stored)
      return NodeAccount([term], steps)
    }
    guard numbers.indices.contains(output.flat), let own = term(0, output.flat) else { return nil }
    let number = numbers[output.flat]
    let first = places[number]
    steps.add("first sight", "the element that it is equal to", integer: first)
    steps.add("number", "distinct elements before that one", integer: number)
    return NodeAccount(first == output.flat ? [own] : [own] + terms(0, [first]), steps)
  }

  /// The element of a row that a key leads to, or whether it leads to one.
  func foundRowAccount(of output: OutputPlace, rowLength: Int) -> NodeAccount? {
    guard let keys = values(1, as: Int32.self), rowLength > 0 || output.position == 1 else {
      return nil
    }
    let position = output.position == 0 ? output.flat / rowLength : output.flat
    guard let wanted = value(0, position, as: Int32.self), let key = term(0, position) else {
      return nil
    }
    var (lower, upper, row) = (0, keys.count, Int?.none)
    while lower < upper, row == nil {
      let middle = (lower + upper) / 2
      if keys[middle] == wanted { row = middle }
      if wanted < keys[middle] { upper = middle } else { lower = middle + 1 }
    }
    var steps = StepList()
    guard let row else {
      steps.add("hit", "no key is \(wanted)", integer: 0)
      if output.position == 0 {
        guard let stored = emptyElement(of: output) else { return nil }
        steps.add("filled", "what stands for a row that is not there", stored)
      }
      return NodeAccount([key], steps)
    }
    steps.add("row", "of the key \(wanted), found by bisection", integer: row)
    guard output.position == 0 else {
      steps.add("hit", "the key is there", integer: 1)
      return NodeAccount([key] + terms(1, [row]), steps)
    }
    guard let element = term(2, row * rowLength + output.flat % rowLength) else { return nil }
    steps.add("moved", "the element as it is", element.factors[0].element.stored)
    return NodeAccount([key] + terms(1, [row]) + [element], steps)
  }

  /// Zero, or a string without characters.
  private func emptyElement(of output: OutputPlace) -> StoredValue? {
    let type = elementType(of: output)
    guard let bits = type.bitCount else { return .string([]) }
    return StoredValue(type, TensorBytes(zeroed: max(bits / 8, 1)), at: 0)
  }
}

extension HashtableLookupLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    node.foundRowAccount(of: output, rowLength: rowLength)
  }
}

extension BroadcastArgumentsLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let fromEnd = (node.outputs[0].tensor.type.shape.elementCount) - output.flat
    var terms: [ExplainedTerm] = []
    var lengths: [Dimension] = []
    for position in 0..<2 {
      let place = (node.shape(position)?.elementCount ?? 0) - fromEnd
      terms += node.terms(position, place < 0 ? [] : [place])
      lengths.append(node.value(position, place, as: Dimension.self) ?? 1)
    }
    var steps = StepList()
    steps.add(
      "length",
      "\(lengths[0]) and \(lengths[1]): the one that is not 1; a missing axis counts as 1",
      integer: lengths[0] == 1 ? lengths[1] : lengths[0])
    return NodeAccount(terms, steps)
  }
}
