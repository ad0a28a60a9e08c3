// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Output pixels whose sums are held at a time.
  private static let blockCount = 16
  /// Input pixels under a block whose sums stay in registers: as many cache lines, which the next
  /// tiles of channels share, stay in the first-level cache.
  private static let scaledBlockPixels = 192

  /// Bytes of scratch memory that a depthwise run needs.
  package var depthwiseScratchByteCount: Int {
    sumsByteCount + (depthwiseTiles[0].layout.interleavesLines ? lineByteCount : 0)
  }

  /// Four bytes of sums and one of quantized values per pixel and channel of the widest tile.
  var sumsByteCount: Int { depthwiseTiles[0].width * Self.blockCount * 5 }

  /// Bytes of the columns under a block, of windows within `ByteTapOrder.lineWindows`: two groups of
  /// taps for each.
  private var lineByteCount: Int {
    let columns = Self.scaledBlockPixels / ByteTapOrder.lineWindows.lowerBound
    return (columns + ByteTapOrder.lineWindows.upperBound) * 2 * depthwiseTiles[0].width * 4
  }

  /// The tile for the channels that are left: the widest as long as it fits, then the narrowest
  /// that holds the rest.
  package func depthwiseTile(remaining: Int) -> ByteDepthwiseKernels {
    depthwiseTiles[depthwiseTileIndex(remaining: remaining)]
  }

  /// Lanes that are computed for so many channels.
  package func depthwiseLanes(channelCount: Int) -> Int {
    var lanes = 0
    // A copy of the tile would count references to its functions, which threads share.
    while lanes < channelCount {
      lanes += depthwiseTiles[depthwiseTileIndex(remaining: channelCount - lanes)].width
    }
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
    let offsetCount = unsafe window.offsetCount(self)
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: offsetCount) { offsets in
      guard let base = offsets.baseAddress else { return }
      unsafe window.fill(base, count: offsetCount)
      let lanes = unsafe depthwiseLanes(channelCount: task.channelCount)
      let isScaled = depthwiseTiles.indices.allSatisfy {
        unsafe depthwiseTiles[$0].scalesColumns(task, 0..<lanes)
      }
      let limit = unsafe isScaled ? scaledBlockCount(task) : Self.blockCount
      var first = 0
      while unsafe first < task.outputCount {
        let count = unsafe min(task.outputCount &- first, limit)
        unsafe depthwise(task, offsets: base, first: first, count: count)
        first &+= count
      }
    }
  }

  /// Output pixels of a run that are computed at a time where their sums stay in registers.
  private func scaledBlockCount(_ task: ByteDepthwiseTask) -> Int {
    let pixelCount = unsafe task.window.rowCount &* task.window.step
    // Short runs, which a division takes as long as, are one block.
    let isWhole = unsafe task.outputCount &* pixelCount <= Self.scaledBlockPixels
    return unsafe isWhole ? task.outputCount : Self.scaledBlockPixels / pixelCount
  }

  /// All channels of `count` pixels from `first` on.
  private func depthwise(
    _ task: ByteDepthwiseTask, offsets: UnsafePointer<Int>, first: Int, count: Int
  ) {
    let part = unsafe ByteDepthwisePart(
      offsets: offsets, first: first, count: count, channel: 0, position: 0, panel: task.weights,
      sums: task.scratch, line: task.scratch + sumsByteCount, isScaled: false)
    unsafe forEachTile(of: task, part) { unsafe compute(task, $0, tileIndex: $1) }
  }

  /// Calls `body` with the parts of all channels, of which `part` is the first, and their tiles.
  @inline(__always)
  func forEachTile(
    of task: ByteDepthwiseTask, _ part: ByteDepthwisePart,
    _ body: (_ part: ByteDepthwisePart, _ tileIndex: Int) -> Void
  ) {
    let channels = unsafe task.channelCount
    var part = unsafe part
    var channel = 0
    while channel < channels {
      let index = depthwiseTileIndex(remaining: channels &- channel)
      unsafe part.channel = depthwiseTiles[index].firstChannel(from: channel, of: channels)
      let width = depthwiseTiles[index].width
      unsafe part.isScaled = depthwiseTiles[index].scalesColumns(
        task, part.position..<part.position &+ width)
      unsafe body(part, index)
      let groups = unsafe task.order.groupCount(
        rows: task.window.rowCount, columns: task.window.columnCount,
        groupTaps: depthwiseTiles[index].groupTaps)
      unsafe part.panel += depthwiseTiles[index].panelByteCount(groupCount: groups)
      channel &+= width
      unsafe part.position &+= width
    }
  }

  /// Computes a part.
  @inline(__always)
  func compute(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, tileIndex: Int) {
    if unsafe task.order == .columns {
      unsafe depthwiseTiles[tileIndex].columnSums(task, part)
    } else {
      unsafe depthwiseTiles[tileIndex].sums(task, part)
    }
    if unsafe !part.isScaled { unsafe finish(task, part, tileIndex: tileIndex) }
  }

  /// Turns a part's sums into output.
  private func finish(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, tileIndex: Int) {
    let width = depthwiseTiles[tileIndex].width
    let column = unsafe part.position
    let channels = unsafe min(task.channelCount &- part.channel, width)
    let pitch = unsafe task.outputStride
    let output = unsafe task.output + part.first &* pitch
    switch unsafe task.finish.form {
    case .fast:
      let vectors = unsafe part.count &* depthwiseTiles[tileIndex].groupTaps
      // A pixel of whole vectors goes where it belongs at once.
      let isWhole = unsafe part.count == 1 && channels == width && vectors == 4
      let target = unsafe output + part.channel
      let values = unsafe isWhole ? target : part.sums + width &* 4 &* part.count
      unsafe depthwiseTiles[tileIndex].scale(
        ByteScaleTask(
          finish: task.finish, column: column, sums: part.sums, values: values,
          quadCount: (vectors &+ 3) / 4, order: .fourInterleaved))
      if !isWhole {
        unsafe copyTile(
          values, width: width, to: target, stride: pitch, rows: part.count, columns: channels)
      }
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
          let position = depthwiseTiles[tileIndex].position(of: channel)
          unsafe finishExactly(
            task.finish, part.sums + (pixel &* width &+ position) &* 4, count: 1,
            firstColumn: column &+ position,
            to: output + (pixel &* pitch &+ part.channel &+ channel))
        }
      }
    case .sums:
      // Four neighboring channels are neighbors in the tile as well.
      for channel in stride(from: 0, to: channels, by: 4) {
        let position = depthwiseTiles[tileIndex].position(of: channel)
        unsafe copyTile(
          part.sums + position &* 4, width: width &* 4,
          to: output + (part.channel &+ channel) &* 4, stride: pitch, rows: part.count,
          columns: min(channels &- channel, 4) &* 4)
      }
    }
  }
}

