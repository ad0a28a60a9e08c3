// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Testing

@Suite struct FixedPoint16Tests {
  /// Quantized values of a real function's values: 2^12 to one before it, 2^15 to one after it.
  @Test(
    arguments: [
      (0, 16384), (4096, 23955), (-4096, 8813), (8192, 28862), (-32768, 11), (32767, 32757),
    ] as [(Int16, Int)])
  func `the logistic function is right to 2^-11`(x: Int16, expected: Int) {
    #expect(abs(Int(FixedPoint16.logistic(x)) - expected) <= 16)
  }

  @Test(
    arguments: [
      (0, 3, 0), (4096, 3, 24956), (-4096, 3, -24956), (2048, 4, 24956), (1024, 4, 15143),
      (512, 6, 24956), (-32768, 3, -32768), (32767, 6, 32767),
    ] as [(Int16, Int32, Int)])
  func `the hyperbolic tangent is right to 2^-11`(x: Int16, integerBits: Int32, expected: Int) {
    #expect(abs(Int(FixedPoint16.tanh(x, integerBits: integerBits)) - expected) <= 16)
  }
}
