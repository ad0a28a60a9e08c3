// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// One worker's scratch memory for a convolution by minimal filtering.
@unsafe
struct WinogradMemory {
  /// Pointers to the pixels of a tile.
  let pixels: UnsafeMutablePointer<UnsafeRawPointer>
  /// Pointers to the transformed tiles, matrix by matrix.
  let rows: UnsafePointer<UnsafePointer<Float>>
  /// The transformed tiles.
  let inputs: UnsafeMutableRawPointer
  /// The sums of some channels.
  let sums: UnsafeMutableRawPointer
  /// Memory of the number format.
  let spare: UnsafeMutableRawPointer

  /// Runs `body` with memory for any of `blocks`.
  static func use(
    _ blocks: WinogradBlocks, _ size: WinogradTileSize, _ layout: WinogradLayout,
    _ body: (WinogradMemory) -> Void
  ) {
    let pointerCount = size.matrixCount * (blocks.tileStep + 1)
    let pointerByteCount = roundedUp(pointerCount * 8, to: AlignedMemory.alignment)
    unsafe ScratchMemory.use(
      pointerByteCount + blocks.inputByteCount + blocks.sumByteCount + layout.spareByteCount
    ) { base in
      let inputs = unsafe base + pointerByteCount
      let pixels = unsafe base.assumingMemoryBound(to: UnsafeRawPointer.self)
      let rows = unsafe pixels + size.matrixCount
      for matrix in 0..<size.matrixCount {
        unsafe fill(
          rows + matrix * blocks.tileStep, count: blocks.tileStep,
          from: inputs + matrix * blocks.inputMatrixStride, step: blocks.inputStride)
      }
      unsafe body(
        WinogradMemory(
          pixels: pixels,
          rows: UnsafeRawPointer(rows).assumingMemoryBound(to: UnsafePointer<Float>.self),
          inputs: inputs, sums: inputs + blocks.inputByteCount,
          spare: inputs + (blocks.inputByteCount + blocks.sumByteCount)))
    }
  }
}
