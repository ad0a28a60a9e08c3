// SPDX-License-Identifier: Apache-2.0

import Microkernels

extension TransposedWindows {
  /// A part's line whose windows have been located.
  @unsafe
  struct LocatedLine {
    /// The part.
    let part: Int
    /// The image.
    let image: Int
    /// Where the line starts, in output pixels.
    let firstPixel: Int
    /// The first tap's pointer of the line's first window.
    let pointers: UnsafePointer<UnsafeRawPointer>
    /// Pointers from one tap to the next.
    let pitch: Int
    /// The microkernel's memory.
    let scratch: UnsafeMutableRawPointer
  }

  /// Calls `body` for each line of the blocks that `next` names.
  ///
  /// `input` is the first byte of the activations, `padding` as many as any tap has; microkernels
  /// ask for `tileByteCount` bytes of memory for sums of `depth` bytes.
  func forEachLine(
    _ input: UnsafeRawPointer, padding: AlignedMemory, workerCount: Int, next: () -> Int?,
    tileByteCount: (_ depth: Int) -> Int, _ body: (LocatedLine) -> Void
  ) {
    let blocks = blocks(workerCount: workerCount)
    unsafe memory(blocks, tileByteCount: tileByteCount).use { memory in
      while let index = next() {
        let block = blocks[index]
        let part = parts[block.part]
        let pixels = block.lines.lowerBound * part.columnCount
        let count = block.lines.count * part.columnCount
        unsafe part.rows.locate(
          pixels..<pixels + count, input: input, padding: UnsafeRawPointer(padding.address),
          pointers: memory.pointers, spill: memory.spill)
        for line in block.lines {
          let first = (line - block.lines.lowerBound) * part.columnCount
          unsafe body(
            LocatedLine(
              part: block.part, image: line / part.lineCount,
              firstPixel: firstPixel(line, of: part), pointers: memory.pointers + first,
              pitch: count, scratch: memory.tile))
        }
      }
    }
  }
}
