// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TemporaryFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A signal that asks a process to end.
package enum TerminationSignal: Sendable {
  /// `SIGINT`: somebody pressed Ctrl-C.
  case interrupt
  /// `SIGTERM`.
  case terminate
  /// `SIGHUP`: the terminal was closed.
  case hangUp

  /// What a process that it ended tells the shell.
  package var exitCode: ExitCode {
    switch self {
    case .interrupt: .interrupted
    case .terminate: .terminated
    case .hangUp: .hungUp
    }
  }
}

/// `SIGTERM`, `SIGINT` and `SIGHUP` of this process.
///
/// They are blocked and a thread waits for them, so that no handler runs in the midst of anything.
/// One that the process was started to ignore, as shells do for what runs in the background and
/// `nohup` does, stays so. A signal removes the temporary files and ends the process; the first one
/// only tells the listener where there is one.
package final class TerminationSignals: Sendable {
  private struct State {
    var received: TerminationSignal?
    var listener: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Takes the signals over, for threads that are made later too.
  package init() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] where !Self.isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    detachThread { [self] in
      while true { take(Self.wait(for: waited)) }
    }
  }

  /// The first signal, if one came while there was a listener.
  var received: TerminationSignal? { state.withLock { $0.received } }

  /// Has the first signal call `listener`, on a thread of its own, instead of ending the
  /// process.
  package func listen(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.listener = listener }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let before = signal(number, SIG_IGN)
    _ = signal(number, before)
    let (found, ignoring) = unsafe (
      unsafeBitCast(before, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self)
    )
    return found == ignoring
  }

  private static func wait(for signals: sigset_t) -> Int32 {
    var signals = signals
    var number: Int32 = 0
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }

  private func take(_ number: Int32) {
    let signal: TerminationSignal =
      switch number {
      case SIGINT: .interrupt
      case SIGHUP: .hangUp
      default: .terminate
      }
    let listener = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.received == nil, let listener = state.listener else { return nil }
      state.received = signal
      return listener
    }
    guard let listener else {
      TemporaryNames.removeAll { _exit(signal.exitCode.rawValue) }
    }
    listener()
  }
}
