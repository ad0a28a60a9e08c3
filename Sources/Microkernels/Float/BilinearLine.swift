// SPDX-License-Identifier: Apache-2.0

/// Where a pixel of a resized line lies between two pixels of the image.
@frozen
@usableFromInline
package struct BilinearColumn<Fraction: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// Where the pixel before it starts, in elements.
  @usableFromInline package var left: Int
  /// Where the pixel behind it starts.
  @usableFromInline package var right: Int
  /// How far it is from the pixel before it.
  @usableFromInline package var fraction: Fraction

  /// A position of these parts.
  package init(left: Int, right: Int, fraction: Fraction) {
    self.left = left
    self.right = right
    self.fraction = fraction
  }
}

/// A line of a resized image, interpolated in floats.
///
///     y[c] = (upper[l + c] (1 − v) + lower[l + c] (1 − v)) + upper[r + c] v + lower[r + c] v
///
/// The two lines of the image are already weighted by the position between them. Each operation
/// rounds, in this order.
@unsafe
@frozen
@usableFromInline
package struct BilinearLine {
  /// The line above.
  @usableFromInline package var upper: UnsafePointer<Float>
  /// The line below.
  @usableFromInline package var lower: UnsafePointer<Float>
  /// Elements of each.
  @usableFromInline package var elementCount: Int
  /// By what the lines' elements are multiplied first; nil where they are already.
  @usableFromInline package var weights: (upper: Float, lower: Float)?
  /// The positions of the result's pixels.
  @usableFromInline package var columns: UnsafePointer<BilinearColumn<Float>>
  /// How many there are.
  @usableFromInline package var count: Int
  /// Channels.
  @usableFromInline package var depth: Int
  /// Where the results go: floats, or quantized values.
  @usableFromInline package var output: UnsafeMutableRawPointer

  /// A line of these parts.
  package init(
    upper: UnsafePointer<Float>, lower: UnsafePointer<Float>, elementCount: Int,
    weights: (upper: Float, lower: Float)?, columns: UnsafePointer<BilinearColumn<Float>>,
    count: Int, depth: Int, output: UnsafeMutableRawPointer
  ) {
    unsafe self.upper = upper
    unsafe self.lower = lower
    unsafe self.elementCount = elementCount
    unsafe self.weights = weights
    unsafe self.columns = columns
    unsafe self.count = count
    unsafe self.depth = depth
    unsafe self.output = output
  }
}

/// What a resized line consists of.
@usableFromInline
package protocol BilinearLineOutput {
  /// Bytes of an element.
  static var elementByteCount: Int { get }

  /// Writes the first `count` lanes.
  static func store<I: FloatInstructions>(
    _ value: I.Vector, to pointer: UnsafeMutableRawPointer, count: Int, _: I.Type)
}

/// Floats.
@frozen
@usableFromInline
package enum FloatLineOutput: BilinearLineOutput {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var elementByteCount: Int { 4 }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store<I: FloatInstructions>(
    _ value: I.Vector, to pointer: UnsafeMutableRawPointer, count: Int, _: I.Type
  ) {
    if count >= I.laneCount {
      unsafe pointer.storeBytes(of: value, as: I.Vector.self)
    } else {
      unsafe I.storePrefix(value, to: pointer, count: count)
    }
  }
}

/// Unsigned quantized values: the number plus one half, truncated.
@frozen
@usableFromInline
package enum ByteLineOutput: BilinearLineOutput {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var elementByteCount: Int { 1 }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store<I: FloatInstructions>(
    _ value: I.Vector, to pointer: UnsafeMutableRawPointer, count: Int, _: I.Type
  ) {
    unsafe I.storeBytes(I.add(value, I.broadcast(0.5)), to: pointer, count: count)
  }
}

