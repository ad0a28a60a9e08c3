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
    if let told = node.outputs.first.flatMap({ operationCounts[$0] }), told > limit {
      throw InferenceError(.operationLimit(needed: told == .max ? nil : told, limit: limit))
    }
    // Every operator's work is a few times that of each element with each, at the most.
    let largest = max(largestCount(of: node.inputs), largestCount(of: node.outputs))
    let (pairs, overflow) = largest.multipliedReportingOverflow(by: largest)
    guard overflow || pairs > limit / max(Self.mostOperands, node.inputs.count) else { return }
    let needed = operationCount(of: node)
    guard let needed, needed <= limit else {
      if needed == nil, node.identity.code == .custom { return }
      throw InferenceError(.operationLimit(needed: needed, limit: limit))
    }
  }

  /// The elements of the largest of these tensors, at least one; axes without elements count as if
  /// they had one.
  private func largestCount(of tensors: [Int]) -> Int {
    tensors.reduce(1) { largest, tensor in
      guard types.indices.contains(tensor), let type = types[tensor] else { return largest }
      return max(largest, type.withFullAxes.shape.elementCount)
    }
  }

  /// The operations of a node: multiply-adds, or numbers that are computed one by one; nil where
  /// its types do not tell.
  ///
  /// Axes without elements count as if they had one.
  func operationCount(of node: ModelFile.Node) -> Int? {
    nodeWork(node).operationCount
  }

  /// The bytes of these tensors, as far as they have any.
  func byteCount(of tensors: [Int]) -> Int {
    tensors.reduce(0) { sum, tensor in
      sum + (bytes.indices.contains(tensor) ? bytes[tensor]?.byteCount ?? 0 : 0)
    }
  }

  /// What computing a node once costs, in the units of `Limits.workCount`.
  func work(of node: ModelFile.Node, isOptimized: Bool) -> Int {
    nodeWork(node).units(
      isOptimized: isOptimized,
      operationCount: node.outputs.first.flatMap { operationCounts[$0] },
      stringByteCount: comparedByteCount(of: node))
  }

  private func nodeWork(_ node: ModelFile.Node) -> NodeWork {
    NodeWork(node) { [types] in types.indices.contains($0) ? types[$0]?.withFullAxes : nil }
  }

  /// Bytes of strings that a node reads or compares at the most, as far as they are known.
  private func comparedByteCount(of node: ModelFile.Node) -> Int {
    let strings = node.inputs.filter {
      types.indices.contains($0) && types[$0]?.elementType == .string
    }
    guard !strings.isEmpty else { return 0 }
    let outputCount = node.outputs.first.flatMap {
      types.indices.contains($0) ? types[$0]?.shape.elementCount : nil
    }
    let (each, all) = strings.reduce((Int.max, 0)) { counts, tensor in
      let byteCount = bytes[tensor]?.byteCount ?? 0
      let count = max(types[tensor]?.shape.elementCount ?? 1, 1)
      let repeats = max((outputCount ?? 0) / count, 1)
      return (min(counts.0, Checked.product(byteCount, repeats) ?? .max), counts.1 + byteCount)
    }
    return strings.count > 1 ? max(each, all) : all
  }

  /// More than any operator has weights.
  private static let mostOperands = 64
}
