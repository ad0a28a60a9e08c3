// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How the sums of a hybrid product become floats.
struct HybridFormat: Sendable {
  /// How the zero point's share, a multiple of the column's sum, is taken from a sum.
  enum Subtraction: Sendable {
    /// In 32-bit integers, which wrap.
    case wrapping
    /// In float32, which rounds what exceeds 2²⁴: see `HybridBatchMatMulKernel`.
    case rounded
  }

  /// How activations are quantized.
  let quantization: HybridQuantization
  private let byProduct: Bool
  private let subtraction: Subtraction
  private let range: ActivationRange<Float>
  private let scales: [Float]
  private let biases: [Float]
  private let columnSums: [Int32]

  /// The format of `arithmetic` with the weights' column sums.
  init(
    _ arithmetic: HybridConvolution, _ quantization: HybridQuantization,
    _ weights: ConstantWeights, columnSums: [Int32], subtraction: Subtraction = .wrapping
  ) {
    self.quantization = quantization
    self.subtraction = subtraction
    self.columnSums = columnSums
    switch arithmetic.scaling {
    case .byProduct: byProduct = true
    case .inTurn: byProduct = false
    }
    range = arithmetic.range
    let filterScales = arithmetic.filterScales
    scales = columnSums.indices.map { filterScales.count == 1 ? filterScales[0] : filterScales[$0] }
    let bias = unsafe weights.biasAddress(as: Float.self)
    biases = columnSums.indices.map { index in unsafe bias.map { unsafe $0[index] } ?? 0 }
  }

  /// Turns a row's sums of `columns` into results, in place.
  func finish(_ row: UnsafeMutableRawPointer, _ columns: Range<Int>, _ input: Affine) {
    unsafe scales.withUnsafeBufferPointer { scales in
      unsafe biases.withUnsafeBufferPointer { biases in
        unsafe columnSums.withUnsafeBufferPointer { columnSums in
          guard let scales = scales.baseAddress, let biases = biases.baseAddress,
            let columnSums = columnSums.baseAddress
          else { return }
          let first = columns.lowerBound
          let constants = unsafe ColumnConstants(
            scales: scales + first, biases: biases + first, sums: columnSums + first)
          unsafe finish(row, columns.count, constants, input)
        }
      }
    }
  }

  /// Constants of the columns from some first one on.
  @unsafe
  private struct ColumnConstants {
    let scales: UnsafePointer<Float>
    let biases: UnsafePointer<Float>
    let sums: UnsafePointer<Int32>
  }

  private func finish(
    _ row: UnsafeMutableRawPointer, _ count: Int, _ constants: ColumnConstants, _ input: Affine
  ) {
    // A loop for each rule, so that each becomes vectors.
    switch subtraction {
    case .wrapping:
      unsafe finish(row, count, constants, input) { sum, columnSum in
        // Wraps as the reference's sum does, which takes the zero point from each activation.
        Float(sum &- input.zeroPoint &* columnSum)
      }
    case .rounded:
      let zeroPoint = Float(input.zeroPoint)
      unsafe finish(row, count, constants, input) { sum, columnSum in
        // A whole number, which goes through a 32-bit integer unchanged or as the least of them.
        let total = Float(sum) - Float(columnSum) * zeroPoint
        return total >= -0x1p31 && total < 0x1p31 ? total : -0x1p31
      }
    }
  }

  @inline(__always)
  private func finish(
    _ row: UnsafeMutableRawPointer, _ count: Int, _ constants: ColumnConstants, _ input: Affine,
    difference: (_ sum: Int32, _ columnSum: Int32) -> Float
  ) {
    let sums = unsafe row.assumingMemoryBound(to: Int32.self)
    let results = unsafe row.assumingMemoryBound(to: Float.self)
    let (lowest, highest) = (range.lowest, range.highest)
    for column in 0..<count {
      let sum = unsafe difference(sums[column], constants.sums[column])
      let scale = unsafe constants.scales[column]
      let product = byProduct ? sum * (input.scale * scale) : sum * scale * input.scale
      let value = unsafe product + constants.biases[column]
      let raised = value < lowest ? lowest : value
      unsafe results[column] = highest < raised ? highest : raised
    }
  }
}
