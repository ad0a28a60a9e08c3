// SPDX-License-Identifier: Apache-2.0

/// A tile of 4 × 4 quantized pixels to be transformed: V = Bᵀ (d − z) B, channel by channel.
///
/// Elements of V are 16-bit words: at most four times as large as a difference of two bytes.
@unsafe
@frozen
@usableFromInline
package struct ByteWinogradInputTask {
  /// Pointers to the tile's pixels, line by line.
  @usableFromInline package var pixels: UnsafePointer<UnsafeRawPointer>
  /// Channels, at least as many as a vector has words.
  @usableFromInline package var depth: Int
  /// What makes quantized values unsigned: 0x80 for `Int8`, 0 for `UInt8`.
  @usableFromInline package var flip: UInt8
  /// The zero point of the unsigned values.
  @usableFromInline package var zeroPoint: Int32
  /// The tile's row of the first matrix.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one matrix to the next.
  @usableFromInline package var matrixStride: Int

  /// A task of these parts.
  package init(
    pixels: UnsafePointer<UnsafeRawPointer>, depth: Int, flip: UInt8, zeroPoint: Int32,
    output: UnsafeMutableRawPointer, matrixStride: Int
  ) {
    unsafe self.pixels = pixels
    unsafe self.depth = depth
    unsafe self.flip = flip
    unsafe self.zeroPoint = zeroPoint
    unsafe self.output = output
    unsafe self.matrixStride = matrixStride
  }
}

/// Sums of neighboring tiles to be transformed: Y = Aᵀ M A / 4, where M is made of a
/// `TransformedByteFilter`.
@unsafe
@frozen
@usableFromInline
package struct ByteWinogradSumTask {
  /// The first tile's sums of the first matrix; those of the next follow.
  @usableFromInline package var sums: UnsafeRawPointer
  /// Bytes from one matrix to the next.
  @usableFromInline package var matrixStride: Int
  /// Tiles.
  @usableFromInline package var tileCount: Int
  /// Bytes of a tile's sums in each matrix: whole vectors.
  @usableFromInline package var width: Int
  /// Where the pixels' sums go, two for each tile, line by line.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one line of pixels to the next.
  @usableFromInline package var lineStride: Int

  /// A task of these parts.
  init(
    sums: UnsafeRawPointer, matrixStride: Int, tileCount: Int, width: Int,
    output: UnsafeMutableRawPointer, lineStride: Int
  ) {
    unsafe self.sums = sums
    unsafe self.matrixStride = matrixStride
    unsafe self.tileCount = tileCount
    unsafe self.width = width
    unsafe self.output = output
    unsafe self.lineStride = lineStride
  }
}

/// The transforms of 8-bit convolutions by minimal filtering.
@safe
package struct ByteWinogradKernels: Sendable {
  /// Transforms a tile of the input.
  package typealias Input = @Sendable (ByteWinogradInputTask) -> Void
  /// Transforms sums.
  package typealias Sums = @Sendable (ByteWinogradSumTask) -> Void

  let input: Input
  let sums: Sums

  /// The transforms of these functions.
  package init(input: @escaping Input, sums: @escaping Sums) {
    unsafe self.input = input
    unsafe self.sums = sums
  }
}
