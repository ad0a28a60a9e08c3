// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Notes which case is at hand, for whoever looks after a crash, and ends the process at one that
/// hangs.
final class CaseProgress: Sendable {
  /// Seconds that a case may take.
  private static let timeLimit = 10

  private let state: FileHandle
  private let current = Atomic(-1)

  /// Progress noted in the file at `path`.
  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let state = FileHandle(forWritingAtPath: path)
    else {
      throw CocoaError(.fileWriteUnknown)
    }
    self.state = state
    Thread.detachNewThread { [self] in watch() }
  }

  /// Takes up a case.
  func begin(_ number: Int) {
    current.store(number, ordering: .relaxed)
    state.seek(toFileOffset: 0)
    // As many digits for every number, so that a shorter one leaves nothing of a longer one.
    let digits = String(number)
    state.write(Data((String(repeating: "0", count: 12 - digits.count) + digits).utf8))
  }

  /// Says that there are no more cases.
  func end() { current.store(-1, ordering: .relaxed) }

  private func watch() {
    var (last, seconds) = (-1, 0)
    while true {
      sleep(1)
      let number = current.load(ordering: .relaxed)
      seconds = number == last && number >= 0 ? seconds + 1 : 0
      last = number
      if seconds >= Self.timeLimit { _exit(99) }
    }
  }
}
