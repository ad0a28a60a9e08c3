// SPDX-License-Identifier: Apache-2.0

/// A depthwise part in `columns` order: weights in registers, pixels column after column.
///
/// A column's pixels are interleaved once and serve the windows of up to three outputs. The loop
/// carries the sums of the outputs that still lack columns, and completes one output per round.
@usableFromInline
package enum ByteDepthwiseColumns<Level: ByteInstructions> {
  @usableFromInline package typealias Quad = InlineArray<4, Level.Vector>
  @usableFromInline package typealias Rows = InlineArray<4, UnsafePointer<UnsafeRawPointer>>

  /// A stride of 1: the window of output `o` has the columns `o`, `o + 1`, `o + 2`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runDense(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, isWhole: Bool
  ) {
    var rows = unsafe rows(task, part)
    let lanes = unsafe task.channelCount &- part.channel
    let flip = unsafe task.flip(Level.self)
    let bias = unsafe quad(part, 0)
    let weights = InlineArray<3, Quad> { unsafe quad(part, $0 &+ 1) }
    var sums = unsafe part.sums
    var pixels = unsafe column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
    var older = add(bias, pixels, weights[0])
    unsafe pixels = column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
    older = add(older, pixels, weights[1])
    var newer = add(bias, pixels, weights[0])
    var remaining = unsafe part.count
    while remaining > 0 {
      unsafe pixels = column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
      unsafe store(add(older, pixels, weights[2]), to: &sums)
      older = add(newer, pixels, weights[1])
      newer = add(bias, pixels, weights[0])
      remaining &-= 1
    }
  }

  /// A stride of 2: the window of output `o` has the columns `2o`, `2o + 1`, `2o + 2`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runStrided(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, isWhole: Bool
  ) {
    var rows = unsafe rows(task, part)
    let lanes = unsafe task.channelCount &- part.channel
    let flip = unsafe task.flip(Level.self)
    let bias = unsafe quad(part, 0)
    let weights = InlineArray<3, Quad> { unsafe quad(part, $0 &+ 1) }
    var sums = unsafe part.sums
    var pixels = unsafe column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
    var older = add(bias, pixels, weights[0])
    var remaining = unsafe part.count
    while remaining > 0 {
      unsafe pixels = column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
      older = add(older, pixels, weights[1])
      unsafe pixels = column(&rows, part.channel, flip, isWhole: isWhole, lanes: lanes)
      unsafe store(add(older, pixels, weights[2]), to: &sums)
      older = add(bias, pixels, weights[0])
      remaining &-= 1
    }
  }

  /// The pointers of the window's rows; rows that it lacks have zero weights.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func rows(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) -> Rows {
    let window = unsafe task.window
    let first = unsafe task.pixels + part.first &* window.step
    let last = unsafe window.rowCount &- 1
    return unsafe Rows { unsafe first + window.rowOffsets[min($0, last)] }
  }

  /// Four vectors of the panel: the bias, or a column's weights.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func quad(_ part: ByteDepthwisePart, _ index: Int) -> Quad {
    Quad { unsafe Level.load(part.panel + (index &* 4 &+ $0) &* Level.byteCount) }
  }

  /// The pixels of the rows' next column, interleaved.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func column(
    _ rows: inout Rows, _ channel: Int, _ flip: Level.Vector, isWhole: Bool, lanes: Int
  ) -> Quad {
    var taps = Quad { _ in flip }
    for row in 0..<4 {
      let pixel = unsafe rows[row].pointee + channel
      let bytes = unsafe isWhole ? Level.load(pixel) : Level.loadPrefix(pixel, count: lanes)
      taps[row] = Level.flip(bytes, flip)
      unsafe rows[row] += 1
    }
    return ByteDepthwiseTile<Level, 1>.interleaved(taps)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func add(_ sums: Quad, _ pixels: Quad, _ weights: Quad) -> Quad {
    Quad { Level.dot(sums[$0], pixels[$0], weights[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ values: Quad, to sums: inout UnsafeMutableRawPointer) {
    for v in 0..<4 {
      unsafe sums.storeBytes(
        of: values[v], toByteOffset: v &* Level.byteCount, as: Level.Vector.self)
    }
    unsafe sums += 4 &* Level.byteCount
  }
}

/// The sums of a part in `columns` order, for strides of 1 and 2.
@_alwaysEmitIntoClient
@inline(__always)
package func byteDepthwiseColumns<Level: ByteInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, _ level: Level.Type
) {
  let isWhole = unsafe part.channel &+ Level.byteCount <= task.channelCount
  switch (isWhole, unsafe task.window.step) {
  case (true, 1): unsafe ByteDepthwiseColumns<Level>.runDense(task, part, isWhole: true)
  case (true, _): unsafe ByteDepthwiseColumns<Level>.runStrided(task, part, isWhole: true)
  case (false, 1): unsafe ByteDepthwiseColumns<Level>.runDense(task, part, isWhole: false)
  case (false, _): unsafe ByteDepthwiseColumns<Level>.runStrided(task, part, isWhole: false)
  }
}
