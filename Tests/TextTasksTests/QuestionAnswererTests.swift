// SPDX-License-Identifier: Apache-2.0

import Testing
import TextTasks

/// Answering questions from texts.
@Suite struct QuestionAnswererTests {
  /// The numbers of tokens are the lines: `[PAD]` is 0, `red` 5.
  private static let vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nred\n##dish\nfox\nwho\n"

  @Test func `the best start and end make the answer, as the text writes it`() throws {
    let model = try WordModels.answerer(
      starts: [0, 0, 9, 9, 1, 5, 0, 2, 9], ends: [0, 0, 9, 9, 0, 1, 2, 6, 9], length: 12,
      vocabulary: Self.vocabulary)
    let answers = try QuestionAnswerer(model).answers(to: "Who", in: "The  Reddish Fox")
    // [CLS] who [SEP] the red ##dish fox [SEP]: marks and the question are no answers.
    let best = try #require(answers.first)
    #expect(best.text == "Reddish Fox")
    #expect(best.start == 4)
    #expect(best.end == 6)
    #expect(best.logit == 11)
    #expect(answers.allSatisfy { $0.end >= $0.start && $0.start >= 3 && $0.end <= 6 })
  }

  @Test func `a text that is not seen has no answer`() throws {
    let model = try WordModels.answerer(
      starts: Array(repeating: 1, count: 9), ends: Array(repeating: 1, count: 9), length: 3,
      vocabulary: Self.vocabulary)
    #expect(try QuestionAnswerer(model).answers(to: "who", in: "the fox").isEmpty)
  }

  @Test func `numbers that are none are no answers`() throws {
    let values = Array(repeating: Float.nan, count: 9)
    let model = try WordModels.answerer(
      starts: values, ends: values, length: 12, vocabulary: Self.vocabulary)
    #expect(try QuestionAnswerer(model).answers(to: "who", in: "the fox").isEmpty)
  }
}
