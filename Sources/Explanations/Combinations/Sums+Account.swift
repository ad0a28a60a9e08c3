// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension AddNLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let elements = node.inputs.indices.compactMap {
      node.value($0, output.flat, as: Sum.Output.self)
    }
    guard let first = elements.first, elements.count == node.inputs.count else { return nil }
    let terms = node.inputs.indices.compactMap { node.term($0, output.flat) }
    return .init(terms) { steps in
      elements.dropFirst().reduce(first) { sum.apply($0, $1, &steps) }
    }
  }
}

extension CumulativeSumLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let index = output.flat / loops.innerCount
    let (outer, place) = index.quotientAndRemainder(dividingBy: loops.length)
    let inner = output.flat % loops.innerCount
    let before =
      options.reverse
      ? Array((place + 1..<loops.length).reversed()) : Array(0..<place)
    let summed = options.exclusive ? before : before + [place]
    let places = summed.map { (outer * loops.length + $0) * loops.innerCount + inner }
    let arithmetic = StoredArithmetic(type: Element.elementType)
    var steps = StepList()
    let result = steps.fold(
      node.storedValues(0, places), from: StoredValue(Element.zero), "sum",
      "of the \(places.count) elements \(options.reverse ? "from the end" : "from the start")"
        + " \(options.exclusive ? "before" : "up to") place \(place)",
      by: arithmetic.sum)
    return NodeAccount(terms: node.terms(0, places), steps: steps, result: result)
  }
}

extension RangeLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let arithmetic = StoredArithmetic(type: Element.elementType)
    let (start, step) = (StoredValue(start), StoredValue(step))
    var steps = StepList()
    let result = steps.fold(
      repeatElement(step, count: output.flat), from: start, "sum",
      "\(start.digits) and \(output.flat) times \(step.operand), one after the other",
      by: arithmetic.sum)
    return NodeAccount(
      terms: [0, 2].compactMap { node.term($0, 0) }, steps: steps, result: result)
  }
}

extension ScatterNdLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let indices = node.values(0, as: Int32.self), slices.sliceLength > 0 else { return nil }
    var places: [Int] = []
    for position in 0..<slices.count {
      let vector = indices[position * slices.lengths.count..<(position + 1) * slices.lengths.count]
      let start = zip(vector, slices.strides).reduce(0) { $0 + Int($1.0) * $1.1 }
      guard start..<start + slices.sliceLength ~= output.flat else { continue }
      places.append(position * slices.sliceLength + output.flat - start)
    }
    let arithmetic = StoredArithmetic(type: Element.elementType)
    var steps = StepList()
    let result = steps.fold(
      node.storedValues(1, places), from: StoredValue(Element.zero), "sum",
      "of the \(places.count) updates whose indices lead here, from zero on", by: arithmetic.sum)
    return NodeAccount(terms: node.terms(1, places), steps: steps, result: result)
  }
}

extension EmbeddingSumLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let ids = node.values(0, as: Int32.self), let indices = node.values(1, as: Int32.self),
      let weights = node.values(3, as: Float.self), rows.length > 0
    else { return nil }
    let (place, offset) = output.flat.quotientAndRemainder(dividingBy: rows.length)
    var steps = StepList()
    var terms: [ExplainedTerm] = []
    var sum: Float = 0
    var run: (weight: Float, squares: Float)?
    func finish() {
      if let run { sum = divide(sum, run.weight, run.squares, &steps) }
      run = nil
    }
    for entry in ids.indices {
      let coordinates = indices[(entry * (places.rank + 1))...].prefix(places.rank)
      guard zip(coordinates, places.strides).reduce(0, { $0 + Int($1.0) * $1.1 }) == place else {
        finish()
        continue
      }
      let source = Int(ids[entry]) * rows.length + offset
      guard let element = node.value(4, source, as: Float.self),
        let weight = node.factor(3, entry), let factor = node.factor(4, source)
      else { return nil }
      let product = element * weights[entry]
      terms.append(ExplainedTerm(factors: [factor, weight], value: .float(product)))
      sum = steps.add("sum", "\(sum) + \(product.operand)", float: sum + product)
      run = (
        (run?.weight ?? 0) + weights[entry],
        (run?.squares ?? 0) + weights[entry] * weights[entry]
      )
    }
    finish()
    if terms.isEmpty { sum = steps.add("sum", "of no rows", float: 0) }
    return NodeAccount(terms: terms, steps: steps, result: .float(sum))
  }

  private func divide(
    _ sum: Float, _ weight: Float, _ squares: Float, _ steps: inout StepList
  ) -> Float {
    switch combiner {
    case .sum: return sum
    case .mean:
      let divisor = steps.add("divisor", "sum of the weights", float: weight)
      return steps.add("mean", "\(sum) / \(divisor.operand)", float: sum / divisor)
    case .sqrtN:
      let divisor = steps.add(
        "divisor", "square root of \(squares), the sum of the squared weights",
        float: squares.squareRoot())
      return steps.add("mean", "\(sum) / \(divisor)", float: sum / divisor)
    }
  }
}
