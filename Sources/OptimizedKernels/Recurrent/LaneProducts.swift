// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Products of a recurrent cell with float weights: the same sums in the same order.
///
/// Products of several vectors at once, which sum in other orders, are the reference kernel's.
struct LaneProducts: CellProducts {
  private let base: FloatCellProducts

  /// The products of `base`.
  init(_ base: FloatCellProducts) { self.base = base }

  static var isHybrid: Bool { FloatCellProducts.isHybrid }

  @_lifetime(quantizedValues: copy quantizedValues)
  func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Float>) -> Affine {
    unsafe vector.withUnsafeBufferPointer { source in
      unsafe quantizedValues.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        unsafe target.update(from: source, count: vector.count)
      }
    }
    return Affine(scale: 1, zeroPoint: 0)
  }

  @_lifetime(result: copy result)
  func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Float>, bias: Span<Float>, to result: inout MutableSpan<Float>,
    _ steps: inout S, about: (Int, inout S) -> Void
  ) {
    let rows = product.rows
    guard let order = order(rows: rows),
      let weights = unsafe frame.inputAddress(product.weights)
    else {
      base.multiply(
        product, frame, vector, as: quantizedValues, bias: bias, to: &result, &steps,
        about: about)
      return
    }
    unsafe quantizedValues.withUnsafeBufferPointer { quantizedValues in
      unsafe bias.withUnsafeBufferPointer { bias in
        unsafe result.withUnsafeMutableBufferPointer { result in
          guard let quantizedValues = quantizedValues.baseAddress, let result = result.baseAddress
          else { return }
          let lanes = unsafe LaneRows(
            weights: weights.assumingMemoryBound(to: Float.self), vector: quantizedValues,
            depth: product.columns, order: order)
          unsafe multiply(lanes, rows, bias.isEmpty ? nil : bias.baseAddress, result)
        }
      }
    }
  }

  /// The simple cells' products begin with the bias; Eigen's take it last.
  private func multiply(
    _ product: LaneRows, _ rows: Int, _ bias: UnsafePointer<Float>?,
    _ result: UnsafeMutablePointer<Float>
  ) {
    guard unsafe product.order == .crosswise else {
      unsafe product.multiply(rowCount: rows, starts: bias, to: result)
      return
    }
    unsafe product.multiply(rowCount: rows, starts: nil, to: result)
    for row in 0..<rows { unsafe result[row] += bias?[row] ?? 0 }
  }

  private func order(rows: Int) -> LaneRows.Order? {
    switch base.library {
    case .neon: .inTurn
    case .eigen(let vectorCount): vectorCount == 1 && rows > 1 ? .crosswise : nil
    }
  }

  func real(_ quantized: Float, at position: Int) -> Float { quantized }
}
