// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Constant int8 matrices of a recurrent cell, stacked and packed for products with a vector: one
/// product gives the sums of all gates.
final class CellMatrix: Sendable {
  /// The packed matrices.
  let matrix: PackedByteMatrix
  // Keeps the tensors alive, so that the addresses that name the packed form stay their own.
  private let sources: [TensorBytes]

  private init(_ matrix: PackedByteMatrix, _ sources: [TensorBytes]) {
    self.matrix = matrix
    self.sources = sources
  }

  /// The node's matrices at `positions`, of `rowCount` rows each, with the biases at `biases`;
  /// nil where one of them is no constant.
  ///
  /// Each has rows of zeros behind it, up to `stride` rows, a multiple of a panel's width where
  /// there are several; `zeroPoint` is that of the vectors, whose quantized values are int8.
  static func packed(
    _ node: PrepareContext, _ positions: [Int], biases: [Int], rowCount: Int, stride: Int,
    depth: Int, zeroPoint: Int32, in cache: WeightCache, _ set: MicrokernelSet
  ) -> CellMatrix? {
    let weights = positions.compactMap { constant(node, $0, rowCount * depth) }
    let bias = biases.compactMap { constant(node, $0, rowCount * 4) }
    guard let key = weights.first, weights.count == positions.count, bias.count == biases.count,
      depth > 0
    else { return nil }
    let compactCount = PackedByteMatrix.compactCount(
      rowCount: 1, modelByteCount: cache.fileByteCount)
    let form = WeightForm("cell", set, [stride, depth, Int(zeroPoint), compactCount])
      .adding((weights + bias).map { unsafe Int(bitPattern: $0.address) })
    return cache.value(for: key, form: form) {
      let sources = unsafe weights.indices.map { index in
        unsafe ByteMatrixSource(
          weights: weights[index].address.assumingMemoryBound(to: UInt8.self), isSigned: true,
          zeroPoint: 0, columnStride: depth, depthStride: 1, columnCount: rowCount, depth: depth,
          bias: bias.isEmpty ? nil : bias[index].address.assumingMemoryBound(to: Int32.self),
          activationZeroPoint: 128 &+ zeroPoint)
      }
      let matrix = unsafe PackedByteMatrix(
        stacking: sources, stride: stride, set.byte.layout, compactCount: compactCount)
      return CellMatrix(matrix, weights + bias)
    }
  }

  private static func constant(
    _ node: PrepareContext, _ position: Int, _ byteCount: Int
  ) -> TensorBytes? {
    guard node.inputs.indices.contains(position), let operand = node.inputs[position],
      operand.isConstant, let bytes = operand.bytes, bytes.byteCount >= byteCount
    else { return nil }
    return bytes
  }

  /// Bytes of scratch memory that `multiply` needs for up to `rowCount` vectors.
  func scratchByteCount(_ kernels: ByteMicrokernels, rowCount: Int = .max) -> Int {
    kernels.layout.scratchByteCount(depth: matrix.depth, rowCount: rowCount)
  }

  /// The sums of `rowCount` vectors, as 32-bit integers.
  @unsafe
  func multiply(
    _ rows: UnsafePointer<UnsafeRawPointer>, rowCount: Int, to sums: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, _ kernels: ByteMicrokernels
  ) {
    unsafe kernels.gemm(
      ByteGemmTask(
        rows: rows, rowPitch: rowCount, rowCount: rowCount, tapCount: 1, depth: matrix.depth,
        activationFlip: 0x80, weights: matrix.panels(from: 0), columnCount: matrix.columnCount,
        finish: ByteScaling.sums, output: sums,
        outputStride: matrix.columnCount * 4, scratch: scratch))
  }
}
