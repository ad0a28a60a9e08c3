// SPDX-License-Identifier: Apache-2.0

/// The scales of a tensor whose rows are quantized in blocks; zero points are 0.
package struct BlockScales: Sendable, Hashable {
  /// One scale for each block, row by row.
  package let scales: [Float]
  /// Elements of a block.
  package let blockLength: Int

  /// These scales of blocks of `blockLength` elements.
  package init(_ scales: [Float], blockLength: Int) {
    self.scales = scales
    self.blockLength = blockLength
  }
}
