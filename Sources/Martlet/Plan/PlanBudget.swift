// SPDX-License-Identifier: Apache-2.0

import ResourceLimits
import Tensors

/// What a plan may still take.
///
/// Everything that a plan holds in memory is taken from it: variables, constants that are computed
/// or unpacked while planning, the arena with the scratch of kernels, and what a run allocates for
/// nodes whose shapes only it knows. So is the work of computing constants.
struct PlanBudget {
  /// Bytes that may still be taken.
  private(set) var byteCount: Int
  /// Bytes that were taken.
  private(set) var takenByteCount = 0
  /// Operations that planning may still take.
  private(set) var operationCount: Int

  /// All that the limits of a run allow.
  init(_ limits: Limits) {
    byteCount = limits.arenaByteCount
    operationCount = limits.nodeOperationCount
  }

  /// Takes memory; `wanted` is nil for more than 64 bits can count.
  ///
  /// - Throws: `InferenceError` where there is less.
  mutating func take(_ wanted: Int?) throws(InferenceError) {
    guard let wanted, wanted <= byteCount else {
      throw InferenceError(.memoryLimit(needed: wanted, limit: byteCount))
    }
    byteCount -= wanted
    takenByteCount += wanted
  }

  /// Takes what computing a node while planning needs, if there is as much: the memory of its
  /// outputs, and operations, nil for an unknown number.
  mutating func takes(_ outputs: [TensorType], operationCount operations: Int?) -> Bool {
    var total = 0
    for output in outputs {
      guard let bytes = output.byteCount else { return false }
      let (sum, overflow) = total.addingReportingOverflow(bytes)
      guard !overflow else { return false }
      total = sum
    }
    let operations = operations ?? 0
    guard total <= byteCount, operations <= operationCount else { return false }
    byteCount -= total
    takenByteCount += total
    operationCount -= operations
    return true
  }
}
