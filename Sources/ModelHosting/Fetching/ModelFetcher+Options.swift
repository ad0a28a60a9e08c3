// SPDX-License-Identifier: Apache-2.0

extension ModelFetcher {
  /// The limits that requests have.
  public struct Options: Sendable {
    /// The time that a fetch may take in all: waiting, retries, and the whole file.
    public var deadline = Duration.seconds(600)
    /// The longest time in which nothing arrives.
    public var idleTimeout = Duration.seconds(60)
    /// How many requests in a row may fail for the moment or bring nothing new.
    public var maximumAttempts = 4
    /// The pause after the first failure; it doubles from one to the next.
    public var backOff = Duration.milliseconds(500)
    /// The longest pause; a host that asks for more with `Retry-After` is not asked again.
    public var longestPause = Duration.seconds(30)
    /// How many redirects are followed.
    public var maximumRedirects = 5
    /// The most bytes that a model may have.
    public var maximumModelSize = 2 << 30
    /// Whether `http` may go to other machines than this one.
    ///
    /// Whoever is on the way then sees the key and can exchange the model, hash and all.
    public var allowsPlainHTTP = false

    /// The limits that fit most uses.
    public init() {}
  }
}
