// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet

/// `martlet worker`: one process that answers a stream of records.
package struct WorkerCommand {
  private let options: WorkerRun.Options
  private let outputPath: String?
  private let jobs: WorkerJobs
  private let summarizesAsJSON: Bool
  private let console: any Console

  private static let words = WorkerTask.allCases.map(\.word)

  package static let description = CommandDescription(
    "worker", "Answer a stream of records: JSON documents, one a line, in and out.",
    discussion: """
      Each line of standard input is a record: {"id": …, "path": FILE}, {"id": …, \
      "image_base64": …}, {"id": …, "sound_base64": …}, {"id": …, "text": …} or a request of the \
      Open Inference Protocol, {"id": …, "inputs": […]}. Each has one line of output, {"id": …, \
      "labels" or "objects" or "outputs": …}, with what --json of the task's command says, or \
      {"id": …, "error": {"code": …, "message": …}}, in the same order; the first error is the \
      last line unless --keep-going is given. The model is loaded once; without one, label and \
      detect use the bundled ones.

      SIGTERM, SIGINT and SIGHUP end the input: records that were begun are answered, and the \
      exit code is 143, 130 or 129. A second signal ends the process at once. Docs/Worker.md has \
      all there is to know.
      """,
    options: [
      .value(
        "model", letter: "m", "file",
        "The model, a .task file of several, or the manifest of an AutoML model.",
        completion: .files(["tflite", "task", "json"])),
      .value(
        "task", "name", "What is done with records: \(words.joined(separator: ", ")).",
        defaultValue: WorkerTask.label.word, completion: .words(words)),
      .value("jobs", "n", "How many records at a time.", defaultValue: "1"),
      .flag("unordered", "Write answers as they come, not in the order of the records."),
      .flag("keep-going", "Answer all records, also those after an error."),
      .value("shard", "i/n", "Only lines whose number divided by n leaves i."),
      .value(
        "resume", "file", "Pass over the records that this earlier output answers.",
        completion: .files([])),
      .value(
        "output", letter: "o", "file", "Append the answers to this file.", completion: .files([])),
      .value(
        "max-line-bytes", "n", "The most bytes of a line.",
        defaultValue: "\(WorkerRun.Options.usualLineLimit)"),
      .flag("no-timing", "Leave out timing_ms, so that equal answers are equal bytes."),
    ] + WorkerTask.descriptions + ComputationOptions.descriptions + [
      .flag("json", "Print the summary on standard error as a JSON document.")
    ]
  ) { arguments, console throws(CommandError) in
    try WorkerCommand(arguments, console).run()
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    let task = arguments.value("task").flatMap(WorkerTask.init) ?? .label
    try task.check(arguments)
    self.console = console
    summarizesAsJSON = arguments.flag("json")
    outputPath = arguments.value("output")
    let jobCount = try arguments.integer("jobs", default: 1, in: 1...1024)
    var options = WorkerRun.Options(
      rules: AnswerSequence.Rules(
        window: 2 * jobCount, isOrdered: !arguments.flag("unordered"),
        endsAtFailure: !arguments.flag("keep-going")))
    options.lineLimit = try arguments.integer(
      "max-line-bytes", default: WorkerRun.Options.usualLineLimit, in: 1...InputFile.byteLimit)
    options.showsTiming = !arguments.flag("no-timing")
    if let text = arguments.value("shard") {
      guard let shard = WorkerShard(text) else {
        throw arguments.usage("'\(text)' for '--shard', wanted i/n with i from 0 to n - 1")
      }
      options.shard = shard
    }
    options.earlier = try Self.earlierOutput(arguments)
    jobs = try WorkerJobs.made(task, count: jobCount, arguments, console)
    options.sources = jobs.sources
    self.options = options
  }

  /// What `--resume` names; nothing where that is the output and there is none yet.
  private static func earlierOutput(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> EarlierOutput? {
    guard let path = arguments.value("resume") else { return nil }
    if path == arguments.value("output"), Folder.kind(of: path) == nil { return nil }
    return try EarlierOutput(path: path)
  }

  private func run() throws(CommandError) -> ExitCode {
    do throws(FileSystemError) {
      // First, or the output file would get the number of a standard input that is closed.
      let input = try console.streamInput()
      let output = try WorkerOutput(console, path: outputPath)
      let run = WorkerRun(input, modelDigest: jobs.modelDigest, options: options) {
        line, tally throws(FileSystemError) in try output.write(line, tally)
      }
      let outcome: WorkerRun.Outcome
      do {
        defer { output.clearProgress() }
        outcome = try run.run(jobs.answering)
      }
      if outcome.hasFailed, !summarizesAsJSON {
        console.note("hint: --keep-going answers the records behind an error\n")
      }
      console.note(
        (summarizesAsJSON ? output.json(outcome.tally).compactText : output.summary(outcome.tally))
          + "\n")
      if outcome.hasFailed { return .failure }
      return input.signal?.exitCode ?? .success
    } catch {
      throw .file(error)
    }
  }
}
