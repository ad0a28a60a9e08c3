// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaPipeTasksText
import Testing

/// Texts; values are those of MediaPipe's `text_classifier_test.cc` and `text_embedder_test.cc`.
@Suite struct TextTests {
  static let classifier = "test_model_nl_classifier_with_regex_tokenizer.tflite"
  static let embedder = "regex_one_embedding_with_metadata.tflite"

  static func has(_ name: String) -> ConditionTrait {
    .enabled(if: PublishedFiles.has(name), "no tasks/\(name) in MARTLET_TEST_MODELS")
  }

  @Test func `options start as in the original and are copied`() throws {
    let options = TextClassifierOptions()
    #expect(options.maxResults == -1 && options.scoreThreshold == 0)
    #expect(options.baseOptions.modelAssetPath.isEmpty && options.baseOptions.delegate == .CPU)
    #expect(LanguageDetectorOptions().scoreThreshold == -1)
    options.categoryDenylist = ["a"]
    options.baseOptions.modelAssetPath = "/model.tflite"
    let copy = try #require(options.copy() as? TextClassifierOptions)
    options.categoryDenylist = []
    options.baseOptions.modelAssetPath = "/other.tflite"
    #expect(copy.categoryDenylist == ["a"])
    #expect(copy.baseOptions.modelAssetPath == "/model.tflite")
    let embedding = TextEmbedderOptions()
    #expect(!embedding.l2Normalize && !embedding.quantize)
    embedding.quantize = true
    #expect((embedding.copy() as? TextEmbedderOptions)?.quantize == true)
  }

  @Test func `options that mean nothing are refused as in the original`() {
    let noModel = thrown { _ = try TextClassifier(modelPath: "") }
    #expect(noModel?.parts == NSError.invalidArgument(ErrorText.noModel))
    let missing = thrown { _ = try TextEmbedder(modelPath: "/no/such/model.tflite") }
    #expect(missing?.domain == "com.google.mediapipe.tasks" && missing?.code == 5)
    let options = TextClassifierOptions()
    options.maxResults = 0
    let none = thrown { _ = try TextClassifier(options: options) }
    #expect(none?.parts == NSError.invalidArgument(ErrorText.noResults))
    let detector = LanguageDetectorOptions()
    detector.categoryAllowlist = ["en"]
    detector.categoryDenylist = ["en"]
    let both = thrown { _ = try LanguageDetector(options: detector) }
    #expect(both?.parts == NSError.invalidArgument(ErrorText.bothLists))
    #expect(TasksErrorCode.last.rawValue == 20 && TasksErrorCode.first.rawValue == 1)
  }

  @Test(has(classifier)) func `a text is classified as in MediaPipe`() throws {
    let classifier = try TextClassifier(modelPath: PublishedFiles.path(Self.classifier))
    let result = try classifier.classify(text: "What a waste of my time.")
    #expect(result.timestampInMilliseconds == 0)
    let heads = result.classificationResult.classifications
    #expect(heads.count == 1 && heads[0].headIndex == 0)
    let categories = heads[0].categories
    #expect(categories.map(\.categoryName) == ["Negative", "Positive"])
    #expect(categories.map(\.index) == [0, 1] && categories.allSatisfy { $0.displayName == nil })
    #expect(abs(categories[0].score - 0.813130) < 1e-4)
    #expect(abs(categories[1].score - 0.186870) < 1e-4)
    let praise = try classifier.classify(
      text: "This is the best movie I’ve seen in recent years. Strongly recommend it!")
    let best = praise.classificationResult.classifications[0].categories[0]
    #expect(best.categoryName == "Positive" && abs(best.score - 0.513427) < 1e-4)
    #expect(praise.timestampInMilliseconds == 1000)
  }

