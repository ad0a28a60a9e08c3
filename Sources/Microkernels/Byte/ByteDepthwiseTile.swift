// SPDX-License-Identifier: Apache-2.0

/// `outputs` neighbouring output pixels by one vector's bytes of channels: four vectors of sums.
///
/// Interleaving the bytes of four taps puts each channel's four activations into one 32-bit lane.
/// It also permutes channels among the four vectors, within 128-bit lanes; weights are packed in
/// that order, and narrowing the sums to bytes undoes it.
@usableFromInline
package enum ByteDepthwiseTile<Level: ByteInstructions, let outputs: Int> {
  @usableFromInline package typealias Quad = InlineArray<4, Level.Vector>

  /// Bytes of one vector's weights for four taps.
  @inlinable
  @inline(__always)
  package static var weightsStep: Int { Level.isWide ? 2 &* Level.byteCount : Level.byteCount }

  /// Writes the sums of the channels from `channel` on, whose bias and weights are in `panel`,
  /// for the pixels from `first` on: four vectors per pixel.
  @inlinable
  @inline(__always)
  package static func run(
    _ task: ByteDepthwiseTask, first: Int, channel: Int, panel: UnsafeRawPointer,
    sums output: UnsafeMutableRawPointer, isWhole: Bool
  ) {
    let flip = unsafe Level.broadcast(byte: task.activationFlip)
    let bias = Quad { vector in unsafe Level.load(panel + vector &* Level.byteCount) }
    var sums = InlineArray<outputs, Quad> { _ in bias }
    var weights = unsafe panel + 4 &* Level.byteCount
    let pixels = unsafe task.pixels + first &* task.step
    let lanes = unsafe task.channelCount &- channel
    var tap = 0
    while unsafe tap < task.tapCount {
      // Beyond the last tap the weights are zero, so any pixel will do.
      let last = unsafe task.tapCount &- 1
      let offsets = InlineArray<4, Int> { index in
        unsafe task.offsets[min(tap &+ index, last)]
      }
      for o in 0..<outputs {
        let window = unsafe pixels + o &* task.step
        let taps = Quad { index in
          let pixel = unsafe window[offsets[index]] + channel
          let bytes = unsafe isWhole ? Level.load(pixel) : Level.loadPrefix(pixel, count: lanes)
          return Level.flip(bytes, flip)
        }
        let left = Level.interleaveBytes(taps[0], taps[1])
        let right = Level.interleaveBytes(taps[2], taps[3])
        let low = Level.interleaveWords(left.low, right.low)
        let high = Level.interleaveWords(left.high, right.high)
        sums[o][0] = unsafe Level.dot(sums[o][0], interleaved: low.low, weights)
        sums[o][1] = unsafe Level.dot(sums[o][1], interleaved: low.high, weights + weightsStep)
        sums[o][2] = unsafe Level.dot(
          sums[o][2], interleaved: high.low, weights + 2 &* weightsStep)
        sums[o][3] = unsafe Level.dot(
          sums[o][3], interleaved: high.high, weights + 3 &* weightsStep)
      }
      unsafe weights += 4 &* weightsStep
      tap &+= 4
    }
    for o in 0..<outputs {
      for v in 0..<4 {
        let offset = (o &* 4 &+ v) &* Level.byteCount
        unsafe output.storeBytes(of: sums[o][v], toByteOffset: offset, as: Level.Vector.self)
      }
    }
  }
}

/// The sums of one vector of channels for some pixels, two pixels at a time where `pairs`.
@inlinable
@inline(__always)
package func byteDepthwise<Level: ByteInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, pairs: Bool,
  _ level: Level.Type
) {
  var sums = unsafe part.sums
  var pixel = unsafe part.first
  let end = unsafe pixel &+ part.count
  let channel = unsafe part.channel
  if unsafe channel &+ Level.byteCount > task.channelCount {
    while pixel < end {
      unsafe ByteDepthwiseTile<Level, 1>.run(
        task, first: pixel, channel: channel, panel: part.panel, sums: sums, isWhole: false)
      unsafe sums += 4 &* Level.byteCount
      pixel &+= 1
    }
    return
  }
  while pairs && pixel &+ 2 <= end {
    unsafe ByteDepthwiseTile<Level, 2>.run(
      task, first: pixel, channel: channel, panel: part.panel, sums: sums, isWhole: true)
    unsafe sums += 8 &* Level.byteCount
    pixel &+= 2
  }
  while pixel < end {
    unsafe ByteDepthwiseTile<Level, 1>.run(
      task, first: pixel, channel: channel, panel: part.panel, sums: sums, isWhole: true)
    unsafe sums += 4 &* Level.byteCount
    pixel &+= 1
  }
}
