// SPDX-License-Identifier: Apache-2.0

/// A row of a tile's sums that become quantized values by the `real` form of `ByteFinish`, exactly
/// as `reallyScaled` does.
///
/// Whole vectors of sums and of factors are read, as tiles and tables have them.
@unsafe
@frozen
@usableFromInline
package struct RealFinish {
  /// The factors, as `Double`, of the columns from the first one on.
  @usableFromInline package var factors: UnsafeRawPointer
  /// The sums.
  @usableFromInline package var sums: UnsafeRawPointer
  /// Columns.
  @usableFromInline package var count: Int
  /// Where the quantized values go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// The output's zero point.
  @usableFromInline package var zeroPoint: Int32
  /// The least quantized value.
  @usableFromInline package var lowest: Int32
  /// The greatest quantized value.
  @usableFromInline package var highest: Int32

  /// The row of `count` sums whose first column is `column`, as `finish` says.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    _ finish: ByteFinish, _ sums: UnsafeRawPointer, count: Int, column: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe factors = finish.table + column &* 8
    unsafe self.sums = sums
    unsafe self.count = count
    unsafe self.output = output
    unsafe zeroPoint = finish.zeroPoint
    unsafe lowest = finish.lowest
    unsafe highest = finish.highest
  }
}

/// Finishes a row where the level has no conversions, by a loop without branches.
@_alwaysEmitIntoClient
@inline(__always)
package func finishReally<Level: ByteInstructions>(_ task: RealFinish, _: Level.Type) {
  let zeroPoint = Double(unsafe task.zeroPoint)
  let (lowest, highest) = unsafe (Double(task.lowest), Double(task.highest))
  // What does not fit 32 bits counts as the least integer. That, or what the zero point takes out
  // of them, wraps.
  let least = -0x1p31 - 1 - (zeroPoint < 0 ? zeroPoint : 0)
  let greatest = 0x1p31 - (zeroPoint > 0 ? zeroPoint : 0)
  let wrapped = zeroPoint < 0 ? highest : lowest
  // No quantized value differs by more from the zero point.
  let limit = 1024.0
  // Adding this to a number of less than 2^51 leaves it, rounded, in the low bits.
  let roundingOffset = 0x1.8p52
  let nearlyHalf = nearlyHalfOfDoubles
  for index in unsafe 0..<task.count {
    let sum = unsafe task.sums.load(fromByteOffset: index &* 4, as: Int32.self)
    let value = unsafe Double(sum) * task.factors.load(fromByteOffset: index &* 8, as: Double.self)
    let lifted = value + (value < 0 ? -nearlyHalf : nearlyHalf)
    // Towards zero.
    let size = lifted.magnitude < limit ? lifted.magnitude : limit
    let nearest = (size + roundingOffset) - roundingOffset
    let whole = nearest > size ? nearest - 1 : nearest
    let total = (lifted < 0 ? -whole : whole) + zeroPoint
    let raised = total < lowest ? lowest : total
    let limited = raised > highest ? highest : raised
    let quantized = lifted > least ? (lifted < greatest ? limited : wrapped) : wrapped
    unsafe task.output.storeBytes(
      of: UInt8(truncatingIfNeeded: (quantized + roundingOffset).bitPattern),
      toByteOffset: index, as: UInt8.self)
  }
}

/// Finishes a row, a vector of sums at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func finishReally<Level: ByteConversionInstructions>(_ task: RealFinish, _: Level.Type) {
  let zeroPoint = Level.broadcast(unsafe task.zeroPoint)
  let lowest = Level.broadcast(unsafe task.lowest)
  let highest = Level.broadcast(unsafe task.highest)
  var start = 0
  while unsafe start < task.count {
    let rounded = unsafe Level.roundedProducts(
      task.sums + start &* 4, task.factors + start &* 8)
    let values = Level.clampLanes(Level.add(rounded, zeroPoint), lowest, highest)
    if unsafe start &+ Level.laneCount <= task.count {
      unsafe Level.storeLowBytes(values, to: task.output + start)
    } else {
      var bytes: (UInt64, UInt64) = (0, 0)
      unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe Level.storeLowBytes(values, to: base)
        for index in unsafe start..<task.count {
          unsafe task.output.storeBytes(
            of: base.load(fromByteOffset: index &- start, as: UInt8.self), toByteOffset: index,
            as: UInt8.self)
        }
      }
    }
    start &+= Level.laneCount
  }
}

/// What rounds half away from zero before the fraction is left out: the largest double below ½.
@_alwaysEmitIntoClient
@inline(__always)
package var nearlyHalfOfDoubles: Double { 0x1.fffffffffffffp-2 }
