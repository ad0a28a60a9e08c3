// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import TextTasks

/// What texts say.
enum ReadTask {
  /// The options that say what is told of a text.
  static let descriptions: [OptionDescription] =
    [
      .value("question", "text", "Find the words of each text that answer this question."),
      .value(
        "text-input", "name", "The model's input that takes the text; by default, the usual one."),
      .value("scores", "name", "The model's output of scores; by default, each that can be."),
      .value("label-output", "name", "The model's output that has the labels of the scores."),
      .leastScore,
    ] + LabelOptions.descriptions(of: "a text") + ComputationOptions.descriptions

  /// The task that the arguments ask for.
  ///
  /// Records may have questions of their own, so that a worker looks at the model where no option
  /// tells what it does.
  static func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let question = setup.arguments.value("question")
    let scores = setup.arguments.value("scores")
    guard question == nil || scores == nil else {
      throw setup.arguments.usage("--scores beside --question, which has no use for it")
    }
    let model = try setup.mainModel()
    if question != nil || setup.use == .records && scores == nil && answersQuestions(model) {
      return answering(question, model, setup)
    }
    return try classifying(model, setup)
  }

  private static func answersQuestions(_ model: Model) -> Bool {
    do throws(TaskError) { _ = try QuestionAnswerer(model) } catch { return false }
    return true
  }

  /// The task that says what `ask` reads in a text, perhaps with a question.
  private static func task(
    columns: [String], _ setup: TaskSetup,
    _ ask: @escaping (String, String?) throws(TaskError) -> TaskAnswer
  ) -> AskedTask {
    let model = setup.model
    return AskedTask(
      "read", model: model, columns: columns, limits: setup.console.limits,
      .text({ (text, question, location) throws(CommandError) in
        do throws(TaskError) { return try ask(text, question) } catch {
          throw CommandError(error, model: model, subject: location)
        }
      }))
  }

  private static func classifying(
    _ model: Model, _ setup: TaskSetup
  ) throws(CommandError) -> PreparedTask {
    let arguments = setup.arguments
    let labels = try LabelOptions(arguments, setup.console)
    var options = TextClassifier.Options()
    options.classes = try ClassificationOptions(arguments, labels)
    options.interpreter = setup.computation.interpreter
    options.input = tensor("text-input", arguments)
    options.scores = tensor("scores", arguments)
    options.labelOutput = tensor("label-output", arguments)
    return PreparedTask { [options] () throws(CommandError) in
      let classifier: TextClassifier
      do throws(TaskError) { classifier = try TextClassifier(model, options: options) } catch {
        throw CommandError(error, model: labels.file ?? setup.model)
      }
      if options.labelOutput == nil { try labels.check(classifier.labels, setup) }
      return task(columns: TaskAnswer.classColumns, setup) { (text, _) throws(TaskError) in
        TaskAnswer(try classifier.classify(text))
      }
    }
  }

  private static func answering(
    _ given: String?, _ model: Model, _ setup: TaskSetup
  ) -> PreparedTask {
    PreparedTask { () throws(CommandError) in
      let answerer: QuestionAnswerer
      do throws(TaskError) {
        answerer = try QuestionAnswerer(model, options: setup.computation.interpreter)
      } catch {
        throw CommandError(error, model: setup.model)
      }
      var task = task(columns: ["rank", "answer", "start", "end", "logit"], setup) {
        (text, asked) throws(TaskError) in
        let question = asked ?? given ?? ""
        return TaskAnswer(try answerer.answers(to: question, in: text), to: question)
      }
      task.question = given == nil ? .wanted : .given
      return task
    }
  }

  /// The tensor that an option names, by position where it is a number.
  private static func tensor(_ option: String, _ arguments: ParsedArguments) -> TensorChoice? {
    arguments.value(option).map { word in Int(word).map { .position($0) } ?? .name(word) }
  }
}

extension TaskAnswer {
  /// What answers a question.
  fileprivate init(_ answers: [QuestionAnswerer.Answer], to question: String) {
    self.init()
    lines = answers.map { "  \($0.text)  \(Double($0.logit).fixed(4))".narrow }
    if answers.isEmpty { lines = ["  no answer"] }
    members = JSON.record([
      "question": .string(question), "answers": .array(answers.map(\.json)),
    ])
    rows = answers.enumerated().map { rank, answer in
      ["\(rank + 1)", answer.text, "\(answer.start)", "\(answer.end)", "\(answer.logit)"]
    }
  }
}

extension QuestionAnswerer.Answer {
  /// The answer for a program.
  fileprivate var json: JSON {
    .record([
      "answer": .string(text), "start": .integer(start), "end": .integer(end),
      "logit": .float(logit),
    ])
  }
}
