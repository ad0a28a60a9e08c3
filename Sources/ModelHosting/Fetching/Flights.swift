// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The downloads that are under way in this process, by model, and who waits for them.
final class Flights: Sendable {
  typealias Outcome = Result<CustomModel, HostingError>
  typealias Job =
    @Sendable (_ report: @escaping ModelFetcher.ProgressHandler) async throws(HostingError)
    -> CustomModel

  private struct Waiter {
    let continuation: CheckedContinuation<Outcome, Never>
    let progress: ModelFetcher.ProgressHandler?
  }

  private struct Flight {
    let number: Int
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
    /// Whether it goes on though nobody waits.
    var isWanted = false
  }

  private struct State {
    var flights: [String: Flight] = [:]
    var count = 0
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Begins the job, unless it is under way, and lets it end by itself.
  func start(_ name: String, _ job: @escaping Job) {
    state.withLock { state in
      begin(name, job, &state)
      state.flights[name]?.isWanted = true
    }
  }

  /// Waits for the job's end, and begins it unless it is under way.
  func join(
    _ name: String, progress: ModelFetcher.ProgressHandler?, _ job: @escaping Job
  ) async throws(HostingError) -> CustomModel {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard state.cancelled.remove(number) == nil else { return true }
          begin(name, job, &state)
          state.flights[name]?.waiters[number] = Waiter(
            continuation: continuation, progress: progress)
          return false
        }
        if isCancelled { continuation.resume(returning: Self.cancellation) }
      }
    } onCancel: {
      leave(name, number)
    }
    // A cancellation that came too late has left its number.
    state.withLock { _ = $0.cancelled.remove(number) }
    return try outcome.get()
  }

  private static let cancellation = Outcome.failure(
    HostingError(.cancelled, .file, "cancelled"))

  private func begin(_ name: String, _ job: @escaping Job, _ state: inout State) {
    guard state.flights[name] == nil else { return }
    state.count += 1
    let number = state.count
    state.flights[name] = Flight(number: number)
    state.flights[name]?.task = Task {
      let outcome: Outcome
      do throws(HostingError) {
        outcome = .success(try await job { self.report($0, name, number) })
      } catch {
        outcome = .failure(error)
      }
      self.end(name, number, outcome)
    }
  }

  private func report(_ fraction: Float, _ name: String, _ number: Int) {
    let handlers = state.withLock { state -> [ModelFetcher.ProgressHandler] in
      guard let flight = state.flights[name], flight.number == number else { return [] }
      return flight.waiters.values.compactMap(\.progress)
    }
    for handler in handlers { handler(fraction) }
  }

  private func end(_ name: String, _ number: Int, _ outcome: Outcome) {
    let waiters = state.withLock { state -> [Waiter] in
      guard let flight = state.flights[name], flight.number == number else { return [] }
      state.flights[name] = nil
      return Array(flight.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: outcome) }
  }

  /// A waiter goes; the last one takes the flight with it.
  private func leave(_ name: String, _ number: Int) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.flights[name]?.waiters.removeValue(forKey: number) else {
        state.cancelled.insert(number)
        return (nil, nil)
      }
      guard let flight = state.flights[name], flight.waiters.isEmpty, !flight.isWanted else {
        return (waiter, nil)
      }
      // Whoever asks from now on gets a flight of their own.
      state.flights[name] = nil
      return (waiter, flight.task)
    }
    task?.cancel()
    waiter?.continuation.resume(returning: Self.cancellation)
  }
}
