// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}

  /// The 8-bit depthwise tile of a level that multiplies bytes.
  func depthwiseTile() -> ByteDepthwiseKernels {
    unsafe ByteDepthwiseKernels(
      layout: ByteDepthwiseLayout(ByteVectors.self), sums: byteDepthwise,
      columnSums: byteDepthwiseColumns,
      scale: scaleByteDepthwise)
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
#endif
