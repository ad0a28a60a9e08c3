// SPDX-License-Identifier: Apache-2.0

/// `outputs` neighboring output pixels by one vector's bytes of channels: four vectors of sums.
///
/// Interleaving the bytes of four taps puts each channel's four activations into one 32-bit lane.
/// It also permutes channels among the four vectors, within 128-bit lanes; weights are packed in
/// that order, and narrowing the sums to bytes undoes it.
@usableFromInline
package enum ByteDepthwiseTile<Level: ByteInstructions, let outputs: Int> {
  @usableFromInline package typealias Quad = InlineArray<4, Level.Vector>

  /// Writes the sums of the part's channels for the pixels from `first` on: four vectors each.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, first: Int,
    sums output: UnsafeMutableRawPointer, isWhole: Bool
  ) {
    let flip = unsafe task.flip(Level.self)
    let bias = Quad { vector in unsafe Level.load(part.panel + vector &* Level.byteCount) }
    var sums = InlineArray<outputs, Quad> { _ in bias }
    var weights = unsafe part.panel + 4 &* Level.byteCount
    let step = unsafe task.window.step
    let pixels = unsafe task.pixels + first &* step
    let lanes = unsafe task.channelCount &- part.channel
    var tap = 0
    while unsafe tap < task.window.tapCount {
      let offsets = InlineArray<4, Int> { unsafe part.offsets[tap &+ $0] }
      for o in 0..<outputs {
        let window = unsafe pixels + o &* step
        let taps = Quad { index in
          let pixel = unsafe window[offsets[index]] + part.channel
          let bytes = unsafe isWhole ? Level.load(pixel) : Level.loadPrefix(pixel, count: lanes)
          return Level.flip(bytes, flip)
        }
        let quads = interleaved(taps)
        for v in 0..<4 {
          let right = unsafe Level.load(weights + v &* Level.byteCount)
          sums[o][v] = Level.dot(sums[o][v], quads[v], right)
        }
      }
      unsafe weights += 4 &* Level.byteCount
      tap &+= 4
    }
    unsafe store(sums, to: output)
  }

  /// The bytes of four taps, each channel's in one 32-bit lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func interleaved(_ taps: Quad) -> Quad {
    let left = Level.interleaveBytes(taps[0], taps[1])
    let right = Level.interleaveBytes(taps[2], taps[3])
    let low = Level.interleaveWords(left.low, right.low)
    let high = Level.interleaveWords(left.high, right.high)
    return [low.low, low.high, high.low, high.high]
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(
    _ sums: InlineArray<outputs, Quad>, to output: UnsafeMutableRawPointer
  ) {
    for o in 0..<outputs {
      for v in 0..<4 {
        let offset = (o &* 4 &+ v) &* Level.byteCount
        unsafe output.storeBytes(of: sums[o][v], toByteOffset: offset, as: Level.Vector.self)
      }
    }
  }
}

/// The sums of a part in `flat` order, two pixels at a time where `pairs`.
@_alwaysEmitIntoClient
@inline(__always)
package func byteDepthwise<Level: ByteInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, pairs: Bool, _ level: Level.Type
) {
  var sums = unsafe part.sums
  var pixel = unsafe part.first
  let end = unsafe pixel &+ part.count
  let isWhole = unsafe part.channel &+ Level.byteCount <= task.channelCount
  if !isWhole {
    while pixel < end {
      unsafe ByteDepthwiseTile<Level, 1>.run(
        task, part, first: pixel, sums: sums, isWhole: false)
      unsafe sums += 4 &* Level.byteCount
      pixel &+= 1
    }
  }
  while pairs && pixel &+ 2 <= end {
    unsafe ByteDepthwiseTile<Level, 2>.run(task, part, first: pixel, sums: sums, isWhole: true)
    unsafe sums += 8 &* Level.byteCount
    pixel &+= 2
  }
  while pixel < end {
    unsafe ByteDepthwiseTile<Level, 1>.run(task, part, first: pixel, sums: sums, isWhole: true)
    unsafe sums += 4 &* Level.byteCount
    pixel &+= 1
  }
}

extension ByteDepthwiseTask {
  /// What makes bytes activations as the level multiplies them.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func flip<Level: ByteInstructions>(_: Level.Type) -> Level.Vector {
    unsafe Level.broadcast(byte: activationFlip ^ (Level.signsActivations ? 0x80 : 0))
  }
}
