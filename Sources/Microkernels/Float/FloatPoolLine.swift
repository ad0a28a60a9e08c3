// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of which all channels are pooled.
@unsafe
@frozen
@usableFromInline
package struct FloatPoolLine {
  /// The first pixel of the first window.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where the first window's result goes.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Windows.
  @usableFromInline package var count: Int
  /// Bytes from one window's first pixel to the next one's.
  @usableFromInline package var step: Int
  /// Rows of pixels in a window.
  @usableFromInline package var rowCount: Int
  /// Bytes from one row to the next.
  @usableFromInline package var rowStep: Int
  /// Pixels in each row of a window.
  @usableFromInline package var columnCount: Int
  /// Channels of a pixel; pixels lie behind each other.
  @usableFromInline package var depth: Int
  /// What no result is less than.
  @usableFromInline package var lowest: Float
  /// What no result is greater than.
  @usableFromInline package var highest: Float

  /// Windows of these parts.
  package init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int, step: Int,
    rowCount: Int, rowStep: Int, columnCount: Int, depth: Int, lowest: Float, highest: Float
  ) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.step = step
    unsafe self.rowCount = rowCount
    unsafe self.rowStep = rowStep
    unsafe self.columnCount = columnCount
    unsafe self.depth = depth
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// What becomes of the elements of a window, taken row by row as the reference kernel does.
@usableFromInline
package protocol FloatPoolFunction {
  /// What there is before the first element.
  static var start: Float { get }
  /// The next element added.
  static func add<I: FloatInstructions>(
    _ element: I.Vector, to result: I.Vector, _: I.Type
  ) -> I.Vector
  /// The result of so many elements.
  static func finish<I: FloatInstructions>(
    _ result: I.Vector, count: I.Vector, _: I.Type
  ) -> I.Vector
}

/// The greatest element; NaN is passed over.
@frozen
@usableFromInline
package enum FloatPoolMaximum: FloatPoolFunction {
  @inlinable
  @inline(__always)
  package static var start: Float { -.greatestFiniteMagnitude }

  @inlinable
  @inline(__always)
  package static func add<I: FloatInstructions>(
    _ element: I.Vector, to result: I.Vector, _: I.Type
  ) -> I.Vector { I.select(result, lessThan: element, element, else: result) }

  @inlinable
  @inline(__always)
  package static func finish<I: FloatInstructions>(
    _ result: I.Vector, count: I.Vector, _: I.Type
  ) -> I.Vector { result }
}

/// The average of the elements.
@frozen
@usableFromInline
package enum FloatPoolAverage: FloatPoolFunction {
  @inlinable
  @inline(__always)
  package static var start: Float { 0 }

  @inlinable
  @inline(__always)
  package static func add<I: FloatInstructions>(
    _ element: I.Vector, to result: I.Vector, _: I.Type
  ) -> I.Vector { I.add(result, element) }

  @inlinable
  @inline(__always)
  package static func finish<I: FloatInstructions>(
    _ result: I.Vector, count: I.Vector, _: I.Type
  ) -> I.Vector { I.divide(result, count) }
}

/// Pools windows, a vector of channels at a time; the last one ends with the last channel, and what
/// two vectors have is computed twice.
@inlinable
@inline(__always)
package func poolLine<Function: FloatPoolFunction, I: FloatInstructions>(
  _ line: FloatPoolLine, _: Function.Type, _: I.Type
) {
  let depth = unsafe line.depth
  let last = depth &- I.laneCount
  var (input, output) = unsafe (line.input, line.output)
  for _ in unsafe 0..<line.count {
    if last >= 0 {
      var channel = 0
      while channel <= last {
        let result = unsafe pool(line, input + channel &* 4, Function.self, I.self) {
          unsafe I.load($0)
        }
        unsafe output.storeBytes(of: result, toByteOffset: channel &* 4, as: I.Vector.self)
        channel &+= I.laneCount
        if channel > last && channel < depth { channel = last }
      }
    } else {
      let result = unsafe pool(line, input, Function.self, I.self) {
        unsafe I.loadPrefix($0, count: depth)
      }
      unsafe I.storePrefix(result, to: output, count: depth)
    }
    unsafe input += line.step
    unsafe output += depth &* 4
  }
}

/// The result of a window whose channels `load` reads.
@inlinable
@inline(__always)
func pool<Function: FloatPoolFunction, I: FloatInstructions>(
  _ line: FloatPoolLine, _ first: UnsafeRawPointer, _: Function.Type, _: I.Type,
  _ load: (UnsafeRawPointer) -> I.Vector
) -> I.Vector {
  var result = I.broadcast(Function.start)
  var row = unsafe first
  for _ in unsafe 0..<line.rowCount {
    var pixel = unsafe row
    for _ in unsafe 0..<line.columnCount {
      result = unsafe Function.add(load(pixel), to: result, I.self)
      unsafe pixel += line.depth &* 4
    }
    unsafe row += line.rowStep
  }
  let count = unsafe I.broadcast(Float(line.rowCount &* line.columnCount))
  return unsafe I.clamp(
    Function.finish(result, count: count, I.self), I.broadcast(line.lowest),
    I.broadcast(line.highest))
}
