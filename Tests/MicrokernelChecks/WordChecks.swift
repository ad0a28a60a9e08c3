// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// 16-bit fixed-point numbers of recurrent cells.
  static let words = [
    Self("functions of every 16-bit number", functionsOfWords),
    Self("gates of integer cells", gates),
    Self("states of integer cells", states),
    Self("results of integer cells", results),
  ]
}

/// Numbers of cells that fill vectors and do not.
private let counts = Array(1...40) + [1000]

/// The functions are gemmlowp's, which are off by up to 6.4 units (the logistic function) and 12.1
/// units of the result's last place.
private func functionsOfWords(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let numbers = (Int16.min ... .max).map { $0 }
  let input = GuardedBuffer(numbers)
  func values(_ function: WordFunction) -> [Int16] {
    let output = GuardedBuffer(repeating: 99 as Int16, count: numbers.count)
    unsafe set.word.apply(
      function,
      WordFunctionTask(input: input.address, output: output.address, count: numbers.count))
    return output.elements
  }
  let logistics = values(.logistic)
  comparison.equal(
    logistics, numbers.map { Int16(WordArithmetic.logistic(Int32($0))) }, "logistic function")
  comparison.close(
    logistics.map { Float($0) },
    numbers.map { 0x1p15 / (1 + exp(-Double($0) * 0x1p-12)) }, within: 6.5, "logistic function")
  for bits in 0...6 as ClosedRange<Int32> {
    let unit = Double(1 << bits) * 0x1p-15
    let results = values(.tanh(integerBits: bits))
    comparison.equal(
      results, numbers.map { Int16(WordArithmetic.tanh(Int32($0), bits)) },
      "tanh, \(bits) integer bits")
    comparison.close(
      results.map { Float($0) }, numbers.map { 0x1p15 * tanh(Double($0) * unit) },
      within: 12.5, "tanh, \(bits) integer bits")
  }
}

/// The factor as kernels take it, and by its definition.
private struct Factor {
  let kernel: WordFactor
  let definition: FixedPoint

  init?(_ significand: Int32, _ exponent: Int32, _ rounding: FixedPoint.Rounding) {
    let factor = WordFactor(
      significand: significand, exponent: exponent, roundsTwice: rounding != .once)
    guard let factor else { return nil }
    kernel = factor
    definition = FixedPoint(significand: significand, exponent: exponent, rounding: rounding)
  }

  /// Factors of both roundings.
  static let all: [Factor] = ([.once, .twice] as [FixedPoint.Rounding]).flatMap { rounding in
    [(1 << 30, -5), (0x5555_5555, -12), (0x7FFF_FFFF, 1), (-0x6000_0000, -9), (0, 0)].compactMap {
      Factor($0, $1, rounding)
    }
  }
}

private func clamped(_ value: Int32) -> Int32 { min(max(value, -0x8000), 0x7FFF) }

/// `value / 2^shift`, rounded half away from zero.
private func quotient(_ value: Int32, _ shift: Int32) -> Int32 {
  Int32((Double(value) / Double((1 as Int64) << Int64(shift))).rounded(.toNearestOrAwayFromZero))
}

private func gates(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in counts {
    var random = SeededRandom(seed: count)
    let inputs = random.integers(count, in: -1_000_000...1_000_000)
    let recurrent = random.integers(count, in: -1_000_000...1_000_000)
    let (first, second) = (GuardedBuffer(inputs), GuardedBuffer(recurrent))
    for (index, factor) in Factor.all.enumerated() {
      // Both factors are rounded alike.
      let half = Factor.all.count / 2
      let other = Factor.all[index / half * half + (index + 2) % half]
      let output = GuardedBuffer(repeating: 99 as Int16, count: count)
      unsafe set.word.compute(
        CellGateTask(
          inputSums: first.address, recurrentSums: second.address, output: output.address,
          count: count, input: factor.kernel, recurrent: other.kernel))
      let expected = inputs.indices.map { cell in
        let value = clamped(factor.definition.scaled(inputs[cell]))
        return Int16(clamped(other.definition.scaled(recurrent[cell]) + value))
      }
      comparison.equal(output.elements, expected, "\(count) cells, factor \(index)")
    }
  }
}

private func states(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in counts {
    var random = SeededRandom(seed: count)
    func words() -> [Int16] {
      (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
    }
    let (inputGate, cellGate, old) = (words(), words(), words())
    let forgetGate = words().map { $0 & 0x7FFF }
    let (first, second, third) = (
      GuardedBuffer(inputGate), GuardedBuffer(forgetGate), GuardedBuffer(cellGate)
    )
    for (shift, clip, hasGate) in [
      (15 as Int32, 0 as Int16, true), (15, 20_000, false), (19, 0, false), (18, 9000, true),
    ] {
      let output = GuardedBuffer(old)
      unsafe set.word.update(
        CellStateTask(
          inputGate: hasGate ? UnsafePointer(first.address) : nil, forgetGate: second.address,
          cellGate: third.address, states: output.address, count: count, shift: shift,
          clip: clip))
      let limit = clip > 0 ? Int32(clip) : 0x8000
      let expected = old.indices.map { cell in
        let share = hasGate ? Int32(inputGate[cell]) : 0x7FFF - Int32(forgetGate[cell])
        let kept = quotient(Int32(forgetGate[cell]) * Int32(old[cell]), 15)
        let added = Int16(truncatingIfNeeded: quotient(share * Int32(cellGate[cell]), shift))
        return Int16(clamped(min(max(clamped(kept + Int32(added)), -limit), limit)))
      }
      comparison.equal(output.elements, expected, "\(count) cells, shift \(shift), clip \(clip)")
    }
  }
}

private func results(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in counts {
    var random = SeededRandom(seed: count)
    func words() -> [Int16] {
      (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
    }
    let (gate, states) = (words(), words())
    let (first, second) = (GuardedBuffer(gate), GuardedBuffer(states))
    for (index, factor) in Factor.all.enumerated() where factor.definition.exponent <= 0 {
      let output = GuardedBuffer(repeating: 99 as Int8, count: count)
      unsafe set.word.compute(
        CellResultTask(
          outputGate: first.address, states: second.address, output: output.address,
          count: count, factor: factor.kernel, zeroPoint: -11))
      let expected = gate.indices.map { cell in
        let scaled = factor.definition.scaled(Int32(gate[cell]) * Int32(states[cell]))
        return Int8(min(max(scaled - 11, -128), 127))
      }
      comparison.equal(output.elements, expected, "\(count) cells, factor \(index)")
    }
  }
}
