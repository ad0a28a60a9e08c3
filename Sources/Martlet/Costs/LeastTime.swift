// SPDX-License-Identifier: Apache-2.0

package import OptimizedKernels

/// The least time that a node could take on a machine, and what it is that takes so long.
package struct LeastTime: Sendable, Equatable {
  /// What limits a node.
  package enum Bound: String, Sendable {
    /// Multiply-adds of floats.
    case float
    /// Multiply-adds of 8-bit integers.
    case byte = "int8"
    /// Bytes that are read or written.
    case memory
  }

  /// Seconds of one evaluation.
  package let seconds: Double
  /// What takes them.
  package let bound: Bound

  /// The least time for `cost`; nil where the cost is not known.
  ///
  /// Arithmetic at the rate of bare multiply-adds, reading at that of plain reading and writing at
  /// that of plain copying happen at the same time; the longest counts. The rates of memory are
  /// those for as many bytes as the node touches.
  package init?(_ cost: NodeCost, on limits: MachineLimits) {
    guard let products = cost.multiplyAdds, let read = cost.readByteCount,
      let written = cost.writtenByteCount, let moved = cost.movedByteCount
    else { return nil }
    let threads = Double(limits.threadCount)
    let rates = limits.memory.sample(moved)
    let memory =
      max(Double(read) / rates.reading, 2 * Double(written) / rates.copying) / threads
    let arithmetic: (seconds: Double, bound: Bound)
    switch cost.arithmetic {
    case .float: arithmetic = (Double(products) / limits.floatRate, .float)
    case .byte: arithmetic = (Double(products) / limits.byteRate, .byte)
    }
    let isArithmetic = arithmetic.seconds > memory
    seconds = isArithmetic ? arithmetic.seconds : memory
    bound = isArithmetic ? arithmetic.bound : .memory
  }
}
