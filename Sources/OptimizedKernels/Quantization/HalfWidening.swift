// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// float16 values as float32: the same bits as the reference kernel.
///
/// Arm64 has instructions for it. Elsewhere all but subnormal values keep their fraction and have an
/// exponent that is greater by a constant; of subnormal ones, a subtraction of float32 finds the
/// first bit.
final class HalfWidening: ElementKernel {
  /// What exponents of float32 are greater by.
  private static let bias: UInt32 = 127 - 15
  /// Bits of a float32's fraction.
  private static let fraction: UInt32 = 23
  /// 2⁻¹⁴, the least normal float16 value.
  private static let leastNormal = (bias + 1) << fraction

  let elementCount: Int
  var elementSize: Int? { nil }

  /// The values of the node's input.
  init?(_ node: PrepareContext) {
    guard let input = node.optionalInput(0) else { return nil }
    elementCount = input.shape.elementCount
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let halves = unsafe input.assumingMemoryBound(to: UInt16.self)
    let floats = unsafe output.assumingMemoryBound(to: UInt32.self)
    // Without branches, so that the compiler makes vectors of it.
    for element in elements { unsafe floats[element] = Self.widened(halves[element]) }
  }

  /// The bits of a float16 value as float32.
  @inline(__always)
  private static func widened(_ half: UInt16) -> UInt32 {
    #if arch(arm64)
      // An instruction of every processor.
      return Float(Float16(bitPattern: half)).bitPattern
    #else
      return widenedByBits(half)
    #endif
  }

  @inline(__always)
  private static func widenedByBits(_ half: UInt16) -> UInt32 {
    let bits = UInt32(half)
    let magnitude = bits & 0x7FFF
    let shifted = magnitude &<< (fraction - 10)
    let normal = shifted &+ bias << fraction
    // Infinities and NaN have the greatest exponent of either format; NaN becomes quiet.
    let quiet: UInt32 = magnitude > 0x7C00 ? 1 << (fraction - 1) : 0
    let special = (normal &+ bias << fraction) | quiet
    let subnormal =
      (Float(bitPattern: shifted &+ leastNormal) - Float(bitPattern: leastNormal)).bitPattern
    let result = magnitude < 0x400 ? subnormal : magnitude < 0x7C00 ? normal : special
    return result | (bits & 0x8000) &<< 16
  }
}