/// Where a tile of interleaved pixels holds the sum of a channel, among its `width` sums.
///
/// Interleaving works within 128-bit lanes: of the channels that the tile's `vectors`, four unless
/// given, have there, vector `v` gets those from `4v` to `4v + 3`.
package func interleavedPosition(of channel: Int, width: Int, vectors: Int = 4) -> Int {
  let lanes = width / vectors
  return channel / 4 % vectors * lanes + channel / (4 * vectors) * 4 + channel % 4
}

extension ByteTapOrder {
  /// Rows and columns of windows that are interleaved in memory.
  static let lineWindows = 3...8

  /// Groups of taps that are multiplied at once.
  func groupCount(rows: Int, columns: Int, groupTaps: Int) -> Int {
    switch self {
    case .flat: (rows &* columns &+ groupTaps &- 1) / groupTaps
    case .columns where groupTaps == 4: ByteTapGroups(rows: rows, columns: columns).count
    case .columns: columns &* (rows / 2) &+ (columns &+ 1) / 2
    }
  }
}

extension DepthwiseWindow {
  /// Taps that tiles of `kernels` are given: whole groups.
  func offsetCount(_ kernels: ByteMicrokernels) -> Int {
    unsafe roundedUp(tapCount, to: kernels.depthwiseTiles[0].groupTaps)
  }

  /// Writes `count` offsets: those of all taps, then the last one again.
  ///
  /// Beyond the last tap the weights are zero, so any pixel will do.
  func fill(_ offsets: UnsafeMutablePointer<Int>, count: Int) {
    unsafe fill(offsets)
    for tap in unsafe tapCount..<count { unsafe offsets[tap] = offsets[tapCount &- 1] }
  }
}
