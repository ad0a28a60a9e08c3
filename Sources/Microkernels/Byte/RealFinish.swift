// SPDX-License-Identifier: Apache-2.0

/// Rows of a tile's sums that become quantized values by the `real` form of `ByteFinish`, exactly as
/// `reallyScaled` does.
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
  /// Rows.
  @usableFromInline package var rowCount: Int
  /// Bytes from one row of sums to the next.
  @usableFromInline package var sumStride: Int
  /// Bytes from one row of the output to the next.
  @usableFromInline package var outputStride: Int
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

  /// Rows of `count` sums whose first column is `column`, as `finish` says.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    _ finish: ByteFinish, _ sums: UnsafeRawPointer, rowCount: Int = 1, sumStride: Int = 0,
    count: Int, column: Int, to output: UnsafeMutableRawPointer, outputStride: Int = 0
  ) {
    unsafe factors = finish.table + column &* 8
    unsafe self.sums = sums
    unsafe self.rowCount = rowCount
    unsafe self.sumStride = sumStride
    unsafe self.outputStride = outputStride
    unsafe self.count = count
    unsafe self.output = output
    unsafe zeroPoint = finish.zeroPoint
    unsafe lowest = finish.lowest
    unsafe highest = finish.highest
  }
}

/// Finishes rows where the level has no conversions.
@_alwaysEmitIntoClient
@inline(__always)
package func finishReally<Level: ByteInstructions>(_ task: RealFinish, _: Level.Type) {
  var row = unsafe task
  for _ in unsafe 0..<task.rowCount {
    unsafe finishRow(row)
    unsafe row.sums += task.sumStride
    unsafe row.output += task.outputStride
  }
}

/// Finishes the first row, by a loop without branches.
@_alwaysEmitIntoClient
@inline(__always)
func finishRow(_ task: RealFinish) {
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

/// Finishes rows, a vector of sums at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func finishReally<Level: ByteConversionInstructions>(_ task: RealFinish, _: Level.Type) {
  let zeroPoint = Level.broadcast(unsafe task.zeroPoint)
  let lowest = Level.broadcast(unsafe task.lowest)
  let highest = Level.broadcast(unsafe task.highest)
  for start in unsafe stride(from: 0, to: task.count, by: Level.laneCount) {
    let isWhole = unsafe start &+ Level.laneCount <= task.count
    let factors = unsafe task.factors + start &* 8
    var (sums, output) = unsafe (task.sums + start &* 4, task.output + start)
    for _ in unsafe 0..<task.rowCount {
      let rounded = unsafe Level.roundedProducts(sums, factors)
      let values = Level.clampLanes(Level.add(rounded, zeroPoint), lowest, highest)
      if isWhole {
        unsafe Level.storeLowBytes(values, to: output)
      } else {
        var bytes: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
          guard let base = bytes.baseAddress else { return }
          unsafe Level.storeLowBytes(values, to: base)
          unsafe copyShort(base, to: output, count: task.count &- start)
        }
      }
      unsafe sums += task.sumStride
      unsafe output += task.outputStride
    }
  }
}

/// What rounds half away from zero before the fraction is left out: the largest double below ½.
@_alwaysEmitIntoClient
@inline(__always)
package var nearlyHalfOfDoubles: Double { 0x1.fffffffffffffp-2 }
