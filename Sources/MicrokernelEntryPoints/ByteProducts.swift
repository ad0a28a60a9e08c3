// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}
  private typealias ByteProduct = Tiles.ByteProduct<ByteVectors>
  private typealias LowByteTile = ByteTile<ByteVectors, 4, 2>
  private typealias LowHalfByteTile = ByteTile<ByteVectors, 4, 1>
  private typealias PairedByteTile = ByteTile<ByteVectors, 6, 4>

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
      task, tileRows: ByteProduct.rows, ByteTile<ByteVectors, 1, 2>.self)
  }

  @inline(never)
  func oneVectorByteTile(_ task: ByteTileTask) {
    unsafe byteTile(
      task, tileRows: ByteProduct.rows, ByteTile<ByteVectors, 1, 1>.self)
  }

  /// A row of a byte product, with its sums, or these turned into quantized values.
  func byteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    if unsafe task.finish.form == .real {
      unsafe realByteRow(task, hasTerms: hasTerms)
    } else if unsafe task.finish.form == .sums {
      unsafe summedByteRow(task, hasTerms: hasTerms)
    } else if unsafe task.finish.scalesInSteps {
      unsafe steppedByteRow(task, hasTerms: hasTerms)
    } else {
      unsafe flooredByteRow(task, hasTerms: hasTerms)
    }
  }

  @inline(never)
  func summedByteRow(_ task: ByteScaledTileTask, hasTerms: Bool) {
    unsafe sumRow(task, hasTerms: hasTerms, ByteVectors.self)
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

  /// Tiles of full height or of `LineTiles.leastRows` of a byte product, panel after panel, with their
  /// sums scaled to quantized values.
  func scaledByteTile(_ task: ByteScaledTileTask, vectors: Int, hasTerms: Bool) {
    let isFull = unsafe task.tile.rows == ByteProduct.rows
    switch (unsafe task.finish.scalesInSteps, hasTerms) {
    case (true, false) where vectors == 1:
      unsafe isFull ? steppedHalfByteTile(task) : steppedLowHalfByteTile(task)
    case (true, true) where vectors == 1:
      unsafe isFull ? steppedHalfByteTileWithTerms(task) : steppedLowHalfByteTileWithTerms(task)
    case (false, false) where vectors == 1:
      unsafe isFull ? flooredHalfByteTile(task) : flooredLowHalfByteTile(task)
    case (false, true) where vectors == 1:
      unsafe isFull ? flooredHalfByteTileWithTerms(task) : flooredLowHalfByteTileWithTerms(task)
    case (true, false): unsafe isFull ? steppedByteTile(task) : steppedLowByteTile(task)
    case (true, true):
      unsafe isFull ? steppedByteTileWithTerms(task) : steppedLowByteTileWithTerms(task)
    case (false, false): unsafe isFull ? flooredByteTile(task) : flooredLowByteTile(task)
    case (false, true):
      unsafe isFull ? flooredByteTileWithTerms(task) : flooredLowByteTileWithTerms(task)
    }
  }

  /// Whether a tile of full height is computed as two of half its height, twice as wide: of two panels.
  ///
  /// They take longer to scale, which for fewer terms than 96 is more than they gain.
  @inline(__always)
  private func isPair(_ task: ByteScaledTileTask) -> Bool {
    unsafe PairedByteTile.rows * 2 == ByteProduct.rows && task.columnCount > ByteProduct.width
      && task.tile.tapCount &* task.tile.wordCount >= 24
  }

  // Each form has a function of its own, put together here: what generic functions of levels hold is
  // more than the optimizer inlines.

  @inline(never)
  func steppedByteTile(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      if unsafe isPair(part) {
        unsafe steppedBytePair(part)
        _ = unsafe part.moveOn(by: ByteProduct.width)
        continue
      }
      let sums = unsafe ByteProduct.accumulateAny(part.tile, hasTerms: false)
      unsafe ByteProduct.store(sums, part, inSteps: true)
    } while unsafe part.moveOn(by: ByteProduct.width)
  }

  @inline(never)
  func steppedBytePair(_ task: ByteScaledTileTask) {
    var half = unsafe task
    for _ in 0..<2 {
      let sums = unsafe PairedByteTile.accumulate(
        half.tile, next: half.panelByteCount, hasTerms: false)
      unsafe PairedByteTile.store(sums, half, inSteps: true)
      unsafe half.moveDown(by: PairedByteTile.rows)
    }
  }

  @inline(never)
  func steppedLowByteTile(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      let sums = unsafe LowByteTile.accumulateAny(part.tile, hasTerms: false)
      unsafe LowByteTile.store(sums, part, inSteps: true)
    } while unsafe part.moveOn(by: LowByteTile.width)
  }

  @inline(never)
  func steppedByteTileWithTerms(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      if unsafe isPair(part) {
        unsafe steppedBytePairWithTerms(part)
        _ = unsafe part.moveOn(by: ByteProduct.width)
        continue
      }
      let sums = unsafe ByteProduct.accumulateAny(part.tile, hasTerms: true)
      unsafe ByteProduct.store(sums, part, inSteps: true)
    } while unsafe part.moveOn(by: ByteProduct.width)
  }

  @inline(never)
  func steppedBytePairWithTerms(_ task: ByteScaledTileTask) {
    var half = unsafe task
    for _ in 0..<2 {
      let sums = unsafe PairedByteTile.accumulate(
        half.tile, next: half.panelByteCount, hasTerms: true)
      unsafe PairedByteTile.store(sums, half, inSteps: true)
      unsafe half.moveDown(by: PairedByteTile.rows)
    }
  }

  @inline(never)
  func steppedLowByteTileWithTerms(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      let sums = unsafe LowByteTile.accumulateAny(part.tile, hasTerms: true)
      unsafe LowByteTile.store(sums, part, inSteps: true)
    } while unsafe part.moveOn(by: LowByteTile.width)
  }

  @inline(never)
  func flooredByteTile(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      if unsafe isPair(part) {
        unsafe flooredBytePair(part)
        _ = unsafe part.moveOn(by: ByteProduct.width)
        continue
      }
      let sums = unsafe ByteProduct.accumulateAny(part.tile, hasTerms: false)
      unsafe ByteProduct.store(sums, part, inSteps: false)
    } while unsafe part.moveOn(by: ByteProduct.width)
  }

  @inline(never)
  func flooredBytePair(_ task: ByteScaledTileTask) {
    var half = unsafe task
    for _ in 0..<2 {
      let sums = unsafe PairedByteTile.accumulate(
        half.tile, next: half.panelByteCount, hasTerms: false)
      unsafe PairedByteTile.store(sums, half, inSteps: false)
      unsafe half.moveDown(by: PairedByteTile.rows)
    }
  }

  @inline(never)
  func flooredLowByteTile(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      let sums = unsafe LowByteTile.accumulateAny(part.tile, hasTerms: false)
      unsafe LowByteTile.store(sums, part, inSteps: false)
    } while unsafe part.moveOn(by: LowByteTile.width)
  }

  @inline(never)
  func flooredByteTileWithTerms(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      if unsafe isPair(part) {
        unsafe flooredBytePairWithTerms(part)
        _ = unsafe part.moveOn(by: ByteProduct.width)
        continue
      }
      let sums = unsafe ByteProduct.accumulateAny(part.tile, hasTerms: true)
      unsafe ByteProduct.store(sums, part, inSteps: false)
    } while unsafe part.moveOn(by: ByteProduct.width)
  }

  @inline(never)
  func flooredBytePairWithTerms(_ task: ByteScaledTileTask) {
    var half = unsafe task
    for _ in 0..<2 {
      let sums = unsafe PairedByteTile.accumulate(
        half.tile, next: half.panelByteCount, hasTerms: true)
      unsafe PairedByteTile.store(sums, half, inSteps: false)
      unsafe half.moveDown(by: PairedByteTile.rows)
    }
  }

  @inline(never)
  func flooredLowByteTileWithTerms(_ task: ByteScaledTileTask) {
    var part = unsafe task
    repeat {
      let sums = unsafe LowByteTile.accumulateAny(part.tile, hasTerms: true)
      unsafe LowByteTile.store(sums, part, inSteps: false)
    } while unsafe part.moveOn(by: LowByteTile.width)
  }

  @inline(never)
  func steppedHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(task, inSteps: true, hasTerms: false, ByteProduct.self)
  }

  @inline(never)
  func steppedLowHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe LowHalfByteTile.runScaled(task, inSteps: true, hasTerms: false)
  }

  @inline(never)
  func steppedHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(task, inSteps: true, hasTerms: true, ByteProduct.self)
  }

  @inline(never)
  func steppedLowHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe LowHalfByteTile.runScaled(task, inSteps: true, hasTerms: true)
  }

  @inline(never)
  func flooredHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(task, inSteps: false, hasTerms: false, ByteProduct.self)
  }

  @inline(never)
  func flooredLowHalfByteTile(_ task: ByteScaledTileTask) {
    unsafe LowHalfByteTile.runScaled(task, inSteps: false, hasTerms: false)
  }

  @inline(never)
  func flooredHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe scaledHalfByteTile(task, inSteps: false, hasTerms: true, ByteProduct.self)
  }

  @inline(never)
  func flooredLowHalfByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe LowHalfByteTile.runScaled(task, inSteps: false, hasTerms: true)
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
