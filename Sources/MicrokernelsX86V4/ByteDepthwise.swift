// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}
  private enum NarrowByteVectors: NarrowBytePrimitives {}

  /// The 8-bit depthwise tile.
  func depthwiseTile() -> ByteDepthwiseKernels {
    unsafe ByteDepthwiseKernels(
      byteCount: ByteVectors.byteCount, isWide: false, sums: byteDepthwise,
      columnSums: byteDepthwiseColumns, scale: scaleByteDepthwise)
  }

  /// The depthwise tile of shorter vectors.
  func narrowDepthwiseTile() -> ByteDepthwiseKernels? {
    unsafe ByteDepthwiseKernels(
      byteCount: NarrowByteVectors.byteCount, isWide: false, sums: narrowByteDepthwise,
      columnSums: narrowByteDepthwiseColumns, scale: scaleNarrowByteDepthwise)
  }

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
#endif
