// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

extension TensorTable {
  /// Refuses a node whose types tell that it takes more operations than `limit`: multiply-adds, or
  /// numbers that are computed one by one.
  ///
  /// Axes without elements count as if they had one, for loops go over the others. Custom operators
  /// of the caller are taken for quick.
  ///
  /// - Throws: `InferenceError` with the reason `operationLimit`.
  func checkWork(of node: ModelFile.Node, limit: Int) throws(InferenceError) {
    // Every operator's work is a few times that of each element with each, at the most.
    let largest = (node.inputs + node.outputs).reduce(1) { largest, tensor in
      guard types.indices.contains(tensor), let type = types[tensor] else { return largest }
      return max(largest, type.withFullAxes.shape.elementCount)
    }
    let (pairs, overflow) = largest.multipliedReportingOverflow(by: largest)
    guard overflow || pairs > limit / Self.mostOperands else { return }
    let needed = operationCount(of: node)
    guard let needed, needed <= limit else {
      if needed == nil, node.identity.code == .custom { return }
      throw InferenceError(.operationLimit(needed: needed, limit: limit))
    }
  }

  /// The operations of a node: multiply-adds, or numbers that are computed one by one; nil where
  /// its types do not tell.
  ///
  /// Axes without elements count as if they had one.
  func operationCount(of node: ModelFile.Node) -> Int? {
    NodeWork(node) { types.indices.contains($0) ? types[$0]?.withFullAxes : nil }.operationCount
  }

  /// More than any operator has weights.
  private static let mostOperands = 64
}