/// Computes a line, of lines that are still to be weighted if `weighs`.
@_alwaysEmitIntoClient
@inline(__always)
package func interpolate<Output: BilinearLineOutput, I: FloatInstructions>(
  _ line: BilinearLine, weighs: Bool, _: Output.Type, _: I.Type
) {
  let upperWeight = unsafe I.broadcast(line.weights?.upper ?? 1)
  let lowerWeight = unsafe I.broadcast(line.weights?.lower ?? 1)
  @inline(__always)
  func load(
    _ line: UnsafeRawPointer, _ weight: I.Vector, _ index: Int, _ count: Int
  ) -> I.Vector {
    let values = unsafe RunOperand.load(line, index, count: count, I.self)
    return weighs ? I.multiply(values, weight) : values
  }
  let (upper, lower) = unsafe (UnsafeRawPointer(line.upper), UnsafeRawPointer(line.lower))
  let depth = unsafe line.depth
  let first =
    Output.elementByteCount == 4 && depth <= FewChannels.count
    ? unsafe interpolateFewChannels(line, weighs: weighs) : 0
  var output = unsafe line.output + first &* depth &* Output.elementByteCount
  for pixel in unsafe first..<line.count {
    let column = unsafe line.columns[pixel]
    let (after, before) = (I.broadcast(column.fraction), I.broadcast(1 - column.fraction))
    var channel = 0
    while channel < depth {
      let count = depth &- channel
      let (left, right) = (column.left &+ channel, column.right &+ channel)
      var sum = unsafe I.multiply(load(upper, upperWeight, left, count), before)
      sum = unsafe I.add(sum, I.multiply(load(lower, lowerWeight, left, count), before))
      sum = unsafe I.add(sum, I.multiply(load(upper, upperWeight, right, count), after))
      sum = unsafe I.add(sum, I.multiply(load(lower, lowerWeight, right, count), after))
      unsafe Output.store(
        sum, to: output + channel &* Output.elementByteCount, count: count, I.self)
      channel &+= I.laneCount
    }
    unsafe output += depth &* Output.elementByteCount
  }
}

/// The vectors of pixels of few channels, of which longer ones would be nearly empty.
@usableFromInline
enum FewChannels {
  @usableFromInline typealias Vector = SIMD4<Float>
  @_alwaysEmitIntoClient
  @inline(__always)
  static var count: Int { 4 }
}

/// Computes the first pixels of a line, whose channels a vector of `FewChannels` holds: all but the
/// last ones, behind which there are too few elements.
///
/// Returns how many they are.
@_alwaysEmitIntoClient
@inline(__always)
func interpolateFewChannels(_ line: BilinearLine, weighs: Bool) -> Int {
  typealias Vector = FewChannels.Vector
  let (upper, lower) = unsafe (UnsafeRawPointer(line.upper), UnsafeRawPointer(line.lower))
  let upperWeight = unsafe Vector(repeating: line.weights?.upper ?? 1)
  let lowerWeight = unsafe Vector(repeating: line.weights?.lower ?? 1)
  @inline(__always)
  func load(_ line: UnsafeRawPointer, _ weight: Vector, _ index: Int) -> Vector {
    let values = unsafe line.loadUnaligned(fromByteOffset: index &* 4, as: Vector.self)
    return weighs ? values * weight : values
  }
  var pixel = 0
  var output = unsafe line.output
  // What is written behind a pixel is written anew by those that follow.
  let (depth, last) = unsafe (
    line.depth, line.output + (line.count &* line.depth &- FewChannels.count) &* 4
  )
  while unsafe output <= last {
    let column = unsafe line.columns[pixel]
    let end = unsafe line.elementCount &- FewChannels.count
    guard column.left <= end, column.right <= end else { break }
    let (after, before) = (column.fraction, 1 - column.fraction)
    var sum = unsafe load(upper, upperWeight, column.left) * before
    unsafe sum += load(lower, lowerWeight, column.left) * before
    unsafe sum += load(upper, upperWeight, column.right) * after
    unsafe sum += load(lower, lowerWeight, column.right) * after
    unsafe output.storeBytes(of: sum, as: Vector.self)
    unsafe output += depth &* 4
    pixel &+= 1
  }
  return pixel
}
