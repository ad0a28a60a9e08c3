// SPDX-License-Identifier: Apache-2.0

/// The rows of a product whose pointers a worker's memory has: those of one group, and of the next when
/// all pointers have moved by as much as groups are apart.
struct LocatedRows {
  private var located: (rows: Range<Int>, group: Int)?

  /// Writes the pointers to some of `rows` of a group to memory that no one else writes.
  ///
  /// `input` is the first byte of the left operand; `padding` has the bytes of a tap for each group.
  mutating func locate(
    _ range: Range<Int>, group: Int, of rows: ProductRows, input: UnsafeRawPointer,
    padding: UnsafeRawPointer, _ parts: WorkerMemory.Parts
  ) {
    if let located, located.rows == range {
      let distance = (group - located.group) * rows.tapByteCount
      if distance != 0 {
        for index in 0..<rows.tapCount * range.count {
          unsafe parts.pointers[index] += distance
        }
      }
    } else {
      let offset = group * rows.tapByteCount
      unsafe rows.locate(
        range, input: input + offset, padding: padding + offset, pointers: parts.pointers,
        spill: parts.spill)
    }
    located = (range, group)
  }
}
