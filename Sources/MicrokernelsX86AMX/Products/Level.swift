// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  /// AMX's instructions, or what computes the same.
  protocol TilePrimitives: TileInstructions {}

  private enum TileRegisters: TilePrimitives {}
  private enum ByteVectors: BytePrimitives {}
  private typealias WideTile = ByteMatrixTile<TileRegisters, ByteVectors, 2>
  private typealias NarrowTile = ByteMatrixTile<TileRegisters, ByteVectors, 1>

  extension MicrokernelSet {
    /// Kernels for x86-64-v4 with AMX, which are those of `v4` save for products of bytes with several
    /// rows: call nothing of them on lesser processors.
    package static func v4amx(_ v4: MicrokernelSet) -> MicrokernelSet {
      unsafe v4.multiplyingMatrices(
        .v4amx, tile: matrixTile, scaledTile: scaledMatrixTile,
        peakProducts: WideTile.peakProducts, peak: matrixPeak)
    }
  }

  /// A tile of a byte product, as wide as one or two vectors.
  func matrixTile(_ task: ByteTileTask, vectors: Int) {
    if vectors == 2 {
      unsafe wideTile(task)
    } else {
      unsafe narrowTile(task)
    }
  }

  @inline(never)
  func wideTile(_ task: ByteTileTask) { unsafe WideTile.run(task) }

  @inline(never)
  func narrowTile(_ task: ByteTileTask) { unsafe NarrowTile.run(task) }

  /// Tiles of a byte product, panel after panel, with their sums scaled to quantized values.
  func scaledMatrixTile(_ task: ByteScaledTileTask, vectors: Int, hasTerms: Bool) {
    switch (unsafe task.finish.scalesInSteps, hasTerms) {
    case (true, false): unsafe vectors == 1 ? steppedNarrowTile(task) : steppedWideTile(task)
    case (false, false): unsafe vectors == 1 ? flooredNarrowTile(task) : flooredWideTile(task)
    case (true, true):
      unsafe vectors == 1 ? steppedNarrowTileWithTerms(task) : steppedWideTileWithTerms(task)
    case (false, true):
      unsafe vectors == 1 ? flooredNarrowTileWithTerms(task) : flooredWideTileWithTerms(task)
    }
  }

  @inline(never)
  func steppedWideTile(_ task: ByteScaledTileTask) {
    unsafe WideTile.runScaled(task, inSteps: true, hasTerms: false)
  }

  @inline(never)
  func steppedNarrowTile(_ task: ByteScaledTileTask) {
    unsafe NarrowTile.runScaled(task, inSteps: true, hasTerms: false)
  }

  @inline(never)
  func flooredWideTile(_ task: ByteScaledTileTask) {
    unsafe WideTile.runScaled(task, inSteps: false, hasTerms: false)
  }

  @inline(never)
  func flooredNarrowTile(_ task: ByteScaledTileTask) {
    unsafe NarrowTile.runScaled(task, inSteps: false, hasTerms: false)
  }

  @inline(never)
  func steppedWideTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe WideTile.runScaled(task, inSteps: true, hasTerms: true)
  }

  @inline(never)
  func steppedNarrowTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe NarrowTile.runScaled(task, inSteps: true, hasTerms: true)
  }

  @inline(never)
  func flooredWideTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe WideTile.runScaled(task, inSteps: false, hasTerms: true)
  }

  @inline(never)
  func flooredNarrowTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe NarrowTile.runScaled(task, inSteps: false, hasTerms: true)
  }

  /// The limit of products of matrices of bytes.
  func matrixPeak(_ rounds: Int) -> Int32 { WideTile.peak(rounds) }
#endif
