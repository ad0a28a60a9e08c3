// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageCodecs
import OptimizedKernels
import ResourceLimits
import Synchronization

/// What a model says about one image, or why nobody knows, and how long it took.
struct ImageOutcome<Answer: Sendable>: Sendable {
  let answer: Result<Answer, CommandError>
  let times: ImageTimes
}

/// Asks a model about images, several at a time if wanted.
struct ImageRun {
  /// How many images are worked on at a time.
  let jobs: Int
  let console: any Console

  /// What is said about each item.
  ///
  /// - Parameters:
  ///   - items: images, with what belongs to them.
  ///   - worker: makes what answers; each job has its own, with an interpreter of its own. What
  ///     it answers must not depend on what it was asked before.
  /// - Returns: the outcomes in the order of the items, whatever the number of jobs.
  /// - Throws: what `worker` throws.
  func outcomes<Item: Sendable, Answer: Sendable>(
    _ items: [Item],
    worker: @escaping @Sendable () throws(CommandError) -> (Item) -> ImageOutcome<Answer>
  ) throws(CommandError) -> [ImageOutcome<Answer>] {
    let progress = ProgressLine(console, total: items.count)
    defer { progress.clear() }
    let shelf = Shelf<Answer>(count: items.count)
    let team = WorkerTeam(workerCount: min(jobs, items.count))
    team.region {
      team.perform(blockCount: items.count) { next in
        do throws(CommandError) {
          let answer = try worker()
          while let index = next() {
            shelf.put(answer(items[index]), at: index)
            progress.advance()
          }
        } catch {
          shelf.fail(error)
        }
      }
    }
    return try shelf.outcomes()
  }
}

/// Where the threads of a run put their outcomes.
private final class Shelf<Answer: Sendable>: Sendable {
  private struct Content {
    var outcomes: [ImageOutcome<Answer>?]
    var failure: CommandError?
  }

  private let content: Mutex<Content>

  init(count: Int) { content = Mutex(Content(outcomes: Array(repeating: nil, count: count))) }

  func put(_ outcome: ImageOutcome<Answer>, at index: Int) {
    content.withLock { $0.outcomes[index] = outcome }
  }

  func fail(_ error: CommandError) { content.withLock { $0.failure = error } }

  func outcomes() throws(CommandError) -> [ImageOutcome<Answer>] {
    let (outcomes, failure) = content.withLock { ($0.outcomes, $0.failure) }
    // A thread that could not begin leaves its images to the others.
    if let failure, outcomes.contains(where: { $0 == nil }) { throw failure }
    return outcomes.compactMap(\.self)
  }
}

/// How far a run is, on one line of a terminal.
private final class ProgressLine: Sendable {
  // Nobody else uses the console during a run, and threads only with the lock held.
  private nonisolated(unsafe) let console: any Console
  private let isShown: Bool
  private let total: Int
  private let done = Mutex(0)

  init(_ console: any Console, total: Int) {
    unsafe self.console = console
    isShown = console.showsProgress
    self.total = total
  }

  func advance() {
    guard isShown else { return }
    done.withLock { done in
      let before = done * 100 / total
      done += 1
      if done * 100 / total != before || done == 1 {
        unsafe console.note("\r\(done) of \(total) images")
      }
    }
  }

  /// Clears the line, whatever comes after it.
  func clear() {
    if isShown { unsafe console.note("\r\u{1B}[K") }
  }
}

/// The image in a file, read on any thread.
func decodedImage(at path: String, limits: Limits) throws(CommandError) -> DecodedImage {
  let bytes: [UInt8]
  do throws(FileSystemError) { bytes = try InputFile.bytes(ofRegularFile: path) } catch {
    throw .file(error)
  }
  return try decodedImage(bytes, path: path, limits: limits)
}
