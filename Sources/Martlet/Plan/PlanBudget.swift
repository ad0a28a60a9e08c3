// SPDX-License-Identifier: Apache-2.0

import Tensors

/// What a plan may still take of what its session may.
///
/// Everything that a plan holds in memory is taken from it: variables, what kernels keep from run to
/// run, constants that are computed or unpacked while planning, what is packed of them, and the
/// arena with the scratch of kernels.
/// So is the work of planning. A session counts what its plans took (`SessionBudget`).
struct PlanBudget {
  /// Bytes that may still be taken.
  private(set) var byteCount: Int
  /// Bytes that were taken.
  private(set) var takenByteCount = 0
  /// Work that planning took.
  private(set) var takenWorkCount = 0
  private var workCount: Int
  /// Bytes that computed constants leave for the arena.
  private let arenaByteCount: Int
  private let session: SessionBudget

  /// All that the session has left.
  init(_ session: SessionBudget) {
    self.session = session
    byteCount = session.freeByteCount
    arenaByteCount = session.freeByteCount / 4
    workCount = session.freeWorkCount
  }

  /// The same, after the session has taken or given back something else.
  func renewed(_ session: SessionBudget) -> PlanBudget {
    var budget = PlanBudget(session)
    budget.takenByteCount = takenByteCount
    budget.byteCount = max(budget.byteCount - takenByteCount, 0)
    return budget
  }

  /// Takes memory; `wanted` is nil for more than 64 bits can count.
  ///
  /// - Throws: `InferenceError` where there is less.
  mutating func take(_ wanted: Int?) throws(InferenceError) {
    guard let wanted, wanted <= byteCount else {
      var all = session
      try all.take(takenByteCount)
      try all.take(wanted)
      return
    }
    byteCount -= wanted
    takenByteCount += wanted
  }

  /// The error of taking more than 64 bits can count.
  var excess: InferenceError {
    InferenceError(.memoryLimit(needed: nil, limit: session.byteLimit))
  }

  /// Takes memory that the plan can do without, if there is as much besides that of the arena.
  mutating func takes(_ wanted: Int) -> Bool {
    guard wanted <= byteCount - arenaByteCount else { return false }
    byteCount -= wanted
    takenByteCount += wanted
    return true
  }

  /// Takes what computing a node while planning needs, if there is as much besides what runs need:
  /// the memory of its outputs, and work.
  mutating func takes(_ outputs: [TensorType], work: Int) -> Bool {
    var total = 0
    for output in outputs {
      guard let bytes = output.byteCount else { return false }
      let (sum, overflow) = total.addingReportingOverflow(bytes)
      guard !overflow else { return false }
      total = sum
    }
    guard work <= workCount / 2, takes(total) else { return false }
    workCount -= work
    takenWorkCount += work
    return true
  }

  /// Takes the work of preparing a node.
  ///
  /// - Throws: `InferenceError` where less is left.
  mutating func work(_ wanted: Int) throws(InferenceError) {
    guard wanted <= workCount else {
      var all = session
      try all.work(takenWorkCount)
      try all.work(wanted)
      return
    }
    workCount -= wanted
    takenWorkCount += wanted
  }
}
