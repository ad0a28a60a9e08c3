// SPDX-License-Identifier: Apache-2.0

import Imaging
import JSONDocuments

/// What a task says of one image, sound or text.
struct TaskAnswer {
  /// For a reader, without the subject's name.
  var lines: [String] = []
  /// For a program, the members behind the subject's name.
  var members: JSON = .object([])
  /// Rows of a table, without the subject's name.
  var rows: [[String?]] = []
  /// The image with what was found drawn into it.
  var picture: PixelBuffer?
}

/// A task asked about several subjects: what is printed, and what happens to errors.
struct TaskRun {
  /// What the subjects are.
  enum Subject: String {
    case image
    case sound
    case text
  }

  /// The name of the document: `segment` of `martlet/segment/1`.
  let name: String
  let subject: Subject
  /// The path of the model.
  let model: String
  /// The columns of the table behind the subject's own.
  let columns: [String]
  let computation: ComputationOptions
  let form: OutputForm
  /// Where annotated images go; nil for nowhere.
  var annotation: AnnotationOutput?
  let console: any Console

  /// Asks about each subject and prints the answers.
  ///
  /// One subject that fails is the command's error; of several, the others go on.
  func run(
    _ subjects: [String], _ ask: (String) throws(CommandError) -> TaskAnswer
  ) throws(CommandError) -> ExitCode {
    var outcomes: [Outcome] = []
    for (number, subject) in subjects.enumerated() {
      var outcome = Outcome(name: subject)
      do throws(CommandError) {
        let answer = try ask(subject)
        if let annotation, let picture = answer.picture {
          outcome.annotated = try annotation.write(
            picture, of: subject, number: number, console)
        }
        outcome.answer = answer
      } catch {
        guard subjects.count > 1 else { throw error }
        let diagnostic = Diagnostic(error)
        console.note(diagnostic.line + "\n")
        outcome.diagnostic = diagnostic
      }
      outcomes.append(outcome)
    }
    switch form {
    case .text: try console.print(text(outcomes))
    case .json: try console.print(document(outcomes))
    case .csv: try console.print(table(outcomes).text)
    }
    return outcomes.allSatisfy { $0.diagnostic == nil } ? .success : .failure
  }

  /// A subject with its answer, or why there is none.
  private struct Outcome {
    let name: String
    var answer: TaskAnswer?
    var annotated: String?
    var diagnostic: Diagnostic?
  }

  private func text(_ outcomes: [Outcome]) -> String {
    var lines = ["model \(model)", computation.summary]
    for outcome in outcomes {
      guard let answer = outcome.answer else { continue }
      lines.append(subject == .text ? outcome.name.narrow : outcome.name)
      lines += answer.lines
    }
    return lines.joined(separator: "\n")
  }

  private func document(_ outcomes: [Outcome]) -> JSON {
    let answers = outcomes.map { outcome in
      JSON.record([subject.rawValue: .string(outcome.name)])
        .adding(outcome.answer?.members ?? .object([]))
        .adding([
          "annotated": outcome.annotated.map { .string($0) },
          "error": outcome.diagnostic.map { .string("\($0.what) (\($0.location))") },
        ])
    }
    return JSON.record(["schema": .string("martlet/\(name)/1"), "model": .string(model)])
      .adding(computation.members).adding(["\(subject.rawValue)s": .array(answers)])
  }

  private func table(_ outcomes: [Outcome]) -> CSVTable {
    var table = CSVTable([subject.rawValue] + columns)
    for outcome in outcomes {
      for row in outcome.answer?.rows ?? [] { table.add([outcome.name] + row) }
    }
    return table
  }
}
