// SPDX-License-Identifier: Apache-2.0

import Foundation
import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Testing

/// Functions of floats on vectors, against double precision.
@Suite struct MicrokernelFunctionTests {
  static func exact(_ function: FloatFunction, _ x: Float) -> Double {
    let x = Double(x)
    switch function {
    case .logistic: return x < -9 ? exp(x) : 1 / (1 + exp(-x))
    case .tanh: return tanh(x)
    case .exponential: return exp(x)
    case .hardSwish: return x * min(max(x + 3, 0), 6) / 6
    case .swish: return x * exact(.logistic, Float(x))
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

  static func apply(
    _ function: FloatFunction, _ values: [Float], _ set: MicrokernelSet
  ) -> [Float] {
    let input = GuardedBuffer(values)
    let output = GuardedBuffer([Float](repeating: 7, count: values.count))
    unsafe set.float.apply(
      function,
      FloatFunctionTask(input: input.address, output: output.address, count: values.count))
    return output.elements
  }

  @Test(
    arguments: MicrokernelSet.tested,
    FloatFunction.allCases)
  func `results lie within 4 units in the last place`(set: MicrokernelSet, function: FloatFunction)
  {
    var random = SeededRandom(seed: 3)
    var values = (0..<20_000).map { _ in Float.random(in: -105...88.5, using: &random) }
    values += (0..<20_000).map { _ in Float.random(in: -5...5, using: &random) }
    values += [0, -0.0, 1e-30, -1e-30, .leastNonzeroMagnitude, 0.625, -9, -9.5, 17, 88.72, -103.9]
    for (x, y) in zip(values, Self.apply(function, values, set)) {
      let exact = Self.exact(function, x)
      // Where the logistic function underflows, swish has a multiple of its last place.
      let least = Float.leastNonzeroMagnitude * (function == .swish ? max(abs(x), 1) : 1)
      let unit = Double(max(Float(exact).ulp, least))
      // Roots of negative numbers are none, and that of 0 has an infinite reciprocal.
      let isSame = y.isNaN ? exact.isNaN : Double(y) == exact
      #expect(
        isSame || abs(Double(y) - exact) <= 4 * unit,
        "\(function)(\(x)) = \(y), wanted \(exact)")
    }
  }

  @Test(arguments: MicrokernelSet.tested)
  func `limits and NaN`(set: MicrokernelSet) {
    let values: [Float] = [.infinity, -.infinity, 1000, -1000, .nan]
    let expected: [FloatFunction: [Float]] = [
      .logistic: [1, 0, 1, 0], .tanh: [1, -1, 1, -1],
      .exponential: [.infinity, 0, .infinity, 0], .hardSwish: [.infinity, 0, 1000, 0],
    ]
    for (function, wanted) in expected {
      let results = Self.apply(function, values, set)
      #expect(results.last?.isNaN == true)
      if function == .hardSwish {
        // The reference multiplies -∞ by 0.
        #expect(results[1].isNaN)
        #expect(results[0] == wanted[0] && results[2...3] == wanted[2...3])
      } else {
        #expect(Array(results.prefix(4)) == wanted, "\(function)")
      }
    }
    #expect(Self.apply(.tanh, [-0.0], set)[0].sign == .minus)
  }

  @Test(arguments: MicrokernelSet.tested, 0...40)
  func `no count reads or writes past the run`(set: MicrokernelSet, count: Int) {
    var random = SeededRandom(seed: count)
    let values = (0..<count).map { _ in Float.random(in: -5...5, using: &random) }
    for function in FloatFunction.allCases {
      let whole = Self.apply(function, values + [1], set)
      let part = Self.apply(function, values, set)
      #expect(part.map(\.bitPattern) == whole.prefix(count).map(\.bitPattern))
    }
  }
}