  @Test(has(classifier)) func `options choose among the categories`() throws {
    func names(_ change: (TextClassifierOptions) -> Void) throws -> [String?] {
      let options = TextClassifierOptions()
      options.baseOptions.modelAssetPath = PublishedFiles.path(Self.classifier)
      change(options)
      let result = try TextClassifier(options: options).classify(text: "What a waste of my time.")
      return result.classificationResult.classifications[0].categories.map(\.categoryName)
    }
    #expect(try names { $0.maxResults = 1 } == ["Negative"])
    #expect(try names { $0.scoreThreshold = 0.5 } == ["Negative"])
    #expect(try names { $0.categoryAllowlist = ["Positive"] } == ["Positive"])
    #expect(try names { $0.categoryDenylist = ["Negative"] } == ["Positive"])
  }

  @Test(has(classifier)) func `a detector gives labels as languages`() throws {
    let options = LanguageDetectorOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.classifier)
    options.maxResults = 1
    let result = try LanguageDetector(options: options).detect(text: "What a waste of my time.")
    #expect(result.languagePredictions.map(\.languageCode) == ["Negative"])
    #expect(abs(result.languagePredictions[0].probability - 0.813130) < 1e-4)
  }

  @Test(has(embedder)) func `texts that are alike have like vectors`() throws {
    let embedder = try TextEmbedder(modelPath: PublishedFiles.path(Self.embedder))
    let first = try embedder.embed(text: "it's a charming and often affecting journey")
    let second = try embedder.embed(text: "what a great and fantastic trip")
    let embeddings = [first, second].map { $0.embeddingResult.embeddings[0] }
    #expect(first.embeddingResult.embeddings.count == 1)
    for embedding in embeddings {
      #expect(embedding.quantizedEmbedding == nil)
      #expect(embedding.floatEmbedding?.count == 16)
      #expect(abs((embedding.floatEmbedding?.first?.floatValue ?? 0) - 0.03) < 0.01)
    }
    let likeness = try TextEmbedder.cosineSimilarity(
      embedding1: embeddings[0], embedding2: embeddings[1])
    #expect(abs(likeness.doubleValue - 0.99) < 0.02)
    let options = TextEmbedderOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(Self.embedder)
    options.quantize = true
    options.l2Normalize = true
    let bytes = try TextEmbedder(options: options).embed(text: "a trip").embeddingResult
    #expect(bytes.embeddings[0].floatEmbedding == nil)
    #expect(bytes.embeddings[0].quantizedEmbedding?.count == 16)
    let mixed = thrown {
      _ = try TextEmbedder.cosineSimilarity(
        embedding1: embeddings[0], embedding2: bytes.embeddings[0])
    }
    #expect(mixed?.code == 3)
  }

  @Test(has(embedder)) func `a context asks for a prompt`() throws {
    let embedder = try TextEmbedder(modelPath: PublishedFiles.path(Self.embedder))
    func floats(_ text: String, _ context: TextFormatContext? = nil) throws -> [NSNumber]? {
      try embedder.embed(text: text, textFormatContext: context).embeddingResult.embeddings[0]
        .floatEmbedding
    }
    let context = TextFormatContext()
    #expect(context.textRole == .query && context.title == nil)
    context.embeddingType = .questionAnswering
    #expect(try floats("a trip", context) == floats("task: question answering | query: a trip"))
    context.textRole = .document
    #expect(try floats("a trip", context) == floats("title: none | text: a trip"))
    context.title = "Travel"
    #expect(try floats("a trip", context) == floats("title: Travel | text: a trip"))
    context.embeddingType = .clustering
    #expect(try floats("a trip", context) == floats("task: clustering | query: a trip"))
    #expect(try floats("a trip", context) != floats("a trip"))
  }

  @Test func `vectors are compared by their angle`() throws {
    func vector(_ values: [Float]) -> Embedding {
      Embedding(
        floatEmbedding: values.map { NSNumber(value: $0) }, quantizedEmbedding: nil, headIndex: 0,
        headName: nil)
    }
    let likeness = try TextEmbedder.cosineSimilarity(
      embedding1: vector([1, 0]), embedding2: vector([1, 1]))
    #expect(abs(likeness.doubleValue - 0.5.squareRoot()) < 1e-12)
    let lengths = thrown {
      _ = try TextEmbedder.cosineSimilarity(embedding1: vector([1]), embedding2: vector([1, 1]))
    }
    #expect(lengths?.code == 3)
  }
}
