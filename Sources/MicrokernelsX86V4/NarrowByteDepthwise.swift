// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels

  private enum NarrowByteVectors: NarrowBytePrimitives {}

  /// The depthwise tile of shorter vectors.
  func narrowDepthwiseTile() -> ByteDepthwiseKernels? {
    unsafe ByteDepthwiseKernels(
      layout: ByteDepthwiseLayout(NarrowByteVectors.self), sums: narrowByteDepthwise,
      columnSums: narrowByteDepthwiseColumns, scale: scaleNarrowByteDepthwise)
  }

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
#endif
