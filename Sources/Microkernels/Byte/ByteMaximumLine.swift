// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of whose 8-bit quantized values the greatest are found.
@unsafe
@frozen
@usableFromInline
package struct ByteMaximumLine {
  /// The windows.
  @usableFromInline package var windows: PoolLine
  /// What no result is less than.
  @usableFromInline package var lowest: UInt8
  /// What no result is greater than.
  @usableFromInline package var highest: UInt8
  /// Whether bytes are signed.
  @usableFromInline package var isSigned: Bool

  /// Windows of these parts; limits are bytes as the quantized values are.
  package init(_ windows: PoolLine, lowest: UInt8, highest: UInt8, isSigned: Bool) {
    unsafe self.windows = windows
    unsafe self.lowest = lowest
    unsafe self.highest = highest
    unsafe self.isSigned = isSigned
  }
}

/// Finds the greatest quantized values of windows.
@_alwaysEmitIntoClient
@inline(__always)
package func poolLine<Level: ByteLaneInstructions>(_ line: ByteMaximumLine, _: Level.Type) {
  unsafe poolLine(line.windows, ByteMaximumSteps<Level>(line))
}

/// What becomes of vectors of bytes; unsigned ones are compared 128 lower.
@frozen
@usableFromInline
struct ByteMaximumSteps<Level: ByteLaneInstructions>: BytePoolSteps {
  @usableFromInline let start: Level.Vector
  @usableFromInline let lowest: Level.Vector
  @usableFromInline let highest: Level.Vector
  @usableFromInline let most: Level.Vector
  @usableFromInline let flip: Level.Vector

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ line: ByteMaximumLine) {
    let flip: UInt8 = unsafe line.isSigned ? 0 : 0x80
    start = Level.broadcast(byte: 0x80)
    lowest = unsafe Level.broadcast(byte: line.lowest ^ flip)
    highest = unsafe Level.broadcast(byte: line.highest ^ flip)
    most = Level.broadcast(byte: 0x7F)
    self.flip = Level.broadcast(byte: flip)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func take(_ pixel: Level.Vector, into total: Level.Vector) -> Level.Vector {
    Level.clampBytes(Level.flip(pixel, flip), total, most)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func finish(_ total: Level.Vector) -> Level.Vector {
    Level.flip(Level.clampBytes(total, lowest, highest), flip)
  }
}
