// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Synchronization

/// Standard input in pieces that a test prepares.
final class CapturedInput: StreamedInput {
  private struct State {
    var pieces: ArraySlice<[UInt8]>
    var isStopped = false
    var signal: TerminationSignal?
  }

  private let state: Mutex<State>
  /// Told before a piece is given out, with how many have been.
  private let willGive: @Sendable (Int) -> Void
  private let pieceCount: Int

  init(_ pieces: [[UInt8]], willGive: @escaping @Sendable (Int) -> Void = { _ in }) {
    state = Mutex(State(pieces: pieces[...]))
    pieceCount = pieces.count
    self.willGive = willGive
  }

  func next(_ count: Int) throws(FileSystemError) -> [UInt8]? {
    willGive(pieceCount - state.withLock { $0.pieces.count })
    return state.withLock { state in
      if state.isStopped { return nil }
      guard let piece = state.pieces.popFirst() else { return [] }
      if piece.count > count { state.pieces = [Array(piece[count...])] + state.pieces }
      return Array(piece.prefix(count))
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Stops the input as a signal would.
  func stop(by signal: TerminationSignal) {
    state.withLock { state in
      state.isStopped = true
      state.signal = signal
    }
  }

  var signal: TerminationSignal? { state.withLock { $0.signal } }
}
