// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// How a number format lays out transformed tiles and their sums.
struct WinogradLayout {
  /// Columns of a panel of weights.
  let panelWidth: Int
  /// Rows of a register tile.
  let tileRows: Int
  /// Output channels that are multiplied and transformed at a time.
  let channelStep: Int
  /// Bytes of a block's transformed tiles and sums.
  let memoryLimit: Int
  /// Bytes from a transformed tile to the next.
  let inputStride: Int
  /// Bytes that the format needs besides.
  let spareByteCount: Int
  /// Bytes from the sums of a tile to those of the next, of so many columns.
  let sumStride: (_ width: Int) -> Int
}

extension WinogradLayout {
  /// Tiles of floats with `depth` channels.
  init(_ layout: FloatGemmLayout, depth: Int) {
    panelWidth = layout.panelWidth
    tileRows = layout.tileRows
    channelStep = 64
    memoryLimit = 320 * 1024
    inputStride = layout.rowStride(depth)
    spareByteCount = 0
    sumStride = layout.rowStride
  }

  /// Tiles of 16-bit words with `depth` channels, whose sums become quantized values.
  init(_ layout: ByteGemmLayout, depth: Int) {
    panelWidth = layout.panelWidth
    tileRows = layout.tileRows
    channelStep = layout.panelWidth
    memoryLimit = 320 * 1024
    inputStride = layout.rowStride(depth)
    spareByteCount = 2 * layout.winogradLineByteCount
    sumStride = { $0 * 4 }
  }
}
