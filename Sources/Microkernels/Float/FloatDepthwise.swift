// SPDX-License-Identifier: Apache-2.0

/// All channels of `outputs` pixels from `first` on: two vectors at a time, then the rest.
@_alwaysEmitIntoClient
@inline(__always)
package func floatDepthwise<Level: FloatInstructions, let outputs: Int>(
  _ part: FloatDepthwisePart, first: Int, _ tile: FloatDepthwiseTile<Level, outputs, 1>.Type
) {
  let panelByteCount = unsafe (part.run.window.tapCount &+ 1) &* Level.byteCount
  var panel = unsafe part.run.weights
  var channel = 0
  while unsafe channel &+ 2 &* Level.laneCount <= part.run.channelCount {
    unsafe FloatDepthwiseTile<Level, outputs, 2>.run(
      part, first: first, channel: channel, panel: panel)
    unsafe panel += 2 &* panelByteCount
    channel &+= 2 &* Level.laneCount
  }
  if unsafe channel &+ Level.laneCount <= part.run.channelCount {
    unsafe tile.run(part, first: first, channel: channel, panel: panel)
    unsafe panel += panelByteCount
    channel &+= Level.laneCount
  }
  if unsafe channel < part.run.channelCount {
    unsafe tile.runPrefix(part, first: first, channel: channel, panel: panel)
  }
}

/// A part of a depthwise convolution with any window: four pixels at a time, of which the last are
/// computed again rather than one by one; fewer than four are.
@_alwaysEmitIntoClient
@inline(__always)
package func floatDepthwise<Level: FloatInstructions>(
  _ part: FloatDepthwisePart, _ level: Level.Type
) {
  var first = unsafe part.first
  let end = unsafe first &+ part.count
  if unsafe part.count >= 4 {
    while first < end {
      unsafe floatDepthwise(
        part, first: min(first, end &- 4), FloatDepthwiseTile<Level, 4, 1>.self)
      first &+= 4
    }
  } else {
    while first < end {
      unsafe floatDepthwise(part, first: first, FloatDepthwiseTile<Level, 1, 1>.self)
      first &+= 1
    }
  }
}

/// A part of a depthwise convolution whose window shares columns: four pixels or more, of which the
/// last are computed again rather than one by one.
///
/// With `pairs`, two vectors of channels go together, for which 16 registers do not suffice.
@_alwaysEmitIntoClient
@inline(__always)
package func floatDepthwise<
  Level: FloatInstructions, let width: Int, let step: Int, let count: Int
>(
  _ part: FloatDepthwisePart, _ shape: SharedColumns<width, step, count>.Type, pairs: Bool,
  _ level: Level.Type
) {
  let task = unsafe part.run
  let panelByteCount = unsafe (task.window.tapCount &+ 1) &* Level.byteCount
  let last = unsafe part.first &+ part.count &- 4
  for start in unsafe stride(from: part.first, to: part.first &+ part.count, by: 4) {
    let first = min(start, last)
    var panel = unsafe task.weights
    var channel = 0
    while unsafe pairs && channel &+ 2 &* Level.laneCount <= task.channelCount {
      unsafe FloatDepthwiseTile<Level, 4, 2>.runShared(
        task, first: first, channel: channel, panel: panel, shape)
      unsafe panel += 2 &* panelByteCount
      channel &+= 2 &* Level.laneCount
    }
    while unsafe channel &+ Level.laneCount <= task.channelCount {
      unsafe FloatDepthwiseTile<Level, 4, 1>.runShared(
        task, first: first, channel: channel, panel: panel, shape)
      unsafe panel += panelByteCount
      channel &+= Level.laneCount
    }
    if unsafe channel < task.channelCount {
      unsafe FloatDepthwiseTile<Level, 4, 1>.runPrefix(
        part, first: first, channel: channel, panel: panel)
    }
  }
}
