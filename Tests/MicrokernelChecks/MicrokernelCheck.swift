// SPDX-License-Identifier: Apache-2.0

package import Microkernels

/// A comparison of some kernels of a set with plain loops.
///
/// Checks need no test library and no system beyond the C library, so that they run in the package's
/// tests and as a program without an operating system's Swift, too.
package struct MicrokernelCheck: Sendable, CustomStringConvertible {
  /// What is compared.
  package let description: String
  private let compare: @Sendable (MicrokernelSet, inout Comparison) -> Void

  init(
    _ description: String, _ compare: @escaping @Sendable (MicrokernelSet, inout Comparison) -> Void
  ) {
    self.description = description
    self.compare = compare
  }

  /// What comparing the kernels of `set` yields.
  package func run(_ set: MicrokernelSet) -> Comparison {
    var comparison = Comparison()
    compare(set, &comparison)
    return comparison
  }

  /// All checks.
  package static let all: [MicrokernelCheck] =
    [
      packing, floatProducts, floatDepthwise, floatFunctions, floatElements, byteProducts, scaling,
      byteDepthwise, byteElements, bytePools, conversions, winograd, words, plainOperations,
      reductions,
    ].flatMap { $0 }
}

/// How many results were compared with expected ones, and the first that differs.
package struct Comparison {
  /// How many results were compared.
  package private(set) var count = 0
  /// The first result that is not as expected, with its problem; nil if there is none.
  package private(set) var mismatch: String?

  /// Whether no result was wrong so far; a check may stop where one was.
  var isGood: Bool { mismatch == nil }

  /// Compares results that must be equal.
  mutating func equal<Element: Equatable & CustomStringConvertible>(
    _ results: [Element], _ expected: [Element], _ problem: @autoclosure () -> String
  ) {
    compare(results, expected, problem()) { $0 == $1 }
  }

  /// Compares floats that must have the same bits, or both be NaN.
  mutating func same(
    _ results: [Float], _ expected: [Float], _ problem: @autoclosure () -> String
  ) {
    compare(results, expected, problem()) {
      $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN
    }
  }

  /// Compares floats that may be off by `tolerance`.
  mutating func close(
    _ results: [Float], _ expected: [Double], within tolerance: Double,
    _ problem: @autoclosure () -> String
  ) {
    compare(results, expected, problem()) { abs(Double($0) - $1) <= tolerance }
  }

  /// Compares two values that must be equal.
  mutating func equal<Value: Equatable & CustomStringConvertible>(
    _ result: Value, _ expected: Value, _ problem: @autoclosure () -> String
  ) {
    equal([result], [expected], problem())
  }

  /// Compares results one by one.
  mutating func compare<Result: CustomStringConvertible, Expected: CustomStringConvertible>(
    _ results: [Result], _ expected: [Expected], _ problem: @autoclosure () -> String,
    isRight: (Result, Expected) -> Bool
  ) {
    count += expected.count
    guard mismatch == nil else { return }
    guard results.count == expected.count else {
      mismatch = "\(problem()): \(results.count) results, expected \(expected.count)"
      return
    }
    for index in expected.indices where !isRight(results[index], expected[index]) {
      mismatch = "\(problem()): [\(index)] is \(results[index]), expected \(expected[index])"
      return
    }
  }
}
