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
    var types = types
    var largest = 1
    for tensor in node.inputs + node.outputs where types.indices.contains(tensor) {
      guard let type = types[tensor] else { continue }
      let full = type.withFullAxes
      if type.shape.elementCount == 0 { types[tensor] = full }
      largest = max(largest, full.shape.elementCount)
    }
    // Every operator's work is a few times that of each element with each, at the most.
    let (pairs, overflow) = largest.multipliedReportingOverflow(by: largest)
    guard overflow || pairs > limit / Self.mostOperands else { return }
    let operands = NodeOperands(node, GraphTensors(activations: types))
    guard let products = operands.multiplyAdds else {
      if node.identity.code == .custom { return }
      throw InferenceError(.operationLimit(needed: nil, limit: limit))
    }
    let needed = products == 0 ? operands.elementOperations : products
    guard let needed, needed <= limit else {
      throw InferenceError(.operationLimit(needed: needed, limit: limit))
    }
  }

  /// More than any operator has weights.
  private static let mostOperands = 64
}
