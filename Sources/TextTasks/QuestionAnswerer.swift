// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks
import Tokenizers

/// Finds the words of a text that answer a question.
///
/// The model is one of BERT's family with three inputs (ids, mask, segment ids) and two outputs
/// (`end_logits`, `start_logits`): a number for each token. Of the five best starts and ends, the
/// pairs with up to 32 tokens are answers; their score is the sum of both numbers. An answerer
/// belongs to one task at a time. Task Library: `BertQuestionAnswerer`.
public final class QuestionAnswerer {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The words, as the text has them.
    public let text: String
    /// The position of its first token among the model's inputs.
    public let start: Int
    /// The position of its last token.
    public let end: Int
    /// The sum of the model's numbers for the two.
    public let logit: Float
  }

  /// The model's interpreter.
  public let interpreter: Interpreter
  private let positions: BERTInputPositions
  private let tokenizer: any Tokenizer
  private let startOutput: Int
  private let endOutput: Int

  /// How many starts, ends and answers are looked at.
  private static let bestCount = 5
  /// The most tokens of an answer.
  private static let longestAnswer = 32

  /// An answerer that runs `model`.
  ///
  /// - Throws: `TaskError` where the model is none that answers questions.
  public init(
    _ model: Model, options: Interpreter.Options = Interpreter.Options()
  ) throws(TaskError) {
    let notes = try ModelNotes(model)
    interpreter = try Interpreter(forTask: model, options: options)
    positions = try BERTInputPositions(interpreter, notes)
    let units = notes.metadata?.subgraphs.first?.inputProcessUnits ?? []
    guard let found = try MetadataTokenizer(units, notes) else {
      throw .incompatibleModel("No input process unit found from metadata.")
    }
    tokenizer = found.tokenizer
    guard interpreter.outputs.count == 2 else {
      throw .incompatibleModel(
        "A model that answers questions has 2 outputs, this one \(interpreter.outputs.count).")
    }
    endOutput = notes.position(of: "end_logits", among: notes.outputs) ?? 0
    startOutput = notes.position(of: "start_logits", among: notes.outputs) ?? 1
    guard startOutput != endOutput, max(startOutput, endOutput) < 2 else {
      throw .incompatibleModel("the metadata's names do not tell the two outputs apart")
    }
  }

  /// The answers to a question.
  ///
  /// - Parameters:
  ///   - question: the question; of its tokens, the first 64 count.
  ///   - context: the text with the answer; what is beyond the model's length is not seen.
  /// - Returns: the answers, best first, at most five.
  /// - Throws: `TaskError` when a text cannot become tokens or the model fails.
  public func answers(to question: String, in context: String) throws(TaskError) -> [Answer] {
    let asked = try Self.inputs(question, context, tokenizer, positions.length)
    try positions.feed(asked.inputs, to: interpreter)
    try interpreter.invokeForTask()
    let starts = try interpreter.values(ofOutput: startOutput)
    let ends = try interpreter.values(ofOutput: endOutput)
    var answers: [Answer] = []
    for start in Self.best(starts) {
      for end in Self.best(ends) where end >= start && end - start < Self.longestAnswer {
        guard let text = asked.answer(from: start, through: end) else { continue }
        answers.append(
          Answer(text: text, start: start, end: end, logit: starts[start] + ends[end]))
      }
    }
    answers.sort { ($1.logit, $0.start, $0.end) < ($0.logit, $1.start, $1.end) }
    return Array(answers.prefix(Self.bestCount))
  }

  private static func inputs(
    _ question: String, _ context: String, _ tokenizer: some Tokenizer, _ length: Int?
  ) throws(TaskError) -> QuestionInputs {
    try tokenized { () throws(TokenizerError) in
      try QuestionInputs(
        query: question, context: context, tokenizer: tokenizer,
        length: length ?? QuestionInputs.defaultLength)
    }
  }

  /// The positions of the largest numbers, largest first; of equal ones, the first.
  private static func best(_ values: [Float]) -> [Int] {
    let known = values.indices.filter { !values[$0].isNaN }
    return Array(known.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(bestCount))
  }
}
