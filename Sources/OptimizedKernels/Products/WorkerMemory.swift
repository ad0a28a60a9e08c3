// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// The parts of one worker's scratch memory for a product, each aligned to a cache line.
struct WorkerMemory: Sendable {
  /// Pointers to a block's rows.
  let pointerByteCount: Int
  /// Rows that reach into the padding.
  let spillByteCount: Int
  /// What the microkernel asks for.
  let tileByteCount: Int
  /// Weights that are widened before they are multiplied.
  let weightByteCount: Int

  /// Memory of these sizes.
  init(
    pointerByteCount: Int, spillByteCount: Int, tileByteCount: Int, weightByteCount: Int = 0
  ) {
    self.pointerByteCount = pointerByteCount
    self.spillByteCount = spillByteCount
    self.tileByteCount = tileByteCount
    self.weightByteCount = weightByteCount
  }

  /// The memory that suffices for both.
  func union(_ other: WorkerMemory) -> WorkerMemory {
    WorkerMemory(
      pointerByteCount: max(pointerByteCount, other.pointerByteCount),
      spillByteCount: max(spillByteCount, other.spillByteCount),
      tileByteCount: max(tileByteCount, other.tileByteCount),
      weightByteCount: max(weightByteCount, other.weightByteCount))
  }

  /// The memory for blocks of up to `rowStep` of these rows.
  init(_ rows: ProductRows, rowStep: Int, tileByteCount: Int, weightByteCount: Int = 0) {
    let pointers = unsafe rows.tapCount * rowStep * MemoryLayout<UnsafeRawPointer>.stride
    pointerByteCount = roundedUp(pointers, to: AlignedMemory.alignment)
    spillByteCount = roundedUp(
      rows.spillByteCount(rowCount: rowStep), to: AlignedMemory.alignment)
    self.tileByteCount = roundedUp(tileByteCount, to: AlignedMemory.alignment)
    self.weightByteCount = weightByteCount
  }

  /// Bytes of all parts.
  var byteCount: Int { pointerByteCount + spillByteCount + tileByteCount + weightByteCount }

  /// The four parts of aligned memory.
  @unsafe
  func parts(at base: UnsafeMutableRawPointer) -> Parts {
    let tileOffset = pointerByteCount + spillByteCount
    return unsafe Parts(
      pointers: base.assumingMemoryBound(to: UnsafeRawPointer.self),
      spill: base + pointerByteCount, tile: base + tileOffset,
      weights: base + (tileOffset + tileByteCount))
  }

  /// Runs `body` with the four parts.
  func use(_ body: (Parts) -> Void) {
    unsafe ScratchMemory.use(byteCount) { base in unsafe body(parts(at: base)) }
  }

  /// Where the parts start.
  @unsafe
  struct Parts {
    /// Pointers to a block's rows.
    let pointers: UnsafeMutablePointer<UnsafeRawPointer>
    /// Rows that reach into the padding.
    let spill: UnsafeMutableRawPointer
    /// The microkernel's memory.
    let tile: UnsafeMutableRawPointer
    /// The widened weights.
    let weights: UnsafeMutableRawPointer
  }
}
