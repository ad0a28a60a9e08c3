// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import JSONDocuments
import Martlet

/// Where a worker's answers go, and what a terminal shows of its progress.
///
/// One thread at a time uses it.
final class WorkerOutput: Sendable {
  // Threads write answers in turn, under the lock of the sequence.
  private nonisolated(unsafe) let console: any Console
  private nonisolated(unsafe) let file: AppendedFile?
  private nonisolated(unsafe) var shown: ContinuousClock.Instant?
  private let start = ContinuousClock.now
  private let isProgressShown: Bool

  /// Answers go to the file at `path`, behind what it has; without one, to standard output.
  init(_ console: any Console, path: String?) throws(FileSystemError) {
    unsafe self.console = console
    unsafe file = try path.map { path throws(FileSystemError) in try AppendedFile(at: path) }
    isProgressShown = console.showsProgress
  }

  /// Writes a line, so that whoever waits for it can read it.
  func write(_ line: [UInt8], _ tally: WorkerTally) throws(FileSystemError) {
    if let file = unsafe file { try file.append(line) } else { unsafe try console.write(line) }
    showProgress(tally)
  }

  private func showProgress(_ tally: WorkerTally) {
    guard isProgressShown else { return }
    let now = ContinuousClock.now
    if let last = unsafe shown, now - last < .milliseconds(100) { return }
    unsafe shown = now
    unsafe console.note("\r\u{1B}[K\(summary(tally))")
  }

  /// Clears the line of a terminal, whatever comes after it.
  func clearProgress() {
    if unsafe shown != nil { unsafe console.note("\r\u{1B}[K") }
  }

  /// What was done so far, for a reader.
  func summary(_ tally: WorkerTally) -> String {
    "\(tally.answered) record\(tally.answered == 1 ? "" : "s"), \(rate(tally).short(3)) per second, \(tally.failed) failed"
      + (tally.passedOver > 0 ? ", \(tally.passedOver) answered before" : "")
  }

  /// The same for a program.
  func json(_ tally: WorkerTally) -> JSON {
    [
      "schema": "martlet/worker/1", "records": .integer(tally.answered),
      "failed": .integer(tally.failed), "answered_before": .integer(tally.passedOver),
      "seconds": .number(seconds),
    ]
  }

  private var seconds: Double { (ContinuousClock.now - start).milliseconds / 1000 }

  private func rate(_ tally: WorkerTally) -> Double {
    seconds > 0 ? Double(tally.answered) / seconds : 0
  }
}
