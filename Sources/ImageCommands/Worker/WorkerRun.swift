// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import JSONDocuments
import Martlet
import OptimizedKernels
import Synchronization

/// Reads records, has them answered by several jobs at a time, and writes the answers.
///
/// Each job reads its next record when it is done with the one before, so there is no queue between
/// reading and computing that could grow.
final class WorkerRun: Sendable {
  /// What a run does with records.
  struct Options {
    var rules: AnswerSequence.Rules
    /// The most bytes of a line.
    var lineLimit = usualLineLimit
    var shard = WorkerShard.whole
    /// What records ask about.
    var sources = WorkerRecord.Sources.images
    /// What need not be answered again.
    var earlier: EarlierOutput?
    /// Whether answers say how long they took.
    var showsTiming = true

    /// The most bytes of a line where nothing else is said: 64 MiB.
    static let usualLineLimit = 64 << 20
  }

  private let options: Options
  private let input: any StreamedInput
  private let modelDigest: String
  private let lines: Mutex<LineReader>
  private let sequence: AnswerSequence

  /// A run over the lines of `input`.
  ///
  /// - Parameters:
  ///   - input: the records.
  ///   - modelDigest: the SHA-256 digest of the model's file, which every answer repeats.
  ///   - options: what is done with the records.
  ///   - write: writes the line of an answer.
  init(
    _ input: any StreamedInput, modelDigest: String, options: Options,
    write: @escaping @Sendable ([UInt8], WorkerTally) throws(FileSystemError) -> Void
  ) {
    self.options = options
    self.input = input
    self.modelDigest = modelDigest
    lines = Mutex(
      LineReader(limit: options.lineLimit) { count throws(FileSystemError) in
        try input.next(count)
      })
    sequence = AnswerSequence(options.rules, write: write) { input.stop() }
  }

  /// How a run ended.
  struct Outcome {
    let tally: WorkerTally
    /// Whether the error of a record ended it.
    let hasFailed: Bool
  }

  /// Answers all records; each of `jobs` is used by one thread.
  ///
  /// - Throws: `FileSystemError` where the records cannot be read or the answers not be written.
  func run(_ jobs: [any RecordAnswering]) throws(FileSystemError) -> Outcome {
    let team = WorkerTeam(workerCount: jobs.count)
    // Each block is taken by one thread, and with it one job.
    nonisolated(unsafe) let shared = jobs
    team.region {
      team.perform(blockCount: jobs.count) { [self] next in
        while let index = next() { unsafe work(shared[index]) }
      }
    }
    if let error = sequence.error { throw error }
    return Outcome(tally: sequence.tally, hasFailed: sequence.hasFailed)
  }

  /// Answers records until there are no more.
  private func work(_ job: any RecordAnswering) {
    while let taken = take() { sequence.finish(taken.number, answer(taken, job)) }
  }

  /// A line that this run is to answer.
  private struct Taken {
    /// Its place among these lines.
    let number: Int
    let line: LineReader.Line
    /// The record, if its identifier was asked for.
    var record: WorkerRecord?
    /// Whether an earlier run has answered it.
    var isAnswered = false
  }

  /// The next line that this run is to answer; nil where there is none.
  private func take() -> Taken? {
    lines.withLock { lines in
      // Lines that were read together with those begun before a signal came are not begun any more.
      guard sequence.waitForRoom(), input.signal == nil else { return nil }
      do throws(FileSystemError) {
        while let line = try lines.next() {
          guard options.shard.contains(line: line.number), !line.isBlank else { continue }
          var taken = Taken(number: sequence.begin(), line: line)
          // In the order of the lines: of several records with one identifier the first have answers.
          if let earlier = options.earlier, earlier.hasAnswers {
            let record = WorkerRecord(line, options.sources)
            taken.isAnswered = earlier.takeAnswer(to: record.id)
            taken.record = record
          }
          return taken
        }
        sequence.end()
      } catch {
        sequence.end(error)
      }
      return nil
    }
  }

  private func answer(
    _ taken: Taken, _ job: any RecordAnswering
  ) -> AnswerSequence.Answer {
    if taken.isAnswered { return AnswerSequence.Answer(line: nil, isFailure: false) }
    let clock = ContinuousClock()
    let start = clock.now
    let record = taken.record ?? WorkerRecord(taken.line, options.sources)
    var document = JSON.record(["id": record.id])
    var isFailure = false
    do throws(WorkerFailure) {
      let result = try job.answer(try record.content.get())
      let milliseconds = ((clock.now - start).milliseconds * 1000).rounded() / 1000
      document = document.adding(result).adding([
        "model_sha256": .string(modelDigest),
        "timing_ms": options.showsTiming ? .number(milliseconds) : nil,
      ])
    } catch {
      isFailure = true
      document = document.adding(["error": error.json])
    }
    return AnswerSequence.Answer(
      line: Array((document.compactText + "\n").utf8), isFailure: isFailure)
  }
}
