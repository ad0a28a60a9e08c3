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
    let order = layout.pairOrder
    panelWidth = layout.panelWidth
    panelByteCount = layout.panelByteCount(depth: depth)
    let panelCount = unsafe roundedUp(source.columnCount, to: panelWidth) / panelWidth
    memory = allocate(panelCount * panelByteCount * Self.matrixCount)
    unsafe withUnsafeTemporaryAllocation(byteCount: 9 * panelByteCount, alignment: 64) { pixels in
      guard let first = pixels.baseAddress else { return }
      for column in unsafe stride(from: 0, to: source.columnCount, by: panelWidth) {
        let columns = unsafe column..<min(column + panelWidth, source.columnCount)
        let width = layout.width(columns.count)
        unsafe pixels.initializeMemory(as: UInt8.self, repeating: 0)
        for pixel in 0..<9 {
          let part = unsafe source.part(pixel * depth..<(pixel + 1) * depth)
          let panel = unsafe BytePanel(
            part, .words, order, width: width, at: first + pixel * panelByteCount)
          unsafe part.packWeights(columns, to: panel)
        }
        unsafe transform(first, biasByteCount: width * 4, to: address(column))
        unsafe packBiases(source, columns, to: address(column))
      }
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

  /// Transforms nine pixels' panels of words, each of `panelByteCount` bytes, to those of each matrix.
  private func transform(
    _ pixels: UnsafeRawPointer, biasByteCount: Int, to target: UnsafeMutableRawPointer
  ) {
    for start in stride(from: biasByteCount, to: panelByteCount, by: 16) {
      // Lines by columns, first along each line.
      let lines = InlineArray<3, InlineArray<4, Words>> { line in
        let first = unsafe pixels + start + line &* 3 &* panelByteCount
        return Self.transform(
          unsafe first.loadUnaligned(as: Words.self),
          unsafe first.loadUnaligned(fromByteOffset: panelByteCount, as: Words.self),
          unsafe first.loadUnaligned(fromByteOffset: 2 &* panelByteCount, as: Words.self))
      }
      for column in 0..<4 {
        let elements = Self.transform(lines[0][column], lines[1][column], lines[2][column])
        for line in 0..<4 {
          unsafe target.storeBytes(
            of: elements[line], toByteOffset: start &+ (line &* 4 &+ column) &* panelByteCount,
            as: Words.self)
        }
      }
    }
  }

  /// Weights, and elements of U, of several channels.
  private typealias Words = SIMD8<Int16>

  /// 2 G g.
  @inline(__always)
  private static func transform(_ a: Words, _ b: Words, _ c: Words) -> InlineArray<4, Words> {
    let outer = a &+ c
    return [a &+ a, outer &+ b, outer &- b, c &+ c]
  }

  /// Writes the biases of a panel's columns.
  private func packBiases(
    _ source: ByteMatrixSource, _ columns: Range<Int>, to panel: UnsafeMutableRawPointer
  ) {
    guard let bias = unsafe source.bias else { return }
    let biases = unsafe panel + Self.biasMatrix * panelByteCount
    for column in columns {
      unsafe biases.storeBytes(
        of: 4 &* bias[column], toByteOffset: (column - columns.lowerBound) * 4, as: Int32.self)
    }
  }
}
