// SPDX-License-Identifier: Apache-2.0

/// The filter of a 3 × 3 convolution of quantized values, transformed for tiles of 2 × 2 outputs
/// and packed for wide levels.
///
///     U = (2 G) g (2 G)ᵀ
///
/// With 2 G in place of G all elements are integers, at most nine times as large as a weight less
/// its zero point, and every result is four times the sum: so exact as long as that has 32 bits.
/// Each element of U, over all input and output channels, is a matrix. The one that adds to all
/// outputs of a tile alike has four times the biases.
package struct TransformedByteFilter: Sendable {
  private let memory: AlignedMemory
  private let panelWidth: Int
  /// Bytes of a panel of one matrix; those of the other matrices are behind it.
  package let panelByteCount: Int

  /// Matrices, line by line of U.
  package static var matrixCount: Int { 16 }
  /// The matrix with the biases.
  private static var biasMatrix: Int { 5 }
  /// What no sum may reach in magnitude.
  private static var sumLimit: Int64 { 1 << 29 }

  /// The filter of `source`, whose columns are 3 × 3 pixels of all input channels, in memory from
  /// `allocate`.
  @unsafe
  package init(
    _ source: ByteMatrixSource, _ layout: ByteGemmLayout, allocate: AlignedMemory.Allocation
  ) {
    let depth = unsafe source.depth / 9
    panelWidth = layout.panelWidth
    panelByteCount = layout.panelByteCount(depth: depth)
    let panelCount = unsafe roundedUp(source.columnCount, to: panelWidth) / panelWidth
    memory = allocate(panelCount * panelByteCount * Self.matrixCount)
    for column in unsafe 0..<source.columnCount {
      let first = column / panelWidth * panelWidth
      let half = panelWidth / 2
      let width = unsafe source.columnCount - first > half ? panelWidth : half
      unsafe pack(
        source, column, depth: depth, rowStride: width * 4, layout.pairOrder,
        to: address(first), at: column - first)
    }
  }

  /// Whether results of `source` are exact; its sums must not exceed `sumBound`.
  package static func isExact(sumBound: Int64) -> Bool { sumBound < sumLimit }

  /// The first matrix' panel that starts with `column`, a multiple of the panel width.
  @unsafe
  package func panel(from column: Int) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(address(column))
  }

  private func address(_ column: Int) -> UnsafeMutableRawPointer {
    unsafe memory.address + column / panelWidth * panelByteCount * Self.matrixCount
  }

  /// Packs the weights and the bias of an output channel, which is column `index` of its panel.
  private func pack(
    _ source: ByteMatrixSource, _ column: Int, depth: Int, rowStride: Int,
    _ order: WordPairOrder, to panel: UnsafeMutableRawPointer, at index: Int
  ) {
    if let bias = unsafe source.bias {
      unsafe panel.storeBytes(
        of: 4 &* bias[column], toByteOffset: Self.biasMatrix * panelByteCount + index * 4,
        as: Int32.self)
    }
    let words = (0...1).map { order.offset(ofWord: $0, column: index) }
    for channel in 0..<depth {
      // Lines by columns, first along each line.
      let lines = InlineArray<3, InlineArray<4, Int32>> { line in
        Self.transform(
          InlineArray { index in
            unsafe source.value((line &* 3 &+ index) &* depth &+ channel, column)
              &- source.zeroPoint
          })
      }
      var target = unsafe panel + ((1 + channel / 2) * rowStride + words[channel % 2])
      let columns = InlineArray<4, InlineArray<4, Int32>> { index in
        Self.transform(InlineArray { line in lines[line][index] })
      }
      for line in 0..<4 {
        for index in 0..<4 {
          unsafe target.storeBytes(
            of: Int16(truncatingIfNeeded: columns[index][line]), as: Int16.self)
          unsafe target += panelByteCount
        }
      }
    }
  }

  /// 2 G g.
  @inline(__always)
  private static func transform(_ g: InlineArray<3, Int32>) -> InlineArray<4, Int32> {
    let outer = g[0] &+ g[2]
    return [2 &* g[0], outer &+ g[1], outer &- g[1], 2 &* g[2]]
  }
}
