// SPDX-License-Identifier: Apache-2.0

/// A depthwise convolution to a single pixel, as the latest frames of a series have it, as far as it
/// is the same in every run.
///
/// An object, since a structure of so many parts would be copied in each run.
@safe
package final class ByteSinglePixel: Sendable {
  /// The channels of one tile.
  @unsafe
  fileprivate struct Tile {
    let part: ByteDepthwisePart
    let index: Int
  }

  /// Bytes of scratch memory that a run needs.
  package let scratchByteCount: Int
  fileprivate nonisolated(unsafe) let task: ByteDepthwiseTask
  fileprivate nonisolated(unsafe) let tiles: UnsafeMutableBufferPointer<Tile>
  /// Where the window's rows begin, and where each tap is.
  private let (rowOffsets, offsets): (AlignedMemory, AlignedMemory)

  fileprivate init(_ task: ByteDepthwiseTask, _ kernels: ByteMicrokernels) {
    var task = unsafe task
    let rowCount = unsafe task.window.rowCount
    let stride = MemoryLayout<Int>.stride
    rowOffsets = AlignedMemory(uninitialized: rowCount * stride)
    let rows = unsafe rowOffsets.address.assumingMemoryBound(to: Int.self)
    unsafe rows.initialize(from: task.window.rowOffsets, count: rowCount)
    unsafe task.window.rowOffsets = UnsafePointer(rows)
    let offsetCount = unsafe task.window.offsetCount(kernels)
    offsets = AlignedMemory(uninitialized: offsetCount * stride)
    let taps = unsafe offsets.address.assumingMemoryBound(to: Int.self)
    unsafe task.window.fill(taps, count: offsetCount)
    unsafe self.task = task
    let first = unsafe ByteDepthwisePart(
      offsets: taps, first: 0, count: 1, channel: 0, position: 0, panel: task.weights,
      sums: task.scratch, line: task.scratch, isScaled: false)
    var tiles: [Tile] = unsafe []
    unsafe kernels.forEachTile(of: task, first) { unsafe tiles.append(Tile(part: $0, index: $1)) }
    unsafe self.tiles = .allocate(capacity: tiles.count)
    _ = unsafe self.tiles.initialize(from: tiles)
    // Sums are read, and quantized values written, by up to two pixels.
    scratchByteCount =
      unsafe task.order == .columns
      ? kernels.depthwiseScratchByteCount : 2 * 4 * kernels.depthwiseTiles[0].width
  }

  deinit { unsafe tiles.deallocate() }
}

extension ByteMicrokernels {
  /// The convolution of `task` as a single pixel; nil where it has several.
  ///
  /// Where the pixels, the output and the scratch memory are does not matter.
  @unsafe
  package func singlePixel(_ task: ByteDepthwiseTask) -> ByteSinglePixel? {
    guard unsafe task.outputCount == 1 else { return nil }
    return unsafe ByteSinglePixel(task, self)
  }

  /// Computes a single pixel: `depthwise` without what is the same in every run.
  @unsafe
  package func depthwise(
    _ pixel: ByteSinglePixel, _ pixels: UnsafePointer<UnsafeRawPointer>,
    to output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) {
    var task = unsafe pixel.task
    unsafe (task.pixels, task.output, task.scratch) = (pixels, output, scratch)
    for index in unsafe pixel.tiles.indices {
      let tile = unsafe pixel.tiles[index]
      var part = unsafe tile.part
      unsafe (part.sums, part.line) = (scratch, scratch + sumsByteCount)
      unsafe compute(task, part, tileIndex: tile.index)
    }
  }
}
