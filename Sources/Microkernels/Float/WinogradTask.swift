// SPDX-License-Identifier: Apache-2.0

/// How large the tiles of a convolution by minimal filtering are: F(m × m, 3 × 3).
@frozen
@usableFromInline
package enum WinogradTileSize: Int, Sendable, CaseIterable {
  /// 2 × 2 outputs from 4 × 4 inputs.
  case two = 2
  /// 4 × 4 outputs from 6 × 6 inputs.
  case four = 4

  /// Outputs along each axis.
  package var outputCount: Int { rawValue }
  /// Inputs along each axis.
  package var inputCount: Int { rawValue + 2 }
  /// Matrices of a product: one for each element of a transformed tile.
  package var matrixCount: Int { inputCount * inputCount }
}

/// A tile of the input to be transformed: V = Bᵀ d B, channel by channel.
@unsafe
@frozen
@usableFromInline
package struct WinogradInputTask {
  /// Pointers to the tile's pixels, line by line.
  @usableFromInline package var pixels: UnsafePointer<UnsafeRawPointer>
  /// Channels.
  @usableFromInline package var depth: Int
  /// The tile's row of the first matrix: whole vectors are written, up to a cache line's end.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one matrix to the next.
  @usableFromInline package var matrixStride: Int

  /// A task of these parts.
  package init(
    pixels: UnsafePointer<UnsafeRawPointer>, depth: Int, output: UnsafeMutableRawPointer,
    matrixStride: Int
  ) {
    unsafe self.pixels = pixels
    unsafe self.depth = depth
    unsafe self.output = output
    unsafe self.matrixStride = matrixStride
  }
}

/// A tile of sums to be transformed into outputs: Y = clamp(Aᵀ M A + bias), channel by channel.
@unsafe
@frozen
@usableFromInline
package struct WinogradOutputTask {
  /// The tile's row of the first matrix; whole vectors are read, up to a cache line's end.
  @usableFromInline package var input: UnsafeRawPointer
  /// Bytes from one matrix to the next.
  @usableFromInline package var matrixStride: Int
  /// The channels' biases; whole vectors are read.
  @usableFromInline package var bias: UnsafeRawPointer
  /// Channels.
  @usableFromInline package var depth: Int
  /// Where the tile's first output goes.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one line of the output to the next.
  @usableFromInline package var rowStride: Int
  /// Bytes from one pixel of the output to the next.
  @usableFromInline package var columnStride: Int
  /// Lines of the tile that the output has.
  @usableFromInline package var rowCount: Int
  /// Columns of the tile that the output has.
  @usableFromInline package var columnCount: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// A task of these parts.
  package init(
    input: UnsafeRawPointer, matrixStride: Int, bias: UnsafeRawPointer, depth: Int,
    output: UnsafeMutableRawPointer, rowStride: Int, columnStride: Int, rowCount: Int,
    columnCount: Int, lowest: Float, highest: Float
  ) {
    unsafe self.input = input
    unsafe self.matrixStride = matrixStride
    unsafe self.bias = bias
    unsafe self.depth = depth
    unsafe self.output = output
    unsafe self.rowStride = rowStride
    unsafe self.columnStride = columnStride
    unsafe self.rowCount = rowCount
    unsafe self.columnCount = columnCount
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// The transforms of convolutions by minimal filtering.
@safe
package struct WinogradKernels: Sendable {
  /// Transforms a tile of the input.
  package typealias Input = @Sendable (WinogradInputTask, WinogradTileSize) -> Void
  /// Transforms a tile of sums.
  package typealias Output = @Sendable (WinogradOutputTask, WinogradTileSize) -> Void

  private let input: Input
  private let output: Output

  /// The transforms of these functions.
  package init(input: @escaping Input, output: @escaping Output) {
    unsafe self.input = input
    unsafe self.output = output
  }

  /// Transforms a tile of the input.
  @unsafe
  package func transform(_ task: WinogradInputTask, _ size: WinogradTileSize) {
    unsafe input(task, size)
  }

  /// Transforms a tile of sums.
  @unsafe
  package func transform(_ task: WinogradOutputTask, _ size: WinogradTileSize) {
    unsafe output(task, size)
  }
}
