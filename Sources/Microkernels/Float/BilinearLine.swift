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
    upper: UnsafePointer<Float>, lower: UnsafePointer<Float>,
    columns: UnsafePointer<BilinearColumn<Float>>, count: Int, depth: Int,
    output: UnsafeMutableRawPointer
  ) {
    unsafe self.upper = upper
    unsafe self.lower = lower
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

/// Computes a line.
@_alwaysEmitIntoClient
@inline(__always)
package func interpolate<Output: BilinearLineOutput, I: FloatInstructions>(
  _ line: BilinearLine, _: Output.Type, _: I.Type
) {
  let (upper, lower) = unsafe (UnsafeRawPointer(line.upper), UnsafeRawPointer(line.lower))
  var output = unsafe line.output
  let depth = unsafe line.depth
  for pixel in unsafe 0..<line.count {
    let column = unsafe line.columns[pixel]
    let (after, before) = (I.broadcast(column.fraction), I.broadcast(1 - column.fraction))
    var channel = 0
    while channel < depth {
      let count = depth &- channel
      let (left, right) = (column.left &+ channel, column.right &+ channel)
      var sum = unsafe I.multiply(RunOperand.load(upper, left, count: count, I.self), before)
      sum = unsafe I.add(
        sum, I.multiply(RunOperand.load(lower, left, count: count, I.self), before))
      sum = unsafe I.add(
        sum, I.multiply(RunOperand.load(upper, right, count: count, I.self), after))
      sum = unsafe I.add(
        sum, I.multiply(RunOperand.load(lower, right, count: count, I.self), after))
      unsafe Output.store(
        sum, to: output + channel &* Output.elementByteCount, count: count, I.self)
      channel &+= I.laneCount
    }
    unsafe output += depth &* Output.elementByteCount
  }
}
