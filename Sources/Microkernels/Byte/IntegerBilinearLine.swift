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
///
/// Half away from zero is half up, save that halves below zero go down: one unit less does that.
@_alwaysEmitIntoClient
@inline(__always)
package func interpolate(_ line: IntegerBilinearLine) {
  let (below, above) = unsafe (line.fraction, 1024 &- line.fraction)
  let rows = unsafe PlainRow(
    left: line.upper, right: line.lower, output: line.line, count: line.elementCount)
  unsafe plainRow(rows) { (upper: Int8, lower: Int8) -> Int32 in
    Int32(upper) &* above &+ Int32(lower) &* below
  }
  let depth = unsafe line.depth
  let sign: Int32 = unsafe line.roundsAway ? -1 : 0
  let first = depth <= FewChannels.count ? unsafe interpolateFewChannels(line, sign: sign) : 0
  for pixel in unsafe first..<line.count {
    let column = unsafe line.columns[pixel]
    let (after, before) = (column.fraction, 1024 &- column.fraction)
    let channels = unsafe PlainRow(
      left: line.line + column.left, right: line.line + column.right,
      output: line.output + pixel &* depth, count: depth)
    unsafe plainRow(channels) { (left: Int32, right: Int32) -> Int8 in
      let sum = left &* before &+ right &* after
      return Int8(truncatingIfNeeded: (sum &+ (1 << 19) &+ ((sum &>> 31) & sign)) &>> 20)
    }
  }
}

/// Computes the first pixels of a line, of up to `FewChannels.count` channels each: all but the last ones, behind
/// which there are too few elements.
///
/// Returns how many they are.
@_alwaysEmitIntoClient
@inline(__always)
func interpolateFewChannels(_ line: IntegerBilinearLine, sign: Int32) -> Int {
  typealias Lanes = SIMD4<Int32>
  let joined = unsafe UnsafeRawPointer(line.line)
  let half = Lanes(repeating: 1 << 19)
  let signs = Lanes(repeating: sign)
  let (depth, end) = unsafe (line.depth, line.elementCount &- Lanes.scalarCount)
  // What is written behind a pixel is written anew by those that follow.
  let last = unsafe line.count &* depth &- Lanes.scalarCount
  var (pixel, index) = (0, 0)
  while index <= last {
    let column = unsafe line.columns[pixel]
    guard column.left <= end, column.right <= end else { break }
    let left = unsafe joined.loadUnaligned(fromByteOffset: column.left &* 4, as: Lanes.self)
    let right = unsafe joined.loadUnaligned(fromByteOffset: column.right &* 4, as: Lanes.self)
    let sum = left &* (1024 &- column.fraction) &+ right &* column.fraction
    let values = (sum &+ half &+ ((sum &>> 31) & signs)) &>> 20
    unsafe UnsafeMutableRawPointer(line.output).storeBytes(
      of: SIMD4<Int8>(truncatingIfNeeded: values), toByteOffset: index, as: SIMD4<Int8>.self)
    pixel &+= 1
    index &+= depth
  }
  return pixel
}
