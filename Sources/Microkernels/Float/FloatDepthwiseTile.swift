// SPDX-License-Identifier: Apache-2.0

/// `outputs` neighbouring output pixels by one vector of channels.
@usableFromInline
package enum FloatDepthwiseTile<Level: FloatInstructions, let outputs: Int> {
  /// Computes the channels from `channel` on, whose bias and weights are in `panel`, for the
  /// pixels from `first` on.
  @inlinable
  @inline(__always)
  package static func run(
    _ task: FloatDepthwiseTask, first: Int, channel: Int, panel: UnsafeRawPointer
  ) {
    let bias = unsafe panel.loadUnaligned(as: Level.Vector.self)
    var sums = InlineArray<outputs, Level.Vector> { _ in bias }
    var weights = unsafe panel + Level.byteCount
    let pixels = unsafe task.pixels + first &* task.step
    let step = unsafe task.step
    let lanes = unsafe task.channelCount &- channel
    var tap = 0
    if lanes >= Level.laneCount {
      while unsafe tap < task.tapCount {
        let right = unsafe weights.loadUnaligned(as: Level.Vector.self)
        unsafe weights += Level.byteCount
        let window = unsafe pixels + task.offsets[tap]
        for o in 0..<outputs {
          let pixel = unsafe UnsafeRawPointer(window[o &* step] + channel)
          let left = unsafe pixel.loadUnaligned(as: Level.Vector.self)
          sums[o] = Level.multiplyAdd(sums[o], left, right)
        }
        tap &+= 1
      }
    } else {
      while unsafe tap < task.tapCount {
        let right = unsafe weights.loadUnaligned(as: Level.Vector.self)
        unsafe weights += Level.byteCount
        let window = unsafe pixels + task.offsets[tap]
        for o in 0..<outputs {
          let pixel = unsafe UnsafeRawPointer(window[o &* step] + channel)
          let left = unsafe Level.loadPrefix(pixel, count: lanes)
          sums[o] = Level.multiplyAdd(sums[o], left, right)
        }
        tap &+= 1
      }
    }
    unsafe store(sums, task, first: first, channel: channel)
  }

  @inlinable
  @inline(__always)
  package static func store(
    _ sums: InlineArray<outputs, Level.Vector>, _ task: FloatDepthwiseTask, first: Int,
    channel: Int
  ) {
    let lowest = unsafe Level.broadcast(task.lowest)
    let highest = unsafe Level.broadcast(task.highest)
    let lanes = unsafe task.channelCount &- channel
    var output = unsafe UnsafeMutableRawPointer(
      task.output + (first &* task.outputStride &+ channel))
    for o in 0..<outputs {
      let value = Level.clamp(sums[o], lowest, highest)
      if lanes >= Level.laneCount {
        unsafe output.storeBytes(of: value, as: Level.Vector.self)
      } else {
        unsafe Level.storePrefix(value, to: output, count: lanes)
      }
      unsafe output += task.outputStride &* 4
    }
  }
}

/// A run of a float depthwise convolution, four pixels at a time.
@inlinable
@inline(__always)
package func floatDepthwise<Level: FloatInstructions>(
  _ task: FloatDepthwiseTask, _ level: Level.Type
) {
  let byteCount = unsafe (task.tapCount &+ 1) &* Level.byteCount
  var first = 0
  while unsafe first < task.outputCount {
    let isWhole = unsafe first &+ 4 <= task.outputCount
    var panel = unsafe task.weights
    var channel = 0
    while unsafe channel < task.channelCount {
      if isWhole {
        unsafe FloatDepthwiseTile<Level, 4>.run(
          task, first: first, channel: channel, panel: panel)
      } else {
        unsafe FloatDepthwiseTile<Level, 1>.run(
          task, first: first, channel: channel, panel: panel)
      }
      unsafe panel += byteCount
      channel &+= Level.laneCount
    }
    first &+= isWhole ? 4 : 1
  }
}
