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

  /// The sums, or the quantized values, of a part of a depthwise convolution whose weights are in
  /// `columns` order.
  func byteDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    if unsafe ByteVectors.roundsProducts && part.isScaled {
      if unsafe task.finish.scalesInSteps {
        unsafe steppedDepthwiseColumns(task, part)
      } else {
        unsafe flooredDepthwiseColumns(task, part)
      }
    } else {
      unsafe byteDepthwiseColumns(task, part, ByteVectors.self)
    }
  }

  @inline(never)
  func steppedDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteDepthwiseColumns<ByteVectors>.runScaled(task, part, inSteps: true)
  }

  @inline(never)
  func flooredDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteDepthwiseColumns<ByteVectors>.runScaled(task, part, inSteps: false)
  }

  /// Scales a depthwise convolution's sums to quantized values.
  func scaleByteDepthwise(_ task: ByteScaleTask) { unsafe scaleDepthwise(task, ByteVectors.self) }
#endif
