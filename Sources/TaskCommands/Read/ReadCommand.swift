// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import TextTasks

/// `martlet read`: what texts say.
package struct ReadCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let model: String
  private let texts: [String]
  private let question: String?

  package static let description = CommandDescription(
    "read", "Say what texts are about, or what in them answers a question.",
    discussion: """
      The model takes strings, or the numbers of tokens that the tokenizer in its metadata makes: a \
      regular expression's, BERT's or SentencePiece's. With --question, it is one that answers \
      questions, and each text is where the answer is looked for.
      """,
    arguments: [
      ArgumentDescription("model", "A .tflite file.", completion: .files(["tflite"])),
      ArgumentDescription("text", "A text.", isOptional: true, isRepeated: true),
    ],
    options: [
      .value(
        "lines", "file", "Read each line of a file as a text; - is standard input.",
        completion: .files(["txt"])),
      .value(
        "file", "file", "Read a file as one text; repeat for several.", isRepeated: true,
        completion: .files(["txt"])),
      .value("question", "text", "Find the words of each text that answer this question."),
      .value(
        "text-input", "name", "The model's input that takes the text; by default, the usual one."),
      .value("scores", "name", "The model's output of scores; by default, each that can be."),
      .value("label-output", "name", "The model's output that has the labels of the scores."),
      .leastScore,
    ] + LabelOptions.descriptions(of: "a text") + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in try ReadCommand(arguments, console).run() }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    model = arguments.argument("model") ?? ""
    question = arguments.value("question")
    var texts = arguments.allArguments("text")
    if let path = arguments.value("lines") {
      texts += LabelMap.lines(of: try console.read(path)).filter { !$0.isEmpty }
    }
    for path in arguments.allValues("file") {
      texts.append(String(decoding: try console.read(path), as: UTF8.self))
    }
    guard !texts.isEmpty else {
      throw arguments.usage(
        "no text", hint: "'\(arguments.command) MODEL TEXT…', or --lines FILE, or --file FILE")
    }
    self.texts = texts
    guard question == nil || arguments.value("scores") == nil else {
      throw arguments.usage("--scores beside --question, which has no use for it")
    }
  }

  private func run() throws(CommandError) -> ExitCode {
    let computation = try ComputationOptions(arguments)
    let loaded = try console.model(at: model)
    let columns =
      question == nil ? TaskAnswer.classColumns : ["rank", "answer", "start", "end", "logit"]
    let task = TaskRun(
      name: "read", subject: .text, model: model, columns: columns, computation: computation,
      form: try OutputForm(arguments), console: console)
    let ask: Asking
    if let question {
      ask = try answering(question, loaded, computation)
    } else {
      ask = try classifying(loaded, computation)
    }
    return try task.run(texts) { text throws(CommandError) in
      do throws(TaskError) { return try ask(text) } catch {
        throw CommandError(error, model: model, subject: text)
      }
    }
  }

  /// What a task says of a text.
  private typealias Asking = (String) throws(TaskError) -> TaskAnswer

  private func classifying(
    _ model: Model, _ computation: ComputationOptions
  ) throws(CommandError) -> Asking {
    let labels = try LabelOptions(arguments, console)
    var options = TextClassifier.Options()
    options.classes = try ClassificationOptions(arguments, labels)
    options.interpreter = computation.interpreter
    options.input = tensor("text-input")
    options.scores = tensor("scores")
    options.labelOutput = tensor("label-output")
    let classifier: TextClassifier
    do throws(TaskError) { classifier = try TextClassifier(model, options: options) } catch {
      throw CommandError(error, model: labels.file ?? self.model)
    }
    if options.labelOutput == nil {
      try labels.checkNames(classifier.labels, command: arguments.command)
      if classifier.labels.allSatisfy({ $0 == nil }) { console.note(LabelOptions.missingLabels) }
    }
    return { text throws(TaskError) in TaskAnswer(try classifier.classify(text)) }
  }

  private func answering(
    _ question: String, _ model: Model, _ computation: ComputationOptions
  ) throws(CommandError) -> Asking {
    let answerer: QuestionAnswerer
    do throws(TaskError) {
      answerer = try QuestionAnswerer(model, options: computation.interpreter)
    } catch {
      throw CommandError(error, model: self.model)
    }
    return { text throws(TaskError) in
      let answers = try answerer.answers(to: question, in: text)
      var result = TaskAnswer()
      result.lines = answers.map { "  \($0.text)  \(Double($0.logit).fixed(4))".narrow }
      if answers.isEmpty { result.lines = ["  no answer"] }
      result.members = JSON.record([
        "question": .string(question), "answers": .array(answers.map(\.json)),
      ])
      result.rows = answers.enumerated().map { rank, answer in
        ["\(rank + 1)", answer.text, "\(answer.start)", "\(answer.end)", "\(answer.logit)"]
      }
      return result
    }
  }

  /// The tensor that an option names, by position where it is a number.
  private func tensor(_ option: String) -> TensorChoice? {
    arguments.value(option).map { word in Int(word).map { .position($0) } ?? .name(word) }
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
