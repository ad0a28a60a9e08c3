// SPDX-License-Identifier: Apache-2.0

import ResourceLimits

/// What the subgraphs of an interpreter may take together: one count of memory, which lasts, and
/// one of work, which begins anew with each invocation.
struct SessionBudget {
  /// Bytes that may be held.
  let byteLimit: Int
  private let workLimit: Int
  /// Bytes that are held.
  private(set) var heldByteCount = 0
  /// Work of this invocation.
  private(set) var workCount = 0

  /// All that `limits` allow.
  init(_ limits: Limits) {
    byteLimit = limits.arenaByteCount
    workLimit = limits.workCount
  }

  /// Bytes that may still be taken.
  var freeByteCount: Int { max(byteLimit - heldByteCount, 0) }

  /// Work that may still be done.
  var freeWorkCount: Int { max(workLimit - workCount, 0) }

  /// Takes memory; `wanted` is nil for more than 64 bits can count.
  ///
  /// - Throws: `InferenceError` where there is less.
  mutating func take(_ wanted: Int?) throws(InferenceError) {
    guard let wanted, wanted <= freeByteCount else {
      let needed = wanted.map { heldByteCount.addingReportingOverflow($0) }
      throw InferenceError(
        .memoryLimit(
          needed: needed.flatMap { $0.overflow ? nil : $0.partialValue }, limit: byteLimit))
    }
    heldByteCount += wanted
  }

  /// Gives back what was taken.
  mutating func giveBack(_ byteCount: Int) { heldByteCount -= byteCount }

  /// Starts an invocation.
  mutating func beginInvocation() { workCount = 0 }

  /// Takes work; nil for more than 64 bits can count.
  ///
  /// - Throws: `InferenceError` where less is left.
  mutating func work(_ wanted: Int?) throws(InferenceError) {
    guard let wanted, wanted <= freeWorkCount else {
      let needed = wanted.map { workCount.addingReportingOverflow($0) }
      throw InferenceError(
        .workLimit(needed: needed.flatMap { $0.overflow ? nil : $0.partialValue }, limit: workLimit)
      )
    }
    workCount += wanted
  }
}
