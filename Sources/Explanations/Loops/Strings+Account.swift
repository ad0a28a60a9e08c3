// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension EvaluatedNode {
  /// An element of an input that became the output's as it is.
  fileprivate func moved(_ position: Int, _ flat: Int) -> NodeAccount? {
    guard let term = term(position, flat) else { return nil }
    var steps = StepList()
    steps.add("moved", "the element as it is", term.factors[0].element.stored)
    return NodeAccount([term], steps)
  }

  /// The flat index of the element of an operand that is broadcast to an element of the output.
  fileprivate func broadcastIndex(_ position: Int, to index: [Int]) -> Int? {
    guard let shape = shape(position) else { return nil }
    let own = zip(index.suffix(shape.rank), shape.dimensions).map { $1 == 1 ? 0 : $0 }
    return shape.flat(own)
  }
}

extension StringMovementKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let moved = numbers[output.position]
    guard moved.indices.contains(output.flat) else { return nil }
    // The strings of all inputs are numbered in order.
    var number = Int(moved[output.flat])
    for (position, input) in node.inputs.enumerated() {
      guard let type = input?.tensor.type, type.elementType == .string else { continue }
      guard number >= type.shape.elementCount else { return node.moved(position, number) }
      number -= type.shape.elementCount
    }
    return nil
  }
}

extension BytesKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let from = node.input(0)?.tensor.type.elementType else { return nil }
    let to = node.elementType(of: output)
    guard from != to, let width = from.bitCount, let wanted = to.bitCount else {
      return node.moved(0, output.flat)
    }
    let first = output.flat * wanted / width
    let terms = node.terms(0, first..<max((output.flat + 1) * wanted / width, first + 1))
    let start = output.flat * wanted / 8
    guard let bytes = node.input(0)?.bytes.array(), start + wanted / 8 <= bytes.count else {
      return nil
    }
    let own = Array(bytes[start..<start + wanted / 8])
    guard let stored = StoredValue(to, TensorBytes(copying: own), at: 0) else { return nil }
    let bits = own.reversed().map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }
    var steps = StepList()
    steps.add("bytes", "\(bits.joined()) as \(to.schemaName)", stored)
    return NodeAccount(terms, steps)
  }
}

extension StringComparisonKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let index = node.index(of: output)
    guard let left = node.broadcastIndex(0, to: index), let a = node.term(0, left),
      let right = node.broadcastIndex(1, to: index), let b = node.term(1, right)
    else { return nil }
    let areEqual = a.factors[0].element.stored == b.factors[0].element.stored
    var steps = StepList()
    steps.add("equal", "whether both have the same bytes", integer: areEqual ? 1 : 0)
    steps.add(
      "result", equalIs ? "as it is" : "the opposite", integer: areEqual == equalIs ? 1 : 0)
    return NodeAccount([a, b], steps)
  }
}

extension SinglePowerLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let exponent = node.value(1, 0, as: Arithmetic.Right.self),
      let whole = general.arithmetic.positiveInteger(exponent)
    else { return try general.account(of: output, in: node) }
    guard let base = node.term(0, output.flat), let power = node.term(1, 0) else { return nil }
    let x = base.factors[0].element.stored
    let arithmetic = StoredArithmetic(type: Arithmetic.Output.elementType)
    var steps = StepList()
    steps.add("exponent", "a positive integer, so that it is multiplied", integer: whole)
    var result = x
    for bit in stride(from: 30 - whole.leadingZeroBitCount, through: 0, by: -1) {
      result = steps.limited(arithmetic.product(result, result), "square", "of \(result.digits)")
      if whole >> Int32(bit) & 1 == 1 {
        result = steps.limited(
          arithmetic.product(x, result), "product", "\(x.digits) × \(result.operand)")
      }
    }
    if whole == 1 { steps.add("result", "the element as it is", result) }
    return NodeAccount([base, power], steps)
  }
}

extension StepList {
  /// A product, of floats limited to finite numbers.
  fileprivate mutating func limited(
    _ product: StoredValue, _ name: String, _ text: String
  ) -> StoredValue {
    guard case .float(let value) = product, value.isInfinite else {
      add(name, text, product)
      return product
    }
    let limit = Float(signOf: value, magnitudeOf: .greatestFiniteMagnitude)
    add(name, "\(text), limited to finite numbers", .float(limit))
    return .float(limit)
  }
}

extension LSHProjectionLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    var steps = StepList()
    let bits =
      isSparse
      ? output.flat * bitCount..<(output.flat + 1) * bitCount : output.flat..<output.flat + 1
    var digits: Int32 = 0
    for place in bits {
      guard let seed = node.value(0, place, as: Float.self), let score = score(seed, in: node)
      else { return nil }
      steps.add("score", "sum of weighted fingerprints with the seed \(seed)", .double(score))
      let bit = steps.add("bit", "whether the score is above 0", integer: Int32(score > 0 ? 1 : 0))
      digits = digits << 1 | bit
    }
    if isSparse {
      steps.add("digits", "the bits as binary digits", integer: digits)
      steps.add(
        "number", "\(digits) + \(output.flat) × 2^\(bitCount % 32)",
        integer: digits &+ Int32(truncatingIfNeeded: output.flat) &* (1 &<< Int32(bitCount)))
    }
    let items = node.shape(1)?.elementCount ?? 0
    return NodeAccount(
      node.terms(0, bits) + node.terms(1, 0..<items) + node.terms(2, 0..<itemCount), steps)
  }

  /// The weighted sum of the items' fingerprints with a seed.
  private func score(_ seed: Float, in node: EvaluatedNode) -> Double? {
    guard let items = node.input(1)?.bytes.array(), items.count >= itemCount * itemLength else {
      return nil
    }
    let pattern = (0..<4).map { UInt8(truncatingIfNeeded: seed.bitPattern >> (8 * $0)) }
    var score = 0.0
    for item in 0..<itemCount {
      let key = pattern + items[item * itemLength..<(item + 1) * itemLength]
      let fingerprint = Double(Int64(bitPattern: Fingerprint64.of(key.span)))
      score += node.value(2, item, as: Float.self).map { Double($0) * fingerprint } ?? fingerprint
    }
    return score
  }
}
