// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}

  /// The 8-bit depthwise tile of a wide level.
  func depthwiseTile() -> ByteDepthwiseKernels {
    unsafe ByteDepthwiseKernels(
      layout: ByteDepthwiseLayout(ByteVectors.self), sums: byteDepthwise,
      columnSums: byteDepthwiseColumns,
      scale: scaleByteDepthwise)
  }

  /// Wide levels have no tile of shorter vectors.
  func narrowDepthwiseTile() -> ByteDepthwiseKernels? { nil }

  /// The sums of a part of a depthwise convolution.
  func byteDepthwise(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe sumWords(task, part, ByteVectors.self)
  }

  /// The sums or quantized values of a part of a depthwise convolution whose weights are in
  /// `columns` order.
  func byteDepthwiseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    let window = unsafe task.window
    switch unsafe (window.columnCount == 3, window.step == 1, task.activationFlip != 0) {
    case (true, true, true): unsafe threeDenseColumns(task, part)
    case (true, true, false): unsafe threeDenseUnsignedColumns(task, part)
    case (true, false, true): unsafe threeStridedColumns(task, part)
    case (true, false, false): unsafe threeStridedUnsignedColumns(task, part)
    case (false, true, true): unsafe fiveDenseColumns(task, part)
    case (false, true, false): unsafe fiveDenseUnsignedColumns(task, part)
    case (false, false, true): unsafe fiveStridedColumns(task, part)
    case (false, false, false): unsafe fiveStridedUnsignedColumns(task, part)
    }
  }

  @inline(never)
  func threeDenseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 3, 1>.run(task, part, areSigned: true)
  }

  @inline(never)
  func threeDenseUnsignedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 3, 1>.run(task, part, areSigned: false)
  }

  @inline(never)
  func threeStridedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 3, 2>.run(task, part, areSigned: true)
  }

  @inline(never)
  func threeStridedUnsignedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 3, 2>.run(task, part, areSigned: false)
  }

  @inline(never)
  func fiveDenseColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 5, 1>.run(task, part, areSigned: true)
  }

  @inline(never)
  func fiveDenseUnsignedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 5, 1>.run(task, part, areSigned: false)
  }

  @inline(never)
  func fiveStridedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 5, 2>.run(task, part, areSigned: true)
  }

  @inline(never)
  func fiveStridedUnsignedColumns(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
    unsafe ByteWordColumns<ByteVectors, 5, 2>.run(task, part, areSigned: false)
  }

  /// Scales a depthwise convolution's sums to quantized values.
  func scaleByteDepthwise(_ task: ByteScaleTask) { unsafe scaleWords(task, ByteVectors.self) }
#endif
