// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

extension ModelFetcher {
  /// The model called `name`, for programs that have nothing else to do meanwhile.
  ///
  /// Blocks the calling thread, which must not be one of Swift's concurrency pool.
  ///
  /// - Parameters:
  ///   - name: the name by which the host knows the model.
  ///   - type: which version is wanted.
  ///   - progress: takes how much of the file has arrived, on the calling thread.
  /// - Returns: the model, whose file is on disk.
  /// - Throws: `HostingError`.
  package func fetchBlocking(
    name: String, type: ModelDownloadType, progress: ((Float) -> Void)? = nil
  ) throws(HostingError) -> CustomModel {
    let watch = FetchWatch()
    Task {
      do throws(HostingError) {
        watch.end(.success(try await fetch(name: name, type: type) { watch.advance(to: $0) }))
      } catch {
        watch.end(.failure(error))
      }
    }
    var shown: Float = 0
    while true {
      // Progress is shown a few times in a second, whoever reports how much more often.
      if let outcome = watch.outcome(within: .milliseconds(progress == nil ? 60_000 : 100)) {
        return try outcome.get()
      }
      let fraction = watch.fraction
      if fraction != shown { progress?(fraction) }
      shown = fraction
    }
  }
}

/// How far a fetch is, for a thread that waits for it.
private final class FetchWatch: Sendable {
  typealias Outcome = Result<CustomModel, HostingError>

  private let state = Mutex<(fraction: Float, outcome: Outcome?)>((0, nil))
  private let end = DispatchSemaphore(value: 0)

  var fraction: Float { state.withLock { $0.fraction } }

  func advance(to fraction: Float) { state.withLock { $0.fraction = fraction } }

  func end(_ outcome: Outcome) {
    state.withLock { $0.outcome = outcome }
    end.signal()
  }

  /// The outcome; nil where it does not come in this time.
  func outcome(within time: DispatchTimeInterval) -> Outcome? {
    _ = end.wait(timeout: .now() + time)
    return state.withLock { $0.outcome }
  }
}
