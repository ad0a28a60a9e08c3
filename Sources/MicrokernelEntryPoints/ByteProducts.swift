// SPDX-License-Identifier: Apache-2.0

#if !ONLY_X86_64 || arch(x86_64)
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}
  private enum NarrowByteVectors: NarrowBytePrimitives {}

  /// Copies rows to where the tile reads them.
  func copyByteRows(_ task: ByteRowsTask) { unsafe copyRows(task, ByteVectors.self) }

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

  /// A full tile of a byte product, with its sums scaled to quantized values.
  func scaledByteTile(_ task: ByteScaledTileTask, hasTerms: Bool) {
    switch (unsafe task.finish.scalesInSteps, hasTerms) {
    case (true, false): unsafe doublyRoundedByteTile(task)
    case (true, true): unsafe doublyRoundedByteTileWithTerms(task)
    case (false, false): unsafe singlyRoundedByteTile(task)
    case (false, true): unsafe singlyRoundedByteTileWithTerms(task)
    }
  }

  @inline(never)
  func doublyRoundedByteTile(_ task: ByteScaledTileTask) {
    unsafe Tiles.ByteProduct<ByteVectors>.runScaled(task, inSteps: true, hasTerms: false)
  }

  @inline(never)
  func doublyRoundedByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe Tiles.ByteProduct<ByteVectors>.runScaled(task, inSteps: true, hasTerms: true)
  }

  @inline(never)
  func singlyRoundedByteTile(_ task: ByteScaledTileTask) {
    unsafe Tiles.ByteProduct<ByteVectors>.runScaled(task, inSteps: false, hasTerms: false)
  }

  @inline(never)
  func singlyRoundedByteTileWithTerms(_ task: ByteScaledTileTask) {
    unsafe Tiles.ByteProduct<ByteVectors>.runScaled(task, inSteps: false, hasTerms: true)
  }

  /// Scales a product's sums to quantized values.
  func scaleByteProduct(_ task: ByteScaleTask) { unsafe scaleProduct(task, ByteVectors.self) }

  /// The sums of a part of a depthwise convolution.
  func byteDepthwise(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe byteDepthwise(task, part, pairs: Tiles.holdsPairs, ByteVectors.self)
  }

  /// The sums of a part of a depthwise convolution whose weights are in `columns` order.
  func byteDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe byteDepthwiseColumns(task, part, ByteVectors.self)
  }

  /// Scales a depthwise convolution's sums to quantized values.
  func scaleByteDepthwise(_ task: ByteScaleTask) { unsafe scaleDepthwise(task, ByteVectors.self) }

  /// `byteDepthwise` for the channels of a shorter vector.
  func narrowByteDepthwise(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe byteDepthwise(task, part, pairs: Tiles.holdsPairs, NarrowByteVectors.self)
  }

  /// `byteDepthwiseColumns` for the channels of a shorter vector.
  func narrowByteDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe byteDepthwiseColumns(task, part, NarrowByteVectors.self)
  }

  /// `scaleByteDepthwise` for the channels of a shorter vector.
  func scaleNarrowByteDepthwise(_ task: ByteScaleTask) {
    unsafe scaleDepthwise(task, NarrowByteVectors.self)
  }

  /// The limit of byte arithmetic.
  func bytePeak(_ rounds: Int) -> Int32 { bytePeak(rounds, ByteVectors.self) }
#endif
