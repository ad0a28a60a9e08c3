// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TensorType {
  /// Why a tensor of this type is more than `limit` bytes allow; nil where it is not.
  ///
  /// - Parameters:
  ///   - byteCount: what it takes; nil where that is unknown or more than memory.
  ///   - limit: the most bytes of a tensor.
  func excess(of byteCount: Int?, over limit: Int) -> InferenceError.Reason? {
    guard let byteCount, byteCount <= limit else {
      return .memoryLimit(needed: byteCount, limit: limit)
    }
    return emptyExcess(over: limit)
  }

  /// Why a tensor without elements has longer axes than `limit` bytes allow; nil where it has not.
  ///
  /// It takes no memory, but loops over its other axes take their time: they may be as long as if
  /// the axis without elements had one.
  func emptyExcess(over limit: Int) -> InferenceError.Reason? {
    guard shape.elementCount == 0 else { return nil }
    let positions = shape.dimensions.reduce(1) { $0 * max($1, 1) }
    let byteCount = elementType.bitCount == nil ? positions : elementType.byteCount(of: positions)
    guard let byteCount, byteCount <= limit else {
      return .invalidGraph(
        "is empty, but its axes (\(shape)) are longer than a tensor of \(limit) bytes can have")
    }
    return nil
  }
}
