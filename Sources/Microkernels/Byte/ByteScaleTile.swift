// SPDX-License-Identifier: Apache-2.0

/// Which columns the vectors of a tile's sums hold.
@frozen
@usableFromInline
package enum SumsOrder: Sendable {
  /// Every vector the same columns: a product's half panel.
  case one
  /// Two vectors of columns by turns: a product's panel.
  case two
  /// Four vectors of columns by turns, interleaved as depthwise tiles do.
  case fourInterleaved
}

/// Sums to be scaled by the fast form of `ByteFinish`.
@unsafe
@frozen
@usableFromInline
package struct ByteScaleTask {
  /// The factors and limits.
  @usableFromInline package var finish: ByteFinish
  /// The tile's first column.
  @usableFromInline package var column: Int
  /// The sums, 32 bits each.
  @usableFromInline package var sums: UnsafeRawPointer
  /// Where the quantized values go, in the sums' order or, if that is interleaved, in the columns'
  /// order.
  @usableFromInline package var values: UnsafeMutableRawPointer
  /// Groups of four vectors of sums.
  @usableFromInline package var quadCount: Int
  /// Which columns the vectors hold.
  @usableFromInline package var order: SumsOrder

  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    finish: ByteFinish, column: Int, sums: UnsafeRawPointer, values: UnsafeMutableRawPointer,
    quadCount: Int, order: SumsOrder
  ) {
    unsafe self.finish = finish
    unsafe self.column = column
    unsafe self.sums = sums
    unsafe self.values = values
    unsafe self.quadCount = quadCount
    unsafe self.order = order
  }
}

/// What the fast form of `ByteFinish` needs besides factors: limits, and what makes quantized
/// values unsigned.
@usableFromInline
package struct ByteLimits<Level: ByteInstructions> {
  @usableFromInline package let lowest: Level.Vector
  @usableFromInline package let highest: Level.Vector
  @usableFromInline package let flip: Level.Vector

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ finish: ByteFinish) {
    let offset = unsafe finish.signedOffset
    lowest = unsafe Level.broadcast(byte: UInt8(truncatingIfNeeded: finish.lowest &- offset))
    highest = unsafe Level.broadcast(byte: UInt8(truncatingIfNeeded: finish.highest &- offset))
    flip = Level.broadcast(byte: offset == 0 ? 0 : 0x80)
  }

  /// Quantized values from signed bytes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func values(_ bytes: Level.Vector) -> Level.Vector {
    Level.flip(Level.clampBytes(bytes, lowest, highest), flip)
  }
}

/// The fast form of `ByteFinish`, four vectors of sums at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func scaleTile<Level: ByteInstructions>(
  _ task: ByteScaleTask, _ order: SumsOrder, inSteps: Bool, _ level: Level.Type
) {
  if unsafe Level.roundsProducts && task.finish.takesRoundedProducts {
    unsafe scaleTile(task, order, inSteps: inSteps, rounding: true, level)
  } else {
    unsafe scaleTile(task, order, inSteps: inSteps, rounding: false, level)
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func scaleTile<Level: ByteInstructions>(
  _ task: ByteScaleTask, _ order: SumsOrder, inSteps: Bool, rounding: Bool, _ level: Level.Type
) {
  let limits = unsafe ByteLimits<Level>(task.finish)
  let table = unsafe task.finish.table + task.column &* 4
  let planeStride = unsafe task.finish.planeStride
  let step = Level.byteCount
  let scalings = InlineArray<4, Level.Scaling> { vector in
    let position = order == .fourInterleaved ? vector : order == .two ? vector & 1 : 0
    return unsafe Level.scaling(table + position &* step, planeStride: planeStride)
  }
  var sums = unsafe task.sums
  var values = unsafe task.values
  var quad = unsafe task.quadCount
  while quad > 0 {
    let scaled = Level.scale(
      InlineArray { unsafe Level.load(sums + $0 &* step) }, scalings, inSteps: inSteps,
      rounding: rounding)
    let bytes =
      order == .fourInterleaved
      ? Level.narrowInterleaved(scaled[0], scaled[1], scaled[2], scaled[3])
      : Level.narrow(scaled[0], scaled[1], scaled[2], scaled[3])
    unsafe values.storeBytes(of: limits.values(bytes), as: Level.Vector.self)
    unsafe sums += 4 &* step
    unsafe values += step
    quad &-= 1
  }
}

/// `scaleTile` for the sums of products.
@_alwaysEmitIntoClient
@inline(__always)
package func scaleProduct<Level: ByteInstructions>(
  _ task: ByteScaleTask, _ level: Level.Type
) {
  if unsafe task.order == .two {
    if unsafe task.finish.scalesInSteps {
      unsafe scaleTile(task, .two, inSteps: true, level)
    } else {
      unsafe scaleTile(task, .two, inSteps: false, level)
    }
  } else {
    if unsafe task.finish.scalesInSteps {
      unsafe scaleTile(task, .one, inSteps: true, level)
    } else {
      unsafe scaleTile(task, .one, inSteps: false, level)
    }
  }
}

/// `scaleTile` for the sums of depthwise tiles.
@_alwaysEmitIntoClient
@inline(__always)
package func scaleDepthwise<Level: ByteInstructions>(
  _ task: ByteScaleTask, _ level: Level.Type
) {
  if unsafe task.finish.scalesInSteps {
    unsafe scaleTile(task, .fourInterleaved, inSteps: true, level)
  } else {
    unsafe scaleTile(task, .fourInterleaved, inSteps: false, level)
  }
}
