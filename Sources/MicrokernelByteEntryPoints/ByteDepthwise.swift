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
    guard ByteVectors.interleavesLines else {
      return unsafe byteDepthwiseColumns(task, part, ByteVectors.self)
    }
    let isScaled = unsafe part.isScaled
    let fitsRegisters = unsafe isScaled && task.window.tapCount == 9 && task.activationFlip != 0
    switch (fitsRegisters, unsafe isScaled && task.finish.scalesInSteps) {
    case (true, true): unsafe steppedDepthwiseColumns(task, part)
    case (true, false): unsafe flooredDepthwiseColumns(task, part)
    case (false, true):
      unsafe interleaveDepthwiseLine(task, part)
      unsafe steppedDepthwiseLine(task, part)
    case (false, false):
      unsafe interleaveDepthwiseLine(task, part)
      unsafe flooredDepthwiseLine(task, part)
    }
  }

  func interleaveDepthwiseLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    let isWhole = unsafe part.channel &+ ByteVectors.byteCount <= task.channelCount
    if unsafe isWhole && (task.activationFlip != 0) == ByteVectors.signsActivations {
      unsafe interleavePlainLine(task, part)
    } else if isWhole {
      unsafe interleaveFlippedLine(task, part)
    } else {
      unsafe interleavePartialLine(task, part)
    }
  }

  @inline(never)
  func interleavePlainLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe interleaveLine(task, part, isWhole: true, flips: false, ByteVectors.self)
  }

  @inline(never)
  func interleaveFlippedLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe interleaveLine(task, part, isWhole: true, flips: true, ByteVectors.self)
  }

  @inline(never)
  func interleavePartialLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe interleaveLine(task, part, isWhole: false, flips: true, ByteVectors.self)
  }

  @inline(never)
  func steppedDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteDepthwiseColumns<ByteVectors>.runScaled(task, part, inSteps: true)
  }

  @inline(never)
  func flooredDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteDepthwiseColumns<ByteVectors>.runScaled(task, part, inSteps: false)
  }

  @inline(never)
  func steppedDepthwiseLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe multiplyLine(task, part, inSteps: true, ByteVectors.self)
  }

  @inline(never)
  func flooredDepthwiseLine(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe multiplyLine(task, part, inSteps: false, ByteVectors.self)
  }

  /// Scales a depthwise convolution's sums to quantized values.
  func scaleByteDepthwise(_ task: ByteScaleTask) { unsafe scaleDepthwise(task, ByteVectors.self) }
#endif
