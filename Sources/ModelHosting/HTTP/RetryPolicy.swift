// SPDX-License-Identifier: Apache-2.0

/// How often a request that failed for the moment is made again, and after which pause.
struct RetryPolicy: Sendable {
  /// The most requests in a row that get nowhere.
  let maximumAttempts: Int
  /// The first pause; each further one is twice as long.
  let backOff: Duration
  /// The longest pause, whoever asks for it.
  let longestPause: Duration

  /// The pause after the failed attempt with this number, counted from 1; nil to give up.
  ///
  /// A host that asks for more than the longest pause does not want to be asked again.
  func pause(after attempt: Int, retryAfter: Duration? = nil) -> Duration? {
    guard attempt < maximumAttempts else { return nil }
    if let retryAfter {
      return retryAfter <= longestPause ? max(retryAfter, .zero) : nil
    }
    // Programs that failed together must not come back together.
    let growth = Double(1 << min(attempt - 1, 16)) * Double.random(in: 0.75...1.25)
    return min(backOff * growth, longestPause)
  }

  /// What `Retry-After` asks for in seconds; a date there is left to the back-off.
  static func retryAfter(_ head: HTTPHead) -> Duration? {
    guard let text = head["Retry-After"], !text.isEmpty,
      text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
    else { return nil }
    return .seconds(Int(text).map { min($0, 1_000_000_000) } ?? 1_000_000_000)
  }
}
