// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Output pixels whose sums are held at a time.
  private static let blockCount = 16

  /// Bytes of scratch memory that a depthwise run needs.
  package var depthwiseScratchByteCount: Int {
    // Four bytes of sums and one of quantized values per pixel and channel of the widest tile.
    depthwiseTiles[0].width * Self.blockCount * 5
  }

  /// The tile for the channels that are left: the widest as long as it fits, then the narrowest
  /// that holds the rest.
  package func depthwiseTile(remaining: Int) -> ByteDepthwiseKernels {
    depthwiseTiles[depthwiseTileIndex(remaining: remaining)]
  }

  /// Lanes that are computed for so many channels.
  package func depthwiseLanes(channelCount: Int) -> Int {
    var lanes = 0
    while lanes < channelCount { lanes += depthwiseTile(remaining: channelCount - lanes).width }
    return lanes
  }

  private func depthwiseTileIndex(remaining: Int) -> Int {
    var best = 0
    for index in depthwiseTiles.indices.dropFirst() where depthwiseTiles[index].width >= remaining {
      best = index
    }
    return best
  }

  /// Computes a run of output pixels of a depthwise convolution.
  @unsafe
  package func depthwise(_ task: ByteDepthwiseTask) {
    let window = unsafe task.window
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: window.tapCount) { offsets in
      guard let base = offsets.baseAddress else { return }
      unsafe window.fill(base)
      var first = 0
      while unsafe first < task.outputCount {
        let count = unsafe min(task.outputCount &- first, Self.blockCount)
        unsafe depthwise(task, offsets: base, first: first, count: count)
        first &+= count
      }
    }
  }

  /// All channels of `count` pixels from `first` on.
  private func depthwise(
    _ task: ByteDepthwiseTask, offsets: UnsafePointer<Int>, first: Int, count: Int
  ) {
    let quadCount = unsafe task.order.quadCount(task.window)
    var part = unsafe ByteDepthwisePart(
      offsets: offsets, first: first, count: count, channel: 0, panel: task.weights,
      sums: task.scratch)
    while unsafe part.channel < task.channelCount {
      // A copy of the tile would count references to its functions, which threads share.
      let index = unsafe depthwiseTileIndex(remaining: task.channelCount &- part.channel)
      if unsafe task.order == .columns, let columnSums = unsafe depthwiseTiles[index].columnSums {
        unsafe columnSums(task, part)
      } else {
        unsafe depthwiseTiles[index].sums(task, part)
      }
      unsafe finish(task, part, tileIndex: index)
      unsafe part.panel += depthwiseTiles[index].panelByteCount(quadCount: quadCount)
      unsafe part.channel &+= depthwiseTiles[index].width
    }
  }

  /// Turns a part's sums into output.
  private func finish(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, tileIndex: Int) {
    let width = depthwiseTiles[tileIndex].width
    // Every tile before the last is whole, so positions and channels start alike.
    let column = unsafe part.channel
    let channels = unsafe min(task.channelCount &- part.channel, width)
    let pitch = unsafe task.outputStride
    let output = unsafe task.output + part.first &* pitch
    switch unsafe task.finish.form {
    case .fast:
      let values = unsafe part.sums + width &* 4 &* Self.blockCount
      unsafe depthwiseTiles[tileIndex].scale(
        ByteScaleTask(
          finish: task.finish, column: column, sums: part.sums, values: values,
          quadCount: part.count, order: .fourInterleaved))
      unsafe copyTile(
        values, width: width, to: output + part.channel, stride: pitch, rows: part.count,
        columns: channels)
      unsafe task.finish.exceptions.forEach(in: column..<column &+ width) {
        position, column, factor in
        for pixel in unsafe 0..<part.count {
          unsafe task.finish.finishException(
            factor, part.sums + (pixel &* width &+ position) &* 4,
            to: output + (pixel &* pitch &+ column))
        }
      }
    case .exact, .real:
      for pixel in unsafe 0..<part.count {
        for channel in 0..<channels {
          let position = interleavedPosition(of: channel, width: width)
          unsafe finishExactly(
            task.finish, part.sums + (pixel &* width &+ position) &* 4, count: 1,
            firstColumn: column &+ position,
            to: output + (pixel &* pitch &+ part.channel &+ channel))
        }
      }
    case .sums:
      for pixel in unsafe 0..<part.count {
        // Four neighboring channels are neighbors in the tile as well.
        for channel in stride(from: 0, to: channels, by: 4) {
          let position = interleavedPosition(of: channel, width: width)
          unsafe (output + (pixel &* pitch &+ (part.channel &+ channel) &* 4)).copyMemory(
            from: part.sums + (pixel &* width &+ position) &* 4,
            byteCount: min(channels &- channel, 4) &* 4)
        }
      }
    }
  }
}

/// Where a depthwise tile holds the sum of a channel, among its `width` sums.
///
/// Interleaving works within 128-bit lanes: of each lane's 16 channels, vector `v` of the tile's
/// four gets those from `4v` to `4v + 3`.
package func interleavedPosition(of channel: Int, width: Int) -> Int {
  let lanes = width / 4
  return channel / 4 % 4 * lanes + channel / 16 * 4 + channel % 4
}

extension ByteTapOrder {
  /// Groups of four taps.
  func quadCount(_ window: DepthwiseWindow) -> Int {
    unsafe self == .columns ? window.columnCount : (window.tapCount &+ 3) / 4
  }
}
