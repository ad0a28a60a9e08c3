// SPDX-License-Identifier: Apache-2.0

import Microkernels
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

  private let byProduct: Bool
  private let subtraction: Subtraction
  private let range: ActivationRange<Float>
  private let scales: [Float]
  private let biases: [Float]
  private let columnSums: [Int32]

  /// The format of `arithmetic` with the weights' column sums.
  init(
    _ arithmetic: HybridConvolution, _ weights: ConstantWeights, columnSums: [Int32],
    subtraction: Subtraction = .wrapping
  ) {
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

  /// Turns sums of `columns` into results, in place: those of rows of one image that are `stride`
  /// bytes apart.
  func finish(
    _ first: UnsafeMutableRawPointer, rowCount: Int = 1, stride: Int = 0, _ columns: Range<Int>,
    _ input: HybridAffine, _ kernels: HybridMicrokernels
  ) {
    unsafe withUnsafePointer(to: input) { input in
      unsafe finish(
        first, rowCount: rowCount, stride: stride, columns, inputs: input, isByRow: false, kernels)
    }
  }

  /// Turns sums of `columns` into results, in place: those of rows that are `stride` bytes apart, each
  /// of an image of its own, for which there is one of `inputs`.
  func finish(
    _ first: UnsafeMutableRawPointer, rowCount: Int, stride: Int, _ columns: Range<Int>,
    each inputs: UnsafePointer<HybridAffine>, _ kernels: HybridMicrokernels
  ) {
    unsafe finish(
      first, rowCount: rowCount, stride: stride, columns, inputs: inputs, isByRow: true, kernels)
  }

  private func finish(
    _ first: UnsafeMutableRawPointer, rowCount: Int, stride: Int, _ columns: Range<Int>,
    inputs: UnsafePointer<HybridAffine>, isByRow: Bool, _ kernels: HybridMicrokernels
  ) {
    unsafe scales.withUnsafeBufferPointer { scales in
      unsafe biases.withUnsafeBufferPointer { biases in
        unsafe columnSums.withUnsafeBufferPointer { columnSums in
          guard let scales = scales.baseAddress, let biases = biases.baseAddress,
            let columnSums = columnSums.baseAddress
          else { return }
          let column = columns.lowerBound
          unsafe kernels.finish(
            HybridFinish(
              sums: first, stride: stride, rowCount: rowCount, columnCount: columns.count,
              scales: scales + column, biases: biases + column, columnSums: columnSums + column,
              inputs: inputs, hasInputPerRow: isByRow, scalesInTurn: !byProduct,
              roundsSums: subtraction == .rounded, lowest: range.lowest, highest: range.highest))
        }
      }
    }
  }
}
