// SPDX-License-Identifier: Apache-2.0

import Martlet
import MetadataFormat
import Testing
import TextTasks

/// Classifying texts.
@Suite struct TextClassifierTests {
  private static let vocabulary = "<PAD> 0\n<START> 1\n<UNKNOWN> 2\ngood 3\nbad 4\n"

  /// A classifier that counts good and bad words among the first seven.
  private static func sentiment(
    _ change: (inout SubgraphMetadata) -> Void = { _ in }, vocabulary: String = vocabulary,
    pattern: String? = #"[^\w']+"#
  ) throws -> Model {
    try WordModels.classifier(
      [[0, 0], [0, 0], [0, 0], [0, 8], [8, 0]], length: 8,
      metadata: { graph in
        graph.inputs[0].processUnits = [
          .regexTokenizer(
            RegexTokenizerOptions(
              delimiterPattern: pattern,
              vocabularyFiles: [AssociatedFile(name: "vocab.txt", kind: .vocabulary)]))
        ]
        graph.outputs[0].associatedFiles = [
          AssociatedFile(name: "labels.txt", kind: .tensorAxisLabels)
        ]
        change(&graph)
      }, files: [("vocab.txt", vocabulary), ("labels.txt", "Negative\nPositive\n")])
  }

  private static func scores(_ text: String, _ classifier: TextClassifier) throws -> [String: Float]
  {
    let head = try #require(try classifier.classify(text).first)
    return Dictionary(uniqueKeysWithValues: head.classifications.map { ($0.className, $0.score) })
  }

  @Test(arguments: [
    ("good, good!", 2, 0), ("bad", 0, 1), ("", 0, 0), ("what?", 0, 0),
    ("bad good bad good bad good bad good bad", 3, 4),
  ])
  func `words of the vocabulary count, as many as the model takes`(
    text: String, good: Float, bad: Float
  ) throws {
    let classifier = try TextClassifier(try Self.sentiment())
    #expect(try Self.scores(text, classifier) == ["Positive": good, "Negative": bad])
  }

  @Test func `results are sorted, limited and cut at the threshold of the metadata`() throws {
    let model = try Self.sentiment { graph in
      graph.outputs[0].processUnits = [
        .scoreThresholding(ScoreThresholdingOptions(globalScoreThreshold: 1.5))
      ]
    }
    let head = try #require(
      try TextClassifier(model).classify("good good bad").first)
    #expect(head.classifications.map(\.className) == ["Positive"])
    #expect(head.name == "probability")
    var options = TextClassifier.Options()
    options.scoreThreshold = 0
    options.maxResults = 1
    options.deniedLabels = ["Positive"]
    let other = try TextClassifier(model, options: options).classify("good good bad")
    #expect(other[0].classifications.map(\.className) == ["Negative"])
  }

  @Test func `an output can hold the labels`() throws {
    let model = try WordModels.constant(scores: [0.25, 0.75], labels: ["uno", "due"])
    var options = TextClassifier.Options()
    options.labelOutput = .name("names")
    let named = try TextClassifier(model, options: options).classify("x")
    #expect(named.count == 1)
    #expect(named[0].classifications.map(\.label) == ["due", "uno"])
    let numbered = try TextClassifier(model).classify("x")
    #expect(numbered[0].classifications.map(\.index) == [1, 0])
    #expect(numbered[0].classifications.map(\.className) == ["", ""])
  }

  @Test(arguments: [("scores", true), ("nothing", false)])
  func `outputs are chosen by name`(name: String, isThere: Bool) throws {
    let model = try WordModels.constant(scores: [1], labels: ["a"])
    var options = TextClassifier.Options()
    options.scores = .name(name)
    if isThere {
      #expect(try TextClassifier(model, options: options).classify("").count == 1)
    } else {
      #expect(throws: TaskError.self) { try TextClassifier(model, options: options) }
    }
  }

  @Test(arguments: [
    ("<PAD> 0\n", #"\W+"#), ("", #"\W+"#), (vocabulary, "("), (vocabulary, nil),
    ("<PAD> 0\n<UNKNOWN> x\n", #"\W+"#),
  ])
  func `a broken tokenizer is refused`(vocabulary: String, pattern: String?) throws {
    let model = try Self.sentiment(vocabulary: vocabulary, pattern: pattern)
    #expect(throws: TaskError.self) { try TextClassifier(model) }
  }

  @Test func `a model of numbers without a tokenizer is refused`() throws {
    let model = try Self.sentiment { $0.inputs[0].processUnits = [] }
    #expect(throws: TaskError.self) { try TextClassifier(model) }
  }

  @Test func `labels of another number than the scores are refused`() throws {
    let model = try Self.sentiment()
    var options = TextClassifier.Options()
    options.labels = LabelMap(classNames: ["a", "b", "c"])
    #expect(throws: TaskError.self) { try TextClassifier(model, options: options) }
  }
}
