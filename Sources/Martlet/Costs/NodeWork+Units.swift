// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How long a kernel takes for parts of its work, in the units of `Limits.workCount`: about an
/// eighth of a nanosecond, rather more than less.
private struct WorkRates {
  /// A multiply-add.
  let product: Int
  /// A number that is computed by itself.
  let number: Int
  /// A byte that is read or written.
  let byte: Int

  static let reference = WorkRates(product: 20, number: 128, byte: 32)
  static let optimized = WorkRates(product: 1, number: 128, byte: 8)
}

extension NodeWork {
  /// What each node costs besides its values.
  static let nodeWork = 1 << 12
  /// What a node costs that is prepared, while planning or in a run.
  static let preparationWork = 1 << 16
  private static let vectorWidth = 16
  /// What a call of a subgraph costs besides its nodes.
  static let callWork = 1 << 13

  /// What computing the node once costs, in the units of `Limits.workCount`.
  ///
  /// Numbers that nothing tells count as none: those of custom operators of the caller.
  ///
  /// - Parameters:
  ///   - isOptimized: whether an optimized kernel computes the node.
  ///   - operationCount: numbers that are computed, if the operator told them.
  ///   - stringByteCount: bytes of strings that are read or compared.
  /// - Returns: the units, at the most as many as 64 bits hold.
  func units(isOptimized: Bool, operationCount: Int?, stringByteCount: Int) -> Int {
    let rates = isOptimized ? WorkRates.optimized : .reference
    let products = multiplyAdds ?? 0
    let numbers = operationCount ?? (products == 0 ? elementOperations : 0) ?? 0
    // Optimized kernels compute as many channels at once as there are, up to the width of vectors.
    let channels = types.output(0)?.shape.dimensions.last.map { max($0, 1) } ?? 1
    let product = isOptimized ? max(Self.vectorWidth / channels, rates.product) : rates.product
    let reads = entry?.reads ?? .everything
    var byteCount: Int? = stringByteCount
    for input in 0..<types.inputCount {
      byteCount = Checked.sum(byteCount, reads.byteCount(ofInput: input, types) ?? 0)
    }
    for output in 0..<types.outputCount {
      byteCount = Checked.sum(byteCount, types.output(output)?.byteCount ?? 0)
    }
    var units = Checked.sum(Self.nodeWork, Checked.product(products, product))
    units = Checked.sum(units, Checked.product(numbers, rates.number))
    return Checked.sum(units, Checked.product(byteCount, rates.byte)) ?? .max
  }
}
