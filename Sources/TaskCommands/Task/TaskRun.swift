// SPDX-License-Identifier: Apache-2.0

import Formatting
package import JSONDocuments

/// A task asked about several subjects: what is printed, and what happens to errors.
package struct TaskRun {
  /// What answers a subject; the text is where it comes from.
  package typealias Asking = (TaskSubject, String) throws(CommandError) -> TaskAnswer

  let task: AskedTask
  let form: OutputForm
  let console: any Console
  /// What stands above the answers, for a reader.
  package var heading: [String]
  /// The same for a program.
  package var members: JSON
  /// Where annotated images go; nil for nowhere.
  package var annotation: AnnotationOutput?
  /// What answers; the task unless a command has more to say.
  package var ask: Asking
  /// What is done once all subjects are asked about, before anything is printed.
  package var finish: () -> Void = {}
  private let computation: JSON

  /// A run of `task`, computed and printed as the arguments say.
  package init(_ task: AskedTask, _ setup: TaskSetup) throws(CommandError) {
    self.task = task
    console = setup.console
    form = try OutputForm(setup.arguments)
    heading = setup.heading
    members = ["model": .string(task.model)]
    computation = setup.computation.members
    ask = { subject, location throws(CommandError) in try task.answer(subject, at: location) }
  }

  /// Asks about each of these files, and prints the answers.
  package func run(files: [String]) throws(CommandError) -> ExitCode {
    try run(files) { path throws(CommandError) in try ask(.file(try console.read(path)), path) }
  }

  /// Asks about each of these texts, and prints the answers.
  func run(texts: [String]) throws(CommandError) -> ExitCode {
    try run(texts) { text throws(CommandError) in try ask(.text(text, question: nil), text) }
  }

  /// One subject that fails is the command's error; of several, the others go on.
  private func run(
    _ subjects: [String], _ answer: (String) throws(CommandError) -> TaskAnswer
  ) throws(CommandError) -> ExitCode {
    var outcomes: [Outcome] = []
    for (number, subject) in subjects.enumerated() {
      var outcome = Outcome(name: subject)
      do throws(CommandError) {
        let answer = try answer(subject)
        if let annotation, let drawn = answer.image {
          outcome.annotated = try annotation.write(
            drawn, of: subject, number: number, console)
        }
        outcome.answer = answer
      } catch {
        guard subjects.count > 1 else { throw error }
        outcome.diagnostic = noted(error)
      }
      outcomes.append(outcome)
    }
    finish()
    switch form {
    case .text: try console.print((heading + outcomes.flatMap(lines)).joined(separator: "\n"))
    case .json: try console.print(document(outcomes))
    case .csv: try console.print(table(outcomes).text)
    }
    return outcomes.allSatisfy { $0.diagnostic == nil } ? .success : .failure
  }

  /// An error that is told, and does not end the run.
  func noted(_ error: CommandError) -> Diagnostic {
    let diagnostic = Diagnostic(error)
    console.note(diagnostic.line + "\n")
    return diagnostic
  }

  /// A subject with its answer, or why there is none.
  struct Outcome {
    let name: String
    var answer: TaskAnswer?
    var annotated: String?
    var diagnostic: Diagnostic?
  }

  /// What was found, for a reader.
  func lines(_ outcome: Outcome) -> [String] {
    (outcome.answer?.sections ?? []).flatMap { section in
      let name = section.name.map { "\(outcome.name), \($0)" } ?? outcome.name
      return [task.subject == .text ? name.narrow : name] + section.lines
    }
  }

  /// The members of an outcome behind those that name it.
  func members(of outcome: Outcome) -> JSON {
    (outcome.answer?.members ?? .object([])).adding([
      "annotated": outcome.annotated.map { .string($0) },
      "error": outcome.diagnostic.map { .string("\($0.what) (\($0.location))") },
    ])
  }

  private func document(_ outcomes: [Outcome]) -> JSON {
    let subject = task.subject.rawValue
    let answers = outcomes.map { outcome in
      JSON.record([subject: .string(outcome.name)]).adding(members(of: outcome))
    }
    return JSON.record(["schema": .string("martlet/\(task.name)/1")]).adding(members)
      .adding(computation).adding(["\(subject)s": .array(answers)])
  }

  private func table(_ outcomes: [Outcome]) -> CSVTable {
    var table = CSVTable([task.subject.rawValue] + task.columns)
    for outcome in outcomes {
      for row in outcome.answer?.rows ?? [] { table.add([outcome.name] + row) }
    }
    return table
  }
}
