// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Lines of floats.
struct FloatLines: LineFormat {
  let matrices: PackedWeights<[PackedFloatMatrix]>
  let columnCount: Int
  let range: ActivationRange<Float>
  let kernels: FloatMicrokernels

  var tileRows: Int { kernels.layout.tileRows }
  var elementByteCount: Int { 4 }
  var resultByteCount: Int { 4 }
  var copiedElementByteCount: Int { 4 }
  var scratchByteCount: Int { 0 }
  var weightByteCount: Int {
    kernels.layout.packedByteCount(columnCount: columnCount, depth: matrices.value[0].depth)
  }

  func copy(_ pieces: LinePieces, to target: UnsafeMutableRawPointer) {
    unsafe pieces.forEach(to: target, elementByteCount: 4) { source, target, count in
      unsafe copy(source, to: target, count: count)
    }
  }

  @inline(__always)
  private func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    if count <= 16 {
      unsafe copyShort(source, to: target, count: count * 4)
    } else {
      unsafe target.copyMemory(from: source, byteCount: count * 4)
    }
  }

  func pad(_ target: UnsafeMutableRawPointer, count: Int) {
    unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: count * 4)
  }

  func multiply(_ line: LineTask, group: Int) {
    unsafe kernels.multiply(
      FloatLineTask(
        left: line.left.assumingMemoryBound(to: Float.self), stride: line.windows.stride / 4,
        rowCount: line.windows.count, lineStride: line.lines.stride / 4,
        lineCount: line.lines.count, tapCount: line.taps.count, tapStride: line.taps.stride / 4,
        depth: line.tapDepth, weights: matrices.value[group].panel(from: 0),
        columnCount: columnCount,
        output: line.output.assumingMemoryBound(to: Float.self),
        outputStride: line.outputStride / 4, outputLineStride: line.outputLineStride / 4,
        lowest: range.lowest, highest: range.highest))
  }
}

/// Lines of 8-bit quantized values.
struct ByteLines: LineFormat {
  let matrices: ByteProduct.Matrices
  let columnCount: Int
  /// How the sums of each group become quantized values; empty where they stay sums.
  let scalings: [ByteScaling]
  var activations: ByteActivations
  let kernels: ByteMicrokernels

  private var layout: ByteGemmLayout { kernels.layout }

  var tileRows: Int { layout.tileRows }
  var elementByteCount: Int { 1 }
  var resultByteCount: Int { 1 }
  var copiedElementByteCount: Int { 4 / layout.wordDepth }
  var scratchByteCount: Int { layout.lineScratchByteCount }
  var weightByteCount: Int {
    roundedUp(columnCount, to: layout.panelWidth / 2)
      * (layout.wordCount(matrices.value[0].depth) + 1) * 4
  }

  func copy(_ pieces: LinePieces, to target: UnsafeMutableRawPointer) {
    let size = copiedElementByteCount
    if layout.isWide {
      let flip = activations.flip
      unsafe pieces.forEach(to: target, elementByteCount: size) { source, target, count in
        unsafe widenBytes(source, to: target, count: count, flip: flip)
      }
    } else {
      let flip = activations.flip ^ layout.activationFlip
      unsafe pieces.forEach(to: target, elementByteCount: size) { source, target, count in
        unsafe flipBytes(source, to: target, count: count, flip: flip)
      }
    }
  }

  func pad(_ target: UnsafeMutableRawPointer, count: Int) {
    let byte = activations.quantizedZero ^ activations.flip ^ layout.activationFlip
    if layout.isWide {
      unsafe target.initializeMemory(as: UInt16.self, repeating: UInt16(byte), count: count)
    } else {
      unsafe target.initializeMemory(as: UInt8.self, repeating: byte, count: count)
    }
  }

  func multiply(_ line: LineTask, group: Int) {
    unsafe kernels.multiply(
      ByteLineTask(
        left: line.left, stride: line.windows.stride, rowCount: line.windows.count,
        lineStride: line.lines.stride, lineCount: line.lines.count, tapCount: line.taps.count,
        tapStride: line.taps.stride, wordCount: layout.wordCount(line.tapDepth),
        weights: matrices.value[group].panels(from: 0),
        columnCount: columnCount,
        finish: scalings.isEmpty ? ByteScaling.sums : scalings[group].finish(), output: line.output,
        outputStride: line.outputStride, outputLineStride: line.outputLineStride,
        scratch: line.scratch))
  }
}
