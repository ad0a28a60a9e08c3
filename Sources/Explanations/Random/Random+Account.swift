// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A distribution of random numbers that can tell its steps.
protocol ExplainedDistribution: RandomDistribution {
  /// The first or second number of two random words.
  static func explain(_ words: [UInt32], isFirst: Bool, _ steps: inout StepList)
}

extension StepList {
  /// The four words of a block of a stream that has come to `position`, `used` blocks of it in the
  /// latest evaluation.
  fileprivate mutating func words(
    _ stream: RandomStream, block: UInt64, used: UInt64
  ) -> [UInt32]? {
    let position = stream.claim(0)
    guard position >= used else { return nil }
    let number = position - used + block
    add("block", "of the node's stream of random words", integer: number)
    let words = stream.block(number)
    return [words.0, words.1, words.2, words.3]
  }

  /// A number in 0..<1 of the lowest bits of a random word.
  fileprivate mutating func uniform(_ word: UInt32, _ name: String) -> Float {
    let bits = add(name, "the 23 lowest bits of \(word)", integer: word & 0x7F_FFFF)
    return add(name, "\(bits) / 2^23", float: Float(bits) / 0x1p23)
  }
}

extension UniformNumbers: ExplainedDistribution {
  static func explain(_ words: [UInt32], isFirst: Bool, _ steps: inout StepList) {
    _ = steps.uniform(isFirst ? words[0] : words[1], "number")
  }
}

extension NormalNumbers: ExplainedDistribution {
  static func explain(_ words: [UInt32], isFirst: Bool, _ steps: inout StepList) {
    let first = steps.uniform(words[0], "u₀")
    let radius = steps.add(
      "radius", "√(-2 × ln max(\(first), 1e-07))",
      float: (-2 * FloatMath.log(max(first, 1e-7))).squareRoot())
    let second = steps.uniform(words[1], "u₁")
    let angle = steps.add(
      "angle", "2π × \(second)", float: Float(2 * Double.pi * Double(second)))
    let turn = isFirst ? FloatMath.sin(angle) : FloatMath.cos(angle)
    _ = steps.add(
      "number", "\(isFirst ? "sin" : "cos")(\(angle)) × \(radius)", float: turn * radius)
  }
}

extension RandomLoop: ExplainableLoop where Distribution: ExplainedDistribution {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let count = node.outputs[0].tensor.type.shape.elementCount
    let (block, place) = output.flat.quotientAndRemainder(dividingBy: 4)
    var steps = StepList()
    guard
      let words = steps.words(stream, block: UInt64(block), used: UInt64((count + 3) / 4))
    else { return nil }
    let pair = place / 2 * 2
    Distribution.explain(
      Array(words[pair..<pair + 2]), isFirst: place % 2 == 0, &steps)
    return NodeAccount([], steps)
  }
}

extension MultinomialLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard drawCount > 0 else { return nil }
    let batch = output.flat / drawCount
    let row = batch * classCount..<(batch + 1) * classCount
    let logits = row.compactMap { node.value(0, $0, as: Float.self) }
    let largest = logits.filter(\.isFinite).reduce(-Float.greatestFiniteMagnitude) { max($0, $1) }
    let weights = logits.map {
      $0.isFinite ? FloatMath.exp(Double($0) - Double(largest)) : 0
    }
    var steps = StepList()
    let used = UInt64(batchCount) &* UInt64((drawCount + 3) / 4 * 4) &* 512
    guard let words = steps.words(stream, block: UInt64(output.flat / 2), used: used) else {
      return nil
    }
    let (high, low) = output.flat % 2 == 0 ? (words[0], words[1]) : (words[2], words[3])
    let bits = UInt64(high & 0xF_FFFF) << 32 | UInt64(low)
    let part = Double(bits) / 0x1p52
    steps.add("u", "52 bits of two random words / 2^52", .double(part))
    var sums: [Double] = []
    for weight in weights { sums.append((sums.last ?? 0) + weight) }
    let total = sums.last ?? 0
    steps.add("total", "of exp(logit - \(largest))", .double(total))
    let threshold = part * total
    steps.add("threshold", "\(part) × \(total)", .double(threshold))
    let category = sums.firstIndex { threshold < $0 } ?? sums.count
    if category < sums.count {
      steps.add("sum", "up to class \(category), above the threshold", .double(sums[category]))
    }
    steps.add("class", "the first one whose sum is above the threshold", integer: category)
    return NodeAccount(zip(row, weights).compactMap { node.term(0, $0, value: .double($1)) }, steps)
  }
}

extension RandomBitsLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let state = node.values(0, as: UInt64.self), state.count >= 2 else { return nil }
    let terms = node.terms(0, state.indices)
    let bits = node.outputs[1].tensor.type
    let wordsPerBlock = isThreefry ? 2 : 4
    var steps = StepList()
    if output.position == 0 {
      guard output.flat == 1 else {
        steps.add("moved", "this part of the state stays", integer: state[output.flat])
        return NodeAccount(node.terms(0, [output.flat]), steps)
      }
      let wordCount = bits.shape.elementCount * (bits.elementType.bitCount ?? 32) / 32
      let blocks = steps.add(
        "blocks", "of \(wordsPerBlock) words for \(wordCount) words",
        integer: UInt64((wordCount + wordsPerBlock - 1) / wordsPerBlock))
      steps.add("counter", "\(state[1]) + \(blocks)", integer: state[1] &+ blocks)
      return NodeAccount(terms, steps)
    }
    let width = (bits.elementType.bitCount ?? 32) / 32
    var value: UInt64 = 0
    for word in 0..<width {
      let (block, place) = (output.flat * width + word).quotientAndRemainder(
        dividingBy: wordsPerBlock)
      let counter = steps.add(
        "counter", "\(state[1]) + \(block)", integer: state[1] &+ UInt64(block))
      let own = words(counter: counter, state)[place]
      steps.add(
        "word",
        "\(place) of \(isThreefry ? "Threefry" : "Philox") of the counter under the key"
          + " \(state[0])", integer: own)
      value |= UInt64(own) << UInt64(32 * word)
    }
    let arithmetic = StoredArithmetic(type: bits.elementType)
    steps.add("stored", "the bits as \(bits.elementType.schemaName)", arithmetic.wrapped(value))
    return NodeAccount(terms, steps)
  }

  /// The words of the block of a counter.
  private func words(counter: UInt64, _ state: [UInt64]) -> [UInt32] {
    func halves(_ value: UInt64) -> (UInt32, UInt32) {
      (UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
    }
    let (key, lower) = (halves(state[0]), halves(counter))
    guard !isThreefry else {
      let words = CounterGenerators.threefry(lower, key: key)
      return [words.0, words.1]
    }
    let upper = halves(state[state.count == 3 ? 2 : 0])
    let words = CounterGenerators.philox((lower.0, lower.1, upper.0, upper.1), key: key)
    return [words.0, words.1, words.2, words.3]
  }
}
