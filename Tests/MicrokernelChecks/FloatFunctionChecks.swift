// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Functions of floats on vectors, against double precision.
  static let floatFunctions = [
    Self("functions lie within 4 units in the last place", functionsOfRandomNumbers),
    Self("functions of infinities, large numbers and NaN", functionsAtLimits),
    Self("functions of runs of any length", functionsOfShortRuns),
    Self("waves up to their limit", waves),
  ]
}

private func exact(_ function: FloatFunction, _ x: Float) -> Double {
  let x = Double(x)
  switch function {
  case .logistic: return x < -9 ? exp(x) : 1 / (1 + exp(-x))
  case .tanh: return tanh(x)
  case .exponential: return exp(x)
  case .hardSwish: return x * min(max(x + 3, 0), 6) / 6
  case .swish: return x * exact(.logistic, Float(x))
  case .exponentialLinearUnit: return x < 0 ? expm1(x) : x
  case .gaussianErrorUnit: return x / 2 * erfc(-x / 2.0.squareRoot())
  case .tanhErrorUnit:
    let twice = 2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)
    return x / (1 + exp(-twice))
  case .logarithm: return log(x)
  case .sine: return sin(x)
  case .cosine: return cos(x)
  case .magnitude: return abs(x)
  case .negation: return -x
  case .square: return x * x
  case .squareRoot: return x.squareRoot()
  case .reciprocalSquareRoot: return 1 / x.squareRoot()
  case .floor: return x.rounded(.down)
  case .ceiling: return x.rounded(.up)
  case .nearest: return x.rounded(.toNearestOrEven)
  }
}

private func apply(
  _ function: FloatFunction, _ values: [Float], _ set: MicrokernelSet
) -> [Float] {
  let input = GuardedBuffer(values)
  let output = GuardedBuffer(repeating: 7 as Float, count: values.count)
  unsafe set.float.apply(
    function,
    FloatFunctionTask(input: input.address, output: output.address, count: values.count))
  return output.elements
}

private func functionsOfRandomNumbers(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var random = SeededRandom(seed: 3)
  var values = random.floats(20_000, in: -105...88.5)
  values += random.floats(20_000, in: -5...5)
  values += [0, -0.0, 1e-30, -1e-30, .leastNonzeroMagnitude, 0.625, -9, -9.5, 17, 88.72, -103.9]
  for (index, function) in FloatFunction.allCases.enumerated() {
    comparison.compare(
      Array(zip(values, apply(function, values, set)).map { Sample(x: $0, y: $1) }),
      values.map { exact(function, $0) }, "function \(index)"
    ) { sample, exact in
      let unit = Double(Float(exact).ulp)
      // Roots of negative numbers are none, and that of 0 has an infinite reciprocal.
      let isSame = sample.y.isNaN ? exact.isNaN : Double(sample.y) == exact
      // Far below 0 the error units are next to nothing, as are the exponents that they take.
      let isUnit = function == .gaussianErrorUnit || function == .tanhErrorUnit
      let isWave = function == .sine || function == .cosine
      let tolerance = isUnit ? max(8 * unit, 2e-7) : isWave ? 1e-7 : 4 * unit
      // Subnormal values of the logistic function may be 0.
      let factor = function == .swish ? abs(sample.x) : function == .logistic ? 1 : 0
      let least = factor * Float.leastNormalMagnitude
      return isSame || abs(Double(sample.y) - exact) <= max(tolerance, Double(least))
    }
  }
}

/// A function's value.
private struct Sample: CustomStringConvertible {
  let x: Float
  let y: Float

  var description: String { "\(y) for \(x)" }
}

private func functionsAtLimits(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let values: [Float] = [.infinity, -.infinity, 1000, -1000, .nan]
  comparison.same(apply(.logistic, values, set), [1, 0, 1, 0, .nan], "logistic function")
  comparison.same(apply(.tanh, values, set), [1, -1, 1, -1, .nan], "tanh")
  comparison.same(
    apply(.exponential, values, set), [.infinity, 0, .infinity, 0, .nan], "exponential")
  // The reference multiplies −∞ by 0, and −1000.
  comparison.same(
    apply(.hardSwish, values, set), [.infinity, .nan, 1000, -0.0, .nan], "hard swish")
  comparison.same(apply(.tanh, [-0.0], set), [-0.0], "tanh of -0")
  // And the Gaussian error unit −∞ by 0, too.
  comparison.same(
    apply(.gaussianErrorUnit, values, set), [.infinity, .nan, 1000, -0.0, .nan],
    "Gaussian error unit")
  comparison.same(
    apply(.exponentialLinearUnit, values, set), [.infinity, -1, 1000, -1, .nan],
    "exponential linear unit")
  comparison.same(
    apply(.logarithm, [.infinity, -1, 0, -0.0, .nan, 1, .leastNonzeroMagnitude], set),
    [.infinity, .nan, -.infinity, -.infinity, .nan, 0, -103.27893], "logarithm")
}

private func waves(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var random = SeededRandom(seed: 4)
  let limit = VectorSine.limit
  var values = random.floats(20_000, in: -limit...limit)
  // Neighbors of multiples of a quarter turn.
  for turn in -2000...2000 { values.append(Float(Double(turn) * .pi / 2)) }
  values += [limit, -limit, 0, .leastNonzeroMagnitude]
  for (function, exact) in [(FloatFunction.sine, sin), (.cosine, cos)]
    as [(FloatFunction, (Double) -> Double)]
  {
    comparison.compare(
      Array(zip(values, apply(function, values, set)).map { Sample(x: $0, y: $1) }),
      values.map { exact(Double($0)) }, "waves"
    ) { sample, exact in abs(Double(sample.y) - exact) <= 1e-7 }
  }
}

private func functionsOfShortRuns(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in 0...40 {
    var random = SeededRandom(seed: count)
    let values = random.floats(count, in: -5...5)
    for (index, function) in FloatFunction.allCases.enumerated() {
      let whole = apply(function, values + [1], set)
      comparison.same(
        apply(function, values, set), Array(whole.prefix(count)), "function \(index) of \(count)")
    }
  }
}
