// SPDX-License-Identifier: Apache-2.0

/// A run that goes on to its end: a page waits for its kernels.
public final class RunProgress: Sendable {
  /// False.
  public var mustStop: Bool { false }
}
