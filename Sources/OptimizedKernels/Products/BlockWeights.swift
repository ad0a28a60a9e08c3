// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// The weights of a worker's blocks of a product, which are widened first where they are compact
/// and a block has several rows.
@unsafe
struct BlockWeights {
  private let memory: UnsafeMutableRawPointer
  /// What the memory holds.
  private var widened: (group: Int, columns: Range<Int>)?

  /// Weights with `byteCount` bytes of memory, aligned to a vector.
  init(memory: UnsafeMutableRawPointer) {
    unsafe self.memory = memory
  }

  /// Bytes of memory for blocks of products with `matrices`.
  static func byteCount(_ matrices: [PackedByteMatrix], _ blocks: ProductBlocks) -> Int {
    let isCompact = matrices.contains { $0.form == .compact }
    return isCompact && blocks.rowStep > 1 ? blocks.weightByteCount : 0
  }

  /// The panels of a block's columns; blocks of the same columns, without groups, follow each other.
  mutating func panels(
    of matrix: PackedByteMatrix, group: Int = 0, _ columns: Range<Int>, rowCount: Int,
    _ kernels: ByteMicrokernels
  ) -> BytePanels {
    guard matrix.form == .compact, rowCount > 1 else {
      return unsafe matrix.panels(from: columns.lowerBound)
    }
    if unsafe widened.map({ $0 != (group, columns) }) ?? true {
      unsafe kernels.widen(matrix, columns, to: memory)
      unsafe widened = (group, columns)
    }
    return unsafe BytePanels(words: memory)
  }
}
