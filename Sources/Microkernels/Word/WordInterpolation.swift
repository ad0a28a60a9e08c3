// SPDX-License-Identifier: Apache-2.0

/// A function of 16-bit quantized values by 512 steps of a table, between whose ends results are
/// interpolated.
@unsafe
@frozen
@usableFromInline
package struct WordInterpolation {
  /// For each step where it begins, and above 16 bits what its end has more, modulo 2¹⁶.
  @usableFromInline package var entries: UnsafePointer<UInt32>

  /// The function of these steps.
  package init(_ entries: UnsafePointer<UInt32>) { unsafe self.entries = entries }
}

/// Applies a function to a run of numbers, without branches.
@_alwaysEmitIntoClient
@inline(__always)
package func interpolateWords(_ run: PlainRun, _ interpolation: WordInterpolation) {
  let entries = unsafe interpolation.entries
  unsafe plainLoop(run) { (number: Int16) -> Int16 in
    let number = Int32(number)
    let entry = unsafe entries[Int(256 &+ number &>> 7)]
    let rise = ((Int32(bitPattern: entry) &>> 16) &* (number & 0x7F) &+ 64) &>> 7
    return Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: entry) &+ rise)
  }
}
