// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels
import ReferenceKernels
import Testing

/// Optimized kernels for convolutions and matrix products against the reference kernels.
@Suite struct OptimizedConvolutionTests {
  @Test(arguments: 0..<60)
  func `float convolutions stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.conv2D(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `8-bit convolutions are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.conv2D(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<60)
  func `float depthwise convolutions stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.depthwise(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<60)
  func `8-bit depthwise convolutions are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.depthwise(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<30)
  func `float matrix products stay close`(seed: Int) throws {
    let (problem, terms) = OptimizedProblem.fullyConnected(.float, seed: seed)
    try problem.expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<40)
  func `8-bit matrix products are the same`(format: OptimizedFormat, seed: Int) throws {
    try OptimizedProblem.fullyConnected(format, seed: seed).0.expectSameBytes()
  }

  @Test(arguments: 0..<30)
  func `float convolutions by given weights stay close`(seed: Int) throws {
    let (problem, terms) =
      seed % 3 == 0
      ? OptimizedProblem.depthwise(.float, seed: seed) : OptimizedProblem.conv2D(.float, seed: seed)
    try problem.giving(Self.givenWeights(seed)).expectCloseFloats(terms: terms)
  }

  @Test(arguments: [OptimizedFormat.int8, .uint8], 0..<30)
  func `8-bit convolutions by given weights are the same`(
    format: OptimizedFormat, seed: Int
  ) throws {
    let (problem, _) =
      switch seed % 3 {
      case 0: OptimizedProblem.depthwise(format, seed: seed)
      case 1: OptimizedProblem.fullyConnected(format, seed: seed)
      default: OptimizedProblem.conv2D(format, seed: seed)
      }
    try problem.giving(Self.givenWeights(seed)).expectSameBytes()
  }

  /// The filter, the bias, or both.
  private static func givenWeights(_ seed: Int) -> [Int] {
    [[1, 2], [1], [2], [1, 2]][seed / 3 % 4]
  }
}
