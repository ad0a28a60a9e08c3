// SPDX-License-Identifier: Apache-2.0

/// `outputs` neighbouring output pixels by `vectors` vectors of channels.
@usableFromInline
package enum FloatDepthwiseTile<Level: FloatInstructions, let outputs: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>
  @usableFromInline package typealias Sums = InlineArray<outputs, Row>

  /// Computes whole vectors of channels, from `channel` on, whose biases and weights are in
  /// `panel`, for the pixels from `first` on.
  @inlinable
  @inline(__always)
  package static func run(
    _ task: FloatDepthwiseTask, first: Int, channel: Int, panel: UnsafeRawPointer
  ) {
    let panelByteCount = unsafe (task.tapCount &+ 1) &* Level.byteCount
    let bias = unsafe load(panel, step: panelByteCount)
    var sums = Sums { _ in bias }
    var weights = unsafe panel + Level.byteCount
    let pixels = unsafe task.pixels + first &* task.step
    let step = unsafe task.step
    var tap = 0
    while unsafe tap < task.tapCount {
      let right = unsafe load(weights, step: panelByteCount)
      unsafe weights += Level.byteCount
      let window = unsafe pixels + task.offsets[tap]
      for o in 0..<outputs {
        let left = unsafe load(
          UnsafeRawPointer(window[o &* step] + channel), step: Level.byteCount)
        for v in 0..<vectors { sums[o][v] = Level.multiplyAdd(sums[o][v], left[v], right[v]) }
      }
      tap &+= 1
    }
    unsafe clamp(&sums, task)
    var output = unsafe UnsafeMutableRawPointer(
      task.output + (first &* task.outputStride &+ channel))
    for o in 0..<outputs {
      for v in 0..<vectors {
        unsafe output.storeBytes(
          of: sums[o][v], toByteOffset: v &* Level.byteCount, as: Level.Vector.self)
      }
      unsafe output += task.outputStride &* 4
    }
  }

  @inlinable
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer, step: Int) -> Row {
    Row { unsafe pointer.loadUnaligned(fromByteOffset: $0 &* step, as: Level.Vector.self) }
  }

  @inlinable
  @inline(__always)
  package static func clamp(_ sums: inout Sums, _ task: FloatDepthwiseTask) {
    let lowest = unsafe Level.broadcast(task.lowest)
    let highest = unsafe Level.broadcast(task.highest)
    for o in 0..<outputs {
      for v in 0..<vectors { sums[o][v] = Level.clamp(sums[o][v], lowest, highest) }
    }
  }
}

extension FloatDepthwiseTile where vectors == 1 {
  /// `run` for the channels that fill a vector only partly.
  @inlinable
  @inline(__always)
  package static func runPrefix(
    _ task: FloatDepthwiseTask, first: Int, channel: Int, panel: UnsafeRawPointer
  ) {
    let bias = unsafe load(panel, step: 0)
    var sums = Sums { _ in bias }
    let pixels = unsafe task.pixels + first &* task.step
    let step = unsafe task.step
    let lanes = unsafe task.channelCount &- channel
    var tap = 0
    while unsafe tap < task.tapCount {
      let right = unsafe load(panel + (tap &+ 1) &* Level.byteCount, step: 0)
      let window = unsafe pixels + task.offsets[tap]
      for o in 0..<outputs {
        let left = unsafe Level.loadPrefix(
          UnsafeRawPointer(window[o &* step] + channel), count: lanes)
        sums[o][0] = Level.multiplyAdd(sums[o][0], left, right[0])
      }
      tap &+= 1
    }
    unsafe clamp(&sums, task)
    for o in 0..<outputs {
      let output = unsafe task.output + ((first &+ o) &* task.outputStride &+ channel)
      unsafe Level.storePrefix(sums[o][0], to: UnsafeMutableRawPointer(output), count: lanes)
    }
  }
}

/// All channels of `outputs` pixels from `first` on: two vectors at a time, then the rest.
@inlinable
@inline(__always)
package func floatDepthwise<Level: FloatInstructions, let outputs: Int>(
  _ task: FloatDepthwiseTask, first: Int, _ tile: FloatDepthwiseTile<Level, outputs, 1>.Type
) {
  let panelByteCount = unsafe (task.tapCount &+ 1) &* Level.byteCount
  var panel = unsafe task.weights
  var channel = 0
  while unsafe channel &+ 2 &* Level.laneCount <= task.channelCount {
    unsafe FloatDepthwiseTile<Level, outputs, 2>.run(
      task, first: first, channel: channel, panel: panel)
    unsafe panel += 2 &* panelByteCount
    channel &+= 2 &* Level.laneCount
  }
  if unsafe channel &+ Level.laneCount <= task.channelCount {
    unsafe tile.run(task, first: first, channel: channel, panel: panel)
    unsafe panel += panelByteCount
    channel &+= Level.laneCount
  }
  if unsafe channel < task.channelCount {
    unsafe tile.runPrefix(task, first: first, channel: channel, panel: panel)
  }
}

/// A run of a float depthwise convolution, four pixels at a time.
@inlinable
@inline(__always)
package func floatDepthwise<Level: FloatInstructions>(
  _ task: FloatDepthwiseTask, _ level: Level.Type
) {
  var first = 0
  while unsafe first &+ 4 <= task.outputCount {
    unsafe floatDepthwise(task, first: first, FloatDepthwiseTile<Level, 4, 1>.self)
    first &+= 4
  }
  while unsafe first < task.outputCount {
    unsafe floatDepthwise(task, first: first, FloatDepthwiseTile<Level, 1, 1>.self)
    first &+= 1
  }
}
