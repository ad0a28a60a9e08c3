// SPDX-License-Identifier: Apache-2.0

/// A depthwise tile of a wide level: one output pixel by half a vector's bytes of channels.
///
/// Bytes become words of as many channels. Interleaving those of two taps puts each channel's two
/// activations into one 32-bit lane and splits the channels into two vectors of sums, within
/// 128-bit lanes; weights are packed in that order, and narrowing the sums to bytes undoes it.
@usableFromInline
package enum ByteWordTile<Level: ByteWordInstructions> {
  @usableFromInline package typealias Pair = (low: Level.Vector, high: Level.Vector)

  /// Bytes of two taps' weights, and of the sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var pairByteCount: Int { 2 &* Level.byteCount }

  /// Two vectors of the panel, or of sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Pair {
    unsafe (low: Level.load(pointer), high: Level.load(pointer + Level.byteCount))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ sums: Pair, to pointer: UnsafeMutableRawPointer) {
    unsafe pointer.storeBytes(of: sums.low, as: Level.Vector.self)
    unsafe pointer.storeBytes(of: sums.high, toByteOffset: Level.byteCount, as: Level.Vector.self)
  }

  /// Adds the products of two taps' interleaved words and of the weights in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func dot(_ sums: Pair, _ words: Pair, _ weights: UnsafeRawPointer) -> Pair {
    let weights = unsafe load(weights)
    return (
      low: Level.dot(sums.low, words.low, weights.low),
      high: Level.dot(sums.high, words.high, weights.high)
    )
  }

  /// The sums of a pixel whose taps are in `flat` order.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func sums(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, pixel: Int, isWhole: Bool,
    areSigned: Bool
  ) -> Pair {
    let window = unsafe task.pixels + pixel &* task.window.step
    let lanes = unsafe task.channelCount &- part.channel
    @inline(__always)
    func words(_ tap: Int) -> Level.Vector {
      let address = unsafe window[part.offsets[tap]] + part.channel
      return unsafe isWhole
        ? Level.loadActivations(address, areSigned: areSigned)
        : Level.loadActivationPrefix(address, count: lanes, areSigned: areSigned)
    }
    var sums = unsafe load(part.panel)
    var weights = unsafe part.panel + pairByteCount
    var tap = 0
    while unsafe tap < task.window.tapCount {
      let pair = Level.pairs(words(tap), words(tap &+ 1))
      sums = unsafe dot(sums, pair, weights)
      unsafe weights += pairByteCount
      tap &+= 2
    }
    return sums
  }

  /// Writes the sums of a part in `flat` order.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, isWhole: Bool, areSigned: Bool
  ) {
    for index in unsafe 0..<part.count {
      let sums = unsafe sums(
        task, part, pixel: part.first &+ index, isWhole: isWhole, areSigned: areSigned)
      unsafe store(sums, to: part.sums + index &* pairByteCount)
    }
  }
}

/// The sums of a part in `flat` order.
@_alwaysEmitIntoClient
@inline(__always)
package func sumWords<Level: ByteWordInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, _ level: Level.Type
) {
  let isWhole = unsafe part.channel &+ Level.byteCount / 2 <= task.channelCount
  switch (isWhole, unsafe task.activationFlip != 0) {
  case (true, true):
    unsafe ByteWordTile<Level>.run(task, part, isWhole: true, areSigned: true)
  case (true, false):
    unsafe ByteWordTile<Level>.run(task, part, isWhole: true, areSigned: false)
  case (false, true):
    unsafe ByteWordTile<Level>.run(task, part, isWhole: false, areSigned: true)
  case (false, false):
    unsafe ByteWordTile<Level>.run(task, part, isWhole: false, areSigned: false)
  }
}

/// `scaleTile` for the sums of wide levels' depthwise tiles: two pixels at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func scaleWords<Level: ByteWordInstructions>(
  _ task: ByteScaleTask, _ level: Level.Type
) {
  if unsafe task.finish.scalesInSteps {
    unsafe scaleWordTile(task, inSteps: true, level)
  } else {
    unsafe scaleWordTile(task, inSteps: false, level)
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func scaleWordTile<Level: ByteWordInstructions>(
  _ task: ByteScaleTask, inSteps: Bool, _ level: Level.Type
) {
  let finish = unsafe ByteWordFinish<Level>(task.finish, column: task.column)
  let step = Level.byteCount
  for quad in unsafe 0..<task.quadCount {
    let sums = unsafe task.sums + quad &* 4 &* step
    let values = unsafe task.values + quad &* step
    let first = unsafe ByteWordTile<Level>.load(sums)
    let second = unsafe ByteWordTile<Level>.load(sums + 2 &* step)
    unsafe Level.storeByTurns(
      finish.values(first, second, inSteps: inSteps), values, values + step / 2)
  }
}

/// What the fast form of `ByteFinish` needs for the columns of a wide level's depthwise tile.
@usableFromInline
package struct ByteWordFinish<Level: ByteWordInstructions> {
  @usableFromInline package let low: Level.Scaling
  @usableFromInline package let high: Level.Scaling
  @usableFromInline package let limits: ByteLimits<Level>
  @usableFromInline package let rounding: Bool

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ finish: ByteFinish, column: Int) {
    let table = unsafe finish.table + column &* 4
    let planeStride = unsafe finish.planeStride
    low = unsafe Level.scaling(table, planeStride: planeStride)
    high = unsafe Level.scaling(table + Level.byteCount, planeStride: planeStride)
    limits = unsafe ByteLimits<Level>(finish)
    rounding = unsafe finish.takesRoundedProducts
  }

  /// Quantized values of two pixels' sums, by turns in 64-bit lanes.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func values(
    _ first: ByteWordTile<Level>.Pair, _ second: ByteWordTile<Level>.Pair, inSteps: Bool
  ) -> Level.Vector {
    limits.values(
      Level.narrowInterleaved(
        scaled(first.low, low, inSteps), scaled(first.high, high, inSteps),
        scaled(second.low, low, inSteps), scaled(second.high, high, inSteps)))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  func scaled(_ sums: Level.Vector, _ scaling: Level.Scaling, _ inSteps: Bool) -> Level.Vector {
    Level.scale(sums, scaling, inSteps: inSteps, rounding: rounding)
  }
}
