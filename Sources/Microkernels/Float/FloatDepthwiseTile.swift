// SPDX-License-Identifier: Apache-2.0

/// `outputs` neighboring output pixels by `vectors` vectors of channels.
@usableFromInline
package enum FloatDepthwiseTile<Level: FloatInstructions, let outputs: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>
  @usableFromInline package typealias Sums = InlineArray<outputs, Row>

  /// Computes whole vectors of channels, from `channel` on, whose biases and weights are in
  /// `panel`, for the pixels from `first` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(
    _ part: FloatDepthwisePart, first: Int, channel: Int, panel: UnsafeRawPointer
  ) {
    let task = unsafe part.run
    let tapCount = unsafe task.window.tapCount
    let panelByteCount = (tapCount &+ 1) &* Level.byteCount
    let bias = unsafe load(panel, step: panelByteCount)
    var sums = Sums { _ in bias }
    var weights = unsafe panel + Level.byteCount
    let step = unsafe task.window.step
    let pixels = unsafe task.pixels + first &* step
    var tap = 0
    while tap < tapCount {
      let right = unsafe load(weights, step: panelByteCount)
      unsafe weights += Level.byteCount
      let window = unsafe pixels + part.offsets[tap]
      for o in 0..<outputs {
        let pixel = unsafe UnsafeRawPointer(window[o &* step] + channel)
        let left = unsafe load(pixel, step: Level.byteCount)
        for v in 0..<vectors { sums[o][v] = Level.multiplyAdd(sums[o][v], left[v], right[v]) }
      }
      tap &+= 1
    }
    unsafe store(&sums, task, first: first, channel: channel)
  }

  /// `run` for windows of `width` neighboring columns and a stride of `step`: pixels that lie
  /// under the window of several outputs are read once.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runShared<let width: Int, let step: Int, let count: Int>(
    _ task: FloatDepthwiseTask, first: Int, channel: Int, panel: UnsafeRawPointer,
    _ shape: SharedColumns<width, step, count>.Type
  ) {
    let window = unsafe task.window
    let panelByteCount = unsafe (window.tapCount &+ 1) &* Level.byteCount
    let bias = unsafe load(panel, step: panelByteCount)
    var sums = Sums { _ in bias }
    var weights = unsafe panel + Level.byteCount
    var row = 0
    while unsafe row < window.rowCount {
      let pixels = unsafe task.pixels + (window.rowOffsets[row] &+ first &* step)
      for v in 0..<vectors {
        let offset = channel &+ v &* Level.laneCount
        let columns = InlineArray<count, Level.Vector> { column in
          unsafe UnsafeRawPointer(pixels[column] + offset).loadUnaligned(as: Level.Vector.self)
        }
        for j in 0..<width {
          let right = unsafe (weights + (v &* panelByteCount &+ j &* Level.byteCount))
            .loadUnaligned(as: Level.Vector.self)
          for o in 0..<outputs {
            sums[o][v] = Level.multiplyAdd(sums[o][v], columns[o &* step &+ j], right)
          }
        }
      }
      unsafe weights += width &* Level.byteCount
      row &+= 1
    }
    unsafe store(&sums, task, first: first, channel: channel)
  }

  /// Limits the sums and writes them to the output.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(
    _ sums: inout Sums, _ task: FloatDepthwiseTask, first: Int, channel: Int
  ) {
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

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer, step: Int) -> Row {
    Row { unsafe pointer.loadUnaligned(fromByteOffset: $0 &* step, as: Level.Vector.self) }
  }

  @_alwaysEmitIntoClient
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
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runPrefix(
    _ part: FloatDepthwisePart, first: Int, channel: Int, panel: UnsafeRawPointer
  ) {
    let task = unsafe part.run
    let bias = unsafe load(panel, step: 0)
    var sums = Sums { _ in bias }
    let step = unsafe task.window.step
    let pixels = unsafe task.pixels + first &* step
    let lanes = unsafe task.channelCount &- channel
    for tap in unsafe 0..<task.window.tapCount {
      let right = unsafe load(panel + (tap &+ 1) &* Level.byteCount, step: 0)
      let window = unsafe pixels + part.offsets[tap]
      for o in 0..<outputs {
        let pixel = unsafe UnsafeRawPointer(window[o &* step] + channel)
        let left = unsafe Level.loadPrefix(pixel, count: lanes)
        sums[o][0] = Level.multiplyAdd(sums[o][0], left, right[0])
      }
    }
    unsafe clamp(&sums, task)
    for o in 0..<outputs {
      let output = unsafe task.output + ((first &+ o) &* task.outputStride &+ channel)
      unsafe Level.storePrefix(sums[o][0], to: UnsafeMutableRawPointer(output), count: lanes)
    }
  }
}
