// SPDX-License-Identifier: Apache-2.0

/// A line of a resized image of int8 quantized values, interpolated with 10 fraction bits along
/// each axis.
///
///     line[i] = upper[i] (2¹⁰ − u) + lower[i] u
///     y[c] = (line[l + c] (2¹⁰ − v) + line[r + c] v) / 2²⁰
///
/// Fractions are between −2¹⁰ and 2¹¹: joined elements are below 2¹⁹, and sums fit 32 bits.
@unsafe
@frozen
@usableFromInline
package struct IntegerBilinearLine {
  /// The image's line above.
  @usableFromInline package var upper: UnsafePointer<Int8>
  /// The image's line below.
  @usableFromInline package var lower: UnsafePointer<Int8>
  /// The fraction between them.
  @usableFromInline package var fraction: Int32
  /// Where both become one.
  @usableFromInline package var line: UnsafeMutablePointer<Int32>
  /// Elements of a line of the image.
  @usableFromInline package var elementCount: Int
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
    upper: UnsafePointer<Int8>, lower: UnsafePointer<Int8>, fraction: Int32,
    line: UnsafeMutablePointer<Int32>, elementCount: Int,
    columns: UnsafePointer<BilinearColumn<Int32>>, count: Int, depth: Int, roundsAway: Bool,
    output: UnsafeMutablePointer<Int8>
  ) {
    unsafe self.upper = upper
    unsafe self.lower = lower
    unsafe self.fraction = fraction
    unsafe self.line = line
    unsafe self.elementCount = elementCount
    unsafe self.columns = columns
    unsafe self.count = count
    unsafe self.depth = depth
    unsafe self.roundsAway = roundsAway
    unsafe self.output = output
  }
}

/// Computes a line.
@inlinable
@inline(__always)
package func interpolate(_ line: IntegerBilinearLine) {
  unsafe join(line)
  let depth = unsafe line.depth
  let sign: Int32 = unsafe line.roundsAway ? -1 : 0
  for pixel in unsafe 0..<line.count {
    let column = unsafe line.columns[pixel]
    let (left, right) = unsafe (line.line + column.left, line.line + column.right)
    let output = unsafe line.output + pixel &* depth
    let (after, before) = (column.fraction, 1024 &- column.fraction)
    var channel = 0
    while channel < depth, depth >= 16 {
      // The last vector ends with the last channel.
      let start = min(channel, depth &- 16)
      let first = unsafe UnsafeRawPointer(left + start).loadUnaligned(as: SIMD16<Int32>.self)
      let second = unsafe UnsafeRawPointer(right + start).loadUnaligned(as: SIMD16<Int32>.self)
      let rounded = roundedPixel(first &* before &+ second &* after, sign)
      unsafe UnsafeMutableRawPointer(output + start).storeBytes(
        of: SIMD16<Int8> { Int8(truncatingIfNeeded: rounded[$0]) }, as: SIMD16<Int8>.self)
      channel &+= 16
    }
    while channel < depth {
      let sum = unsafe left[channel] &* before &+ right[channel] &* after
      let rounded = (sum &+ (1 << 19) &+ ((sum &>> 31) & sign)) &>> 20
      unsafe output[channel] = Int8(truncatingIfNeeded: rounded)
      channel &+= 1
    }
  }
}

/// Sums without their 20 fraction bits.
///
/// Half away from zero is half up, save that halves below zero go down: one unit less, where `sign`
/// is -1, does that.
@inlinable
@inline(__always)
func roundedPixel(_ sums: SIMD16<Int32>, _ sign: Int32) -> SIMD16<Int32> {
  let below = (sums &>> SIMD16(repeating: 31)) & sign
  return (sums &+ (1 << 19) &+ below) &>> SIMD16(repeating: 20)
}

/// Joins the two lines of the image.
@inlinable
@inline(__always)
func join(_ line: IntegerBilinearLine) {
  let (after, before) = unsafe (line.fraction, 1024 &- line.fraction)
  let count = unsafe line.elementCount
  var start = 0
  while start &+ 16 <= count {
    let upper = unsafe UnsafeRawPointer(line.upper + start).loadUnaligned(as: SIMD16<Int8>.self)
    let lower = unsafe UnsafeRawPointer(line.lower + start).loadUnaligned(as: SIMD16<Int8>.self)
    let (above, below) = (SIMD16 { Int32(upper[$0]) }, SIMD16 { Int32(lower[$0]) })
    unsafe UnsafeMutableRawPointer(line.line + start).storeBytes(
      of: above &* before &+ below &* after, as: SIMD16<Int32>.self)
    start &+= 16
  }
  while start < count {
    unsafe line.line[start] =
      Int32(line.upper[start]) &* before &+ Int32(line.lower[start]) &* after
    start &+= 1
  }
}
