// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}

  /// Copies rows to where the tile reads them.
  func copyByteRows(_ task: ByteRowsTask) { unsafe copyRows(task, ByteVectors.self) }

  /// Widens compact weights.
  func widenWeights(_ task: ByteWidening) { unsafe widenWeights(task, ByteVectors.self) }

  /// A tile of a byte product, as wide as one or two vectors.
  func byteTile(_ task: ByteTileTask, vectors: Int) {
    if vectors == 2 {
      unsafe twoVectorByteTile(task)
    } else {
      unsafe oneVectorByteTile(task)
    }
  }

  @inline(never)
  func twoVectorByteTile(_ task: ByteTileTask) {
    unsafe byteTile(
      task, tileRows: Tiles.ByteProduct<ByteVectors>.rows, ByteTile<ByteVectors, 1, 2>.self)
  }

  @inline(never)
  func oneVectorByteTile(_ task: ByteTileTask) {
    unsafe byteTile(
      task, tileRows: Tiles.ByteProduct<ByteVectors>.rows, ByteTile<ByteVectors, 1, 1>.self)
  }

  /// A row of a byte product, with its sums turned into quantized values.
  func byteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    if unsafe task.finish.form == .real {
      unsafe realByteRow(task, hasTerms: hasTerms)
    } else if unsafe task.finish.scalesInSteps {
      unsafe steppedByteRow(task, hasTerms: hasTerms)
    } else {
      unsafe flooredByteRow(task, hasTerms: hasTerms)
    }
  }

  @inline(never)
  func realByteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    // Not a closure, which would be a weak symbol.
    unsafe multiplyRow(task, hasTerms: hasTerms, ByteVectors.self, finish: finishByteProduct)
  }

  @inline(never)
  func steppedByteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    unsafe multiplyScaledRow(task, inSteps: true, hasTerms: hasTerms, ByteVectors.self)
  }

  @inline(never)
  func flooredByteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    unsafe multiplyScaledRow(task, inSteps: false, hasTerms: hasTerms, ByteVectors.self)
  }

  /// A tile of full height or of `LineTiles.leastRows` of a byte product, with its sums scaled to quantized values.
  func scaledByteTile(_ task: ByteScaledTileTask, vectors: Int, hasTerms: Bool) {
    switch (unsafe task.finish.scalesInSteps, vectors == 2, hasTerms) {
    case (true, true, false): unsafe steppedByteTile(task)
    case (true, true, true): unsafe steppedByteTileWithTerms(task)
    case (false, true, false): unsafe flooredByteTile(task)
    case (false, true, true): unsafe flooredByteTileWithTerms(task)
    case (true, false, false): unsafe steppedHalfByteTile(task)
    case (true, false, true): unsafe steppedHalfByteTileWithTerms(task)
    case (false, false, false): unsafe flooredHalfByteTile(task)
    case (false, false, true): unsafe flooredHalfByteTileWithTerms(task)
    }
  }

  @inline(never)
  func steppedByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledByteTile(
      task, inSteps: true, hasTerms: false, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func steppedByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledByteTile(
      task, inSteps: true, hasTerms: true, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func flooredByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledByteTile(
      task, inSteps: false, hasTerms: false, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func flooredByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledByteTile(
      task, inSteps: false, hasTerms: true, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func steppedHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(
      task, inSteps: true, hasTerms: false, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func steppedHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(
      task, inSteps: true, hasTerms: true, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func flooredHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(
      task, inSteps: false, hasTerms: false, Tiles.ByteProduct<ByteVectors>.self)
  }

  @inline(never)
  func flooredHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(
      task, inSteps: false, hasTerms: true, Tiles.ByteProduct<ByteVectors>.self)
  }

  /// Scales a product's sums to quantized values.
  func scaleByteProduct(_ task: ByteScaleTask) { unsafe scaleProduct(task, ByteVectors.self) }

  /// Turns a product's sums into quantized values by factors of double precision.
  func finishByteProduct(_ task: RealFinish) { unsafe finishReally(task, ByteVectors.self) }

  /// A tile of the input of an 8-bit convolution by minimal filtering.
  func byteWinogradInput(_ task: ByteWinogradInputTask) {
    unsafe ByteWinogradTile<ByteVectors>.run(task)
  }

  /// Tiles of sums of an 8-bit convolution by minimal filtering.
  func byteWinogradSums(_ task: ByteWinogradSumTask) {
    unsafe ByteWinogradTile<ByteVectors>.run(task)
  }

  /// The limit of byte arithmetic.
  func bytePeak(_ rounds: Int) -> Int32 { bytePeak(rounds, ByteVectors.self) }
#endif
