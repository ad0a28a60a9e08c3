// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of whose 8-bit quantized values the averages are found.
@unsafe
@frozen
@usableFromInline
package struct ByteAverageLine {
  /// The windows.
  @usableFromInline package var windows: PoolLine
  /// What sums become, by the fast form.
  @usableFromInline var finish: ByteFinish

  /// Windows of as many pixels as `scaling` is for.
  package init(_ windows: PoolLine, _ scaling: ByteScaling) {
    unsafe self.windows = windows
    unsafe finish = scaling.finish()
  }
}

extension ByteMicrokernels {
  /// Pixels of windows whose averages are found: the factor of fewer is too large for the fast form,
  /// and the sum of more may not fit a word.
  package static var averagedCounts: ClosedRange<Int> { 3...256 }

  /// What makes averages, with halves away from zero, of the sums of `count` pixels.
  ///
  /// The factor is the next above `1 / count`, by less than 2⁻³⁰ of it: halves of negative sums lie
  /// beyond the half then, and nothing else is close enough to one to be moved across.
  package static func averaging(
    _ count: Int, lowest: Int32, highest: Int32, isSigned: Bool
  ) -> ByteScaling {
    let bits = Int.bitWidth - (count - 1).leadingZeroBitCount
    let factor = ByteFactor(
      significand: Int32(truncatingIfNeeded: (1 << (30 + bits)) / count + 1),
      exponent: Int32(truncatingIfNeeded: 1 - bits))
    return ByteScaling(
      factors: [factor], roundsTwice: false, positions: scalePositions,
      sumBound: Int64(count) * 256,
      output: ByteOutput(zeroPoint: 0, lowest: lowest, highest: highest, isSigned: isSigned))
  }
}

/// Finds the averages of windows.
@_alwaysEmitIntoClient
@inline(__always)
package func poolLine<Level: ByteLaneInstructions>(_ line: ByteAverageLine, _: Level.Type) {
  unsafe poolLine(line.windows, ByteAverageSteps<Level>(line))
}

/// The sums of vectors of bytes, as unsigned words.
@frozen
@usableFromInline
struct ByteAverageSteps<Level: ByteLaneInstructions>: BytePoolSteps {
  @usableFromInline let zero: Level.Vector
  /// What makes bytes unsigned.
  @usableFromInline let flip: Level.Vector
  /// By how much that makes sums greater.
  @usableFromInline let excess: Level.Vector
  @usableFromInline let scaling: Level.Scaling
  @usableFromInline let limits: ByteLimits<Level>

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ line: ByteAverageLine) {
    let count = unsafe line.windows.rowCount &* line.windows.columnCount
    let isSigned = unsafe line.finish.isSigned
    zero = Level.broadcast(0)
    flip = Level.broadcast(byte: isSigned ? 0x80 : 0)
    excess = Level.broadcast(isSigned ? 128 &* Int32(truncatingIfNeeded: count) : 0)
    scaling = unsafe Level.scaling(line.finish.table, planeStride: line.finish.planeStride)
    limits = unsafe ByteLimits(line.finish)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  var start: (low: Level.Vector, high: Level.Vector) { (zero, zero) }

  @_alwaysEmitIntoClient
  @inline(__always)
  func take(
    _ pixel: Level.Vector, into total: (low: Level.Vector, high: Level.Vector)
  ) -> (low: Level.Vector, high: Level.Vector) {
    let words = Level.interleaveBytes(Level.flip(pixel, flip), zero)
    return (Level.addWords(total.low, words.low), Level.addWords(total.high, words.high))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func finish(_ total: (low: Level.Vector, high: Level.Vector)) -> Level.Vector {
    let low = Level.interleaveWords(total.low, zero)
    let high = Level.interleaveWords(total.high, zero)
    return limits.values(
      Level.narrowInterleaved(
        average(low.low), average(low.high), average(high.low), average(high.high)))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func average(_ sums: Level.Vector) -> Level.Vector {
    Level.scale(Level.subtract(sums, excess), scaling, inSteps: false)
  }
}
