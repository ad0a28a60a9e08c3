// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Products of a recurrent cell with constant 8-bit weights and vectors that are quantized for
/// each: the same results as the reference kernel.
struct ByteCellProducts: CellProducts {
  private let base: HybridCellProducts
  private let matrices: [CellMatrix?]
  private let kernels: ByteMicrokernels

  /// The products of `base`; nil where matrices are no constants, or stored without zeros.
  init?(
    _ base: HybridCellProducts, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    self.base = base
    kernels = set.byte
    var matrices: [CellMatrix?] = []
    for (position, operand) in node.inputs.enumerated() {
      guard let operand, operand.type.shape.rank == 2,
        [.int8, .uint8].contains(operand.type.elementType)
      else {
        matrices.append(nil)
        continue
      }
      let shape = operand.type.shape
      guard !operand.isSparse, operand.sparsity == nil,
        let matrix = CellMatrix.packed(
          node, [position], biases: [], rowCount: shape[0], stride: shape[0], depth: shape[1],
          zeroPoint: 0, in: cache, set)
      else { return nil }
      matrices.append(matrix)
    }
    self.matrices = matrices
  }

  static var isHybrid: Bool { HybridCellProducts.isHybrid }

  @_lifetime(quantizedValues: copy quantizedValues)
  func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Int8>) -> Affine {
    unsafe vector.withUnsafeBufferPointer { source in
      unsafe quantizedValues.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else {
          return Affine(scale: 1, zeroPoint: 0)
        }
        return unsafe FloatQuantizer(
          source, count: vector.count, quantizedValues: target, kernels.hybrid
        ).run(base.quantization)
      }
    }
  }

  func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    base.dequantization(of: vector, input: input, weights: position)
  }

  @_lifetime(result: copy result)
  func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Int8>, bias: Span<Float>, to result: inout MutableSpan<Float>,
    _ steps: inout S, about: (Int, inout S) -> Void
  ) {
    guard let matrix = matrices[product.weights] else { return }
    unsafe ScratchMemory.use(matrix.scratchByteCount(kernels, rowCount: 1)) { scratch in
      unsafe quantizedValues.withUnsafeBytes { quantizedValues in
        unsafe result.withUnsafeMutableBytes { result in
          guard let quantizedValues = quantizedValues.baseAddress, let result = result.baseAddress
          else { return }
          unsafe withUnsafePointer(to: quantizedValues) { row in
            unsafe matrix.multiply(row, rowCount: 1, to: result, scratch: scratch, kernels)
          }
        }
      }
    }
    unsafe result.withUnsafeMutableBytes { bytes in
      guard let sums = bytes.baseAddress else { return }
      unsafe finish(
        sums, product.rows, product.vector,
        product.vector.scale * base.scales[product.weights], matrix.matrix.columnSums, bias)
    }
  }

  /// Turns sums into results, in place.
  private func finish(
    _ memory: UnsafeMutableRawPointer, _ count: Int, _ vector: Affine, _ scale: Float,
    _ columnSums: [Int32], _ bias: Span<Float>
  ) {
    let sums = unsafe memory.assumingMemoryBound(to: Int32.self)
    let results = unsafe memory.assumingMemoryBound(to: Float.self)
    let greatest = Float.greatestFiniteMagnitude
    for row in 0..<count {
      let sum = unsafe sums[row] &- vector.zeroPoint &* columnSums[row]
      let value = Float(sum) * scale + (bias.isEmpty ? 0 : bias[row])
      let raised = value < -greatest ? -greatest : value
      unsafe results[row] = greatest < raised ? greatest : raised
    }
  }

  func real(_ quantized: Int8, at position: Int) -> Float { base.real(quantized, at: position) }
}
