// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TensorType {
  /// Why a tensor of this type that takes `byteCount` bytes, nil if that is unknown or beyond 64
  /// bits, is more than `limit` bytes allow; nil where it is not.
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
    let full = withFullAxes
    guard full.byteCount ?? full.shape.elementCount <= limit else {
      return .invalidGraph(
        "is empty, but its axes (\(shape)) are longer than a tensor of \(limit) bytes can have")
    }
    return nil
  }

  /// The same type with an element along each axis that has none.
  @inline(__always)
  var withFullAxes: TensorType { shape.elementCount == 0 ? lengthened : self }

  private var lengthened: TensorType {
    (try? Shape(shape.dimensions.map { max($0, 1) })).map(with(shape:)) ?? self
  }
}
