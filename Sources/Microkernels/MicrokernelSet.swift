// SPDX-License-Identifier: Apache-2.0

/// The register-tile kernels of one instruction-set level, and how they want their weights packed.
@safe
package final class MicrokernelSet: Sendable, CustomStringConvertible {
  /// Instruction-set levels.
  package enum Level: String, Sendable {
    /// Swift's own vectors, on any processor.
    case portable
    /// The least of x86-64: SSE2.
    case baseline
    /// x86-64-v3: AVX2 and FMA.
    case v3
    /// x86-64-v3 with AVX-VNNI.
    case v3vnni = "v3-vnni"
    /// x86-64-v4: AVX-512, with VNNI.
    case v4
    /// x86-64-v4 with AMX: matrices of bytes.
    case v4amx = "v4-amx"
    /// The least of arm64: Advanced SIMD, known as NEON.
    case neon
    /// Arm64 with dot products of bytes: FEAT_DotProd.
    case neonDot = "neon-dot"
    /// Arm64 with products of matrices of bytes besides: FEAT_I8MM.
    case neonI8MM = "neon-i8mm"
  }

  /// The level.
  package let level: Level
  /// Kernels on floats.
  package let float: FloatMicrokernels
  /// Kernels on 8-bit integers.
  package let byte: ByteMicrokernels
  /// Kernels on 16-bit integers.
  package let word: WordMicrokernels
  /// Operations on single elements, row by row.
  private let plain: PlainRows
  /// Reductions of columns, and of rows.
  private let columns: Reduction
  private let rows: Reduction
  /// Loops that measure the level's limit.
  package let peak: PeakLoops

  /// The level's name.
  package var description: String { level.rawValue }

  /// Computes a row of an operation on single elements.
  package typealias PlainRows = @Sendable (PlainRow, PlainOperation) -> Void

  /// Takes the elements of rows into results.
  package typealias Reduction = @Sendable (ReducedRows, PlainReduction) -> Void

  /// The set of these parts.
  package init(
    level: Level, float: FloatMicrokernels, byte: ByteMicrokernels, word: WordMicrokernels,
    plain: @escaping PlainRows, columns: @escaping Reduction, rows: @escaping Reduction,
    peak: PeakLoops
  ) {
    self.level = level
    self.float = float
    self.byte = byte
    self.word = word
    unsafe self.plain = plain
    unsafe self.columns = columns
    unsafe self.rows = rows
    self.peak = peak
  }

  /// Computes a row of an operation on single elements.
  @unsafe
  package func compute(_ operation: PlainOperation, _ row: PlainRow) {
    unsafe plain(row, operation)
  }

  /// Takes the elements of each column into its result, in the order of rows.
  @unsafe
  package func reduceColumns(_ rows: ReducedRows, _ reduction: PlainReduction) {
    unsafe columns(rows, reduction)
  }

  /// Takes the elements of each row into its result, in any order but for sums of floats, which are
  /// the same on every level.
  @unsafe
  package func reduceRows(_ rows: ReducedRows, _ reduction: PlainReduction) {
    unsafe self.rows(rows, reduction)
  }

  /// The set of `level`, which multiplies bytes as these functions do and all else as this set.
  ///
  /// Were `depthwise` not consumed, levels would emit a weak function that destroys it.
  package func multiplyingBytes(
    _ level: Level, layout: ByteGemmLayout, copyRows: @escaping ByteMicrokernels.CopyRows,
    tile: @escaping ByteMicrokernels.Tile, row: @escaping ByteMicrokernels.Row,
    scaledTile: @escaping ByteMicrokernels.ScaledTile, depthwise: consuming ByteDepthwiseKernels,
    peak byte: @escaping @Sendable (_ rounds: Int) -> Int32
  ) -> MicrokernelSet {
    unsafe MicrokernelSet(
      level: level, float: float,
      byte: ByteMicrokernels(
        self.byte, layout: layout, copyRows: copyRows, tile: tile, row: row,
        scaledTile: scaledTile, depthwise: depthwise),
      word: word, plain: plain, columns: columns, rows: rows,
      peak: PeakLoops(
        peak,
        byteProducts: PeakLoops.byteProducts(isWide: layout.isWide, laneCount: layout.laneCount),
        byte: byte))
  }

  /// The set of `level`, which multiplies bytes of several rows in registers that hold matrices, by
  /// these functions, and does all else as this set.
  package func multiplyingMatrices(
    _ level: Level, tile: @escaping ByteMicrokernels.Tile,
    scaledTile: @escaping ByteMicrokernels.ScaledTile, peakProducts: Int,
    peak byte: @escaping @Sendable (_ rounds: Int) -> Int32
  ) -> MicrokernelSet {
    unsafe MicrokernelSet(
      level: level, float: float,
      byte: ByteMicrokernels(self.byte, matrixTile: tile, scaledMatrixTile: scaledTile),
      word: word, plain: plain, columns: columns, rows: rows,
      peak: PeakLoops(peak, byteProducts: peakProducts, byte: byte))
  }
}
