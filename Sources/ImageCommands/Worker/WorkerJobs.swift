// SPDX-License-Identifier: Apache-2.0

import Compression
import Martlet
import TaskCommands

/// What answers records: a task for each job, and the file of its model.
struct WorkerJobs {
  /// The SHA-256 digest of the file, in hexadecimal.
  let modelDigest: String
  /// What answers, one for each job.
  let answering: [any RecordAnswering]
  /// The members of records that say what is asked about.
  let sources: WorkerRecord.Sources

  /// What the arguments ask for, `count` times.
  ///
  /// - Throws: `CommandError` where an option is wrong, or a model does not fit the task.
  static func made(
    _ task: WorkerTask, count: Int, _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> WorkerJobs {
    let source = try task.model(arguments, console)
    var setup = try TaskSetup(arguments, console, model: source.model, use: .records)
    let digest: String
    // A bundle is no model itself.
    if source.model.lowercased().hasSuffix(".task") {
      let storage = try console.storage(at: source.model)
      digest = SHA256.hexadecimalDigest(storage.bytes)
    } else {
      let model = try console.model(at: source.model)
      let storage = model.storage
      digest = SHA256.hexadecimalDigest(storage.bytes)
      setup.loaded = model
    }
    guard let prepared = try prepared(task, source, setup) else {
      return WorkerJobs(
        modelDigest: digest, answering: try running(setup, count: count), sources: .images)
    }
    var jobs: [any RecordAnswering] = []
    var sources = WorkerRecord.Sources.images
    for _ in 0..<count {
      let made = try prepared.make()
      guard !made.isTracking || count == 1 else {
        throw arguments.usage(
          "--\(task == .detect ? "track" : "video") beside --jobs \(count): one job tracks what moves, record by record"
        )
      }
      sources = WorkerRecord.Sources(made.subject)
      jobs.append(TaskAnswering(task: made, word: task.word))
    }
    return WorkerJobs(modelDigest: digest, answering: jobs, sources: sources)
  }

  /// The task that is asked; nil for running models on tensors.
  private static func prepared(
    _ task: WorkerTask, _ source: ModelPath, _ setup: TaskSetup
  ) throws(CommandError) -> PreparedTask? {
    switch task {
    case .run: return nil
    case .label: return try LabelTask.prepared(setup, source)
    case .detect:
      let model = try setup.mainModel()
      return DetectTask.prepared(
        setup, model,
        try DetectionOptions(setup.arguments, setup.computation, setup.console, model: model))
    case .model(let description): return try description.prepare(setup)
    }
  }

  /// Interpreters that run the model on tensors.
  private static func running(
    _ setup: TaskSetup, count: Int
  ) throws(CommandError) -> [any RecordAnswering] {
    let images = try ImageOptions(setup.arguments).preprocessing
    let model = try setup.mainModel()
    var jobs: [any RecordAnswering] = []
    for _ in 0..<count {
      let interpreter = try setup.computation.interpreter(
        of: model, setup.model, signature: setup.arguments.value("signature"),
        command: setup.arguments.command)
      jobs.append(RunAnswering(interpreter, model: setup.model, images: images))
    }
    return jobs
  }
}
