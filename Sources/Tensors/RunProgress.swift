// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a run shall go on: kernels that take long ask while they compute.
///
/// Any thread may ask, and any may request the run to stop.
public final class RunProgress: Sendable {
  private let isCancelled = Atomic(false)
  /// When the run must be over, in nanoseconds after `origin`; the largest number for never.
  private let deadline = Atomic(Int64.max)
  private let origin = ContinuousClock.now

  /// A run that goes on for as long as it needs.
  public init() {}

  /// Starts a run that must be over at `end`; nil for whenever it is.
  package func begin(until end: ContinuousClock.Instant?) {
    deadline.store(end.map { nanoseconds(at: $0) } ?? .max, ordering: .relaxed)
  }

  /// Requests the run to stop.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Forgets a request to stop.
  package func clear() { isCancelled.store(false, ordering: .relaxed) }

  /// Whether somebody requested the run to stop.
  package var wasCancelled: Bool { isCancelled.load(ordering: .relaxed) }

  /// Whether the run has taken all of its time.
  package var isOverdue: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    return deadline != .max && nanoseconds(at: .now) > deadline
  }

  /// Whether the run shall not go on.
  public var mustStop: Bool { wasCancelled || isOverdue }

  private func nanoseconds(at instant: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = (instant - origin).components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow, abs(product) < .max / 2 else { return .max }
    return product + attoseconds / 1_000_000_000
  }
}
