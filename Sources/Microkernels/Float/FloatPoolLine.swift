// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of whose floats all channels are pooled.
@unsafe
@frozen
@usableFromInline
package struct FloatPoolLine {
  /// The windows.
  @usableFromInline package var windows: PoolLine
  /// What no result is less than.
  @usableFromInline package var lowest: Float
  /// What no result is greater than.
  @usableFromInline package var highest: Float

  /// Windows of these parts.
  package init(_ windows: PoolLine, lowest: Float, highest: Float) {
    unsafe self.windows = windows
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// Pools windows of floats.
///
/// `Step` makes one number of each and of what there was before it, which is `start` at first. Where
/// `divides`, their count divides the last.
@_alwaysEmitIntoClient
@inline(__always)
package func poolLine<Step: FloatRowOperation, I: FloatInstructions>(
  _ line: FloatPoolLine, _: Step.Type, from start: Float, divides: Bool, _: I.Type
) {
  unsafe poolLine(
    line.windows, FloatPoolSteps<Step, I>(line, from: start, divides: divides))
}

/// What becomes of vectors of floats.
@frozen
@usableFromInline
struct FloatPoolSteps<Step: FloatRowOperation, I: FloatInstructions>: PoolSteps {
  @usableFromInline let start: I.Vector
  @usableFromInline let lowest: I.Vector
  @usableFromInline let highest: I.Vector
  @usableFromInline let pixels: I.Vector
  @usableFromInline let divides: Bool

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ line: FloatPoolLine, from start: Float, divides: Bool) {
    self.start = I.broadcast(start)
    lowest = unsafe I.broadcast(line.lowest)
    highest = unsafe I.broadcast(line.highest)
    pixels = unsafe I.broadcast(Float(line.windows.rowCount &* line.windows.columnCount))
    self.divides = divides
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static var byteCount: Int { I.byteCount }

  @_alwaysEmitIntoClient
  @inline(__always)
  func load(_ pointer: UnsafeRawPointer) -> I.Vector { unsafe I.load(pointer) }

  @_alwaysEmitIntoClient
  @inline(__always)
  func loadPrefix(_ pointer: UnsafeRawPointer, byteCount: Int) -> I.Vector {
    unsafe I.loadPrefix(pointer, count: byteCount / 4)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func storePrefix(_ result: I.Vector, to pointer: UnsafeMutableRawPointer, byteCount: Int) {
    unsafe I.storePrefix(result, to: pointer, count: byteCount / 4)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func take(_ pixel: I.Vector, into total: I.Vector) -> I.Vector {
    Step.apply(pixel, total, I.self)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func finish(_ total: I.Vector) -> I.Vector {
    I.clamp(divides ? I.divide(total, pixels) : total, lowest, highest)
  }
}
