// SPDX-License-Identifier: Apache-2.0

/// A line of a resized image of int8 quantized values, interpolated with 10 fraction bits along
/// each axis.
///
///     y[c] = (line[l + c] (2¹⁰ − v) + line[r + c] v) / 2²⁰
///
/// The line of the image is already weighted by the position between two of them. Its elements are
/// below 2¹⁹, fractions between −2¹⁰ and 2¹¹: sums fit 32 bits.
@unsafe
@frozen
@usableFromInline
package struct IntegerBilinearLine {
  /// The image's line.
  @usableFromInline package var line: UnsafePointer<Int32>
  /// The positions of the result's pixels.
  @usableFromInline package var columns: UnsafePointer<BilinearColumn<Int32>>
  /// How many there are.
  @usableFromInline package var count: Int
  /// Channels.
  @usableFromInline package var depth: Int
  /// Whether halves are rounded away from zero; else up.
  @usableFromInline package var roundsAway: Bool
  /// Where the quantized values go.
  @usableFromInline package var output: UnsafeMutablePointer<Int8>

  /// A line of these parts.
  package init(
    line: UnsafePointer<Int32>, columns: UnsafePointer<BilinearColumn<Int32>>, count: Int,
    depth: Int, roundsAway: Bool, output: UnsafeMutablePointer<Int8>
  ) {
    unsafe self.line = line
    unsafe self.columns = columns
    unsafe self.count = count
    unsafe self.depth = depth
    unsafe self.roundsAway = roundsAway
    unsafe self.output = output
  }
}

/// Computes a line.
///
/// Half away from zero is half up, save that halves below zero go down: one unit less does that.
@inlinable
@inline(__always)
package func interpolate(_ line: IntegerBilinearLine) {
  let depth = unsafe line.depth
  let sign: Int32 = unsafe line.roundsAway ? -1 : 0
  for pixel in unsafe 0..<line.count {
    let column = unsafe line.columns[pixel]
    let (left, right) = unsafe (line.line + column.left, line.line + column.right)
    let output = unsafe line.output + pixel &* depth
    let (after, before) = (column.fraction, 1024 &- column.fraction)
    for channel in 0..<depth {
      let sum = unsafe left[channel] &* before &+ right[channel] &* after
      let rounded = (sum &+ (1 << 19) &+ ((sum &>> 31) & sign)) &>> 20
      unsafe output[channel] = Int8(truncatingIfNeeded: rounded)
    }
  }
}
