// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension EvaluatedNode {
  /// The flat indices of the row that an element of the output lies in.
  func row(of output: OutputPlace, length: Int) -> Range<Int>? {
    guard length > 0 else { return nil }
    let start = output.flat / length * length
    return start..<start + length
  }

  /// The elements of input 0 at these places, each with its share of a sum.
  func terms(_ places: some Sequence<Int>, shares: [StoredValue]) -> [ExplainedTerm] {
    zip(places, shares).compactMap { term(0, $0, value: $1) }
  }
}

extension L2NormalizationKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let row = node.row(of: output, length: rowLength),
      let own = node.value(0, output.flat, as: Float.self)
    else { return nil }
    let squares = row.compactMap { node.value(0, $0, as: Float.self) }.map {
      StoredValue.float($0 * $0)
    }
    var steps = StepList()
    let sum = steps.sum(squares, of: "squares")
    let root = steps.add("square root", "of \(sum)", float: sum.squareRoot())
    let least = Self.leastLength
    let length =
      root < least ? steps.add("length", "\(root), at least \(least)", float: least) : root
    _ = steps.add("quotient", "\(own) / \(length)", float: own / length)
    return NodeAccount(node.terms(row, shares: squares), steps)
  }
}

extension QuantizedL2NormalizationLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let row = node.row(of: output, length: rowLength),
      let own = node.value(0, output.flat, as: Code.self)
    else { return nil }
    let squares = row.compactMap { node.value(0, $0, as: Code.self) }.map { code in
      let difference = Int32(code) &- zeroPoint
      return StoredValue(integer: difference &* difference)
    }
    var steps = StepList()
    let sum = steps.sum(squares, as: Int32.self)
    let root = FixedPoint.inverseSquareRoot(sum, rounding: rounding)
    let difference = steps.add(
      "distance", "\(own) - \(zeroPoint.operand)", integer: Int32(own) &- zeroPoint)
    let name = "1 / √\(sum) by Newton steps"
    let code: Int32
    if Code.isSigned {
      // The output's scale of 1/128 is part of the exponent.
      let factor = FixedPointMultiplier(
        significand: root.significand, exponent: root.exponent + 7, rounding: rounding)
      code = steps.scale(difference, by: factor, "128 × \(name)")
    } else {
      let widened = steps.add(
        "product", "\(difference) × 128", integer: difference &* 128)
      code = steps.addZeroPoint(steps.scale(widened, by: root, name), 128)
    }
    let stored = steps.store(code, as: Code.self)
    return NodeAccount(
      terms: node.terms(row, shares: squares), steps: steps, result: stored)
  }
}

extension LocalResponseNormalizationKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let pixel = node.row(of: output, length: depth),
      let own = node.value(0, output.flat, as: Float.self)
    else { return nil }
    let radius = min(Int(options.radius), depth)
    let squares = pixel.compactMap { node.value(0, $0, as: Float.self) }.map {
      $0 * $0 * options.alpha
    }
    guard squares.count == depth else { return nil }
    let channel = output.flat - pixel.lowerBound
    // The sum slides along: a square comes in, one goes out, and rounding errors stay.
    var sum = squares.prefix(radius).reduce(0, +)
    for place in 0...channel {
      if place + radius < depth { sum += squares[place + radius] }
      if place < channel, place >= radius { sum -= squares[place - radius] }
    }
    let window = max(0, channel - radius)..<min(depth, channel + radius + 1)
    var steps = StepList()
    steps.add(
      "sum", "of \(window.count) squares × \(options.alpha), slid along from channel 0 in float32",
      .float(sum))
    let energy = steps.add(
      "energy", "\(options.bias) + \(sum.operand)", float: options.bias + sum)
    let factor = steps.add(
      "factor", "\(energy) to the power of -\(options.beta)", float: damping(energy))
    _ = steps.add("product", "\(own) × \(factor.operand)", float: own * factor)
    let shares = window.map { StoredValue.float(squares[$0]) }
    return NodeAccount(node.terms(window.map { $0 + pixel.lowerBound }, shares: shares), steps)
  }

  private func damping(_ energy: Float) -> Float {
    switch options.beta {
    case 1: 1 / energy
    case 0.5: 1 / energy.squareRoot()
    case let beta: FloatMath.pow(energy, -beta)
    }
  }
}
