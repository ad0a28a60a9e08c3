// SPDX-License-Identifier: Apache-2.0

import MediaPipeTasksText

/// Texts, as programs for iOS in the mode of Swift 5 use the module.
public final class TextService {
  private let classifier: TextClassifier
  private let embedder: TextEmbedder

  /// A service over two models; nil where one of them cannot be used.
  public init?(classifierPath: String, embedderPath: String) {
    let options = TextClassifierOptions()
    options.baseOptions.modelAssetPath = classifierPath
    options.scoreThreshold = 0.5
    options.maxResults = 3
    options.categoryAllowlist = ["Positive", "Negative"]
    guard let classifier = try? TextClassifier(options: options),
      let embedder = try? TextEmbedder(modelPath: embedderPath)
    else {
      return nil
    }
    self.classifier = classifier
    self.embedder = embedder
  }

  /// The best category of a text, or why there is none.
  public func topCategory(of text: String) -> String? {
    do {
      let result = try classifier.classify(text: text)
      return result.classificationResult.classifications.first?.categories.first?.categoryName
    } catch {
      return error.localizedDescription
    }
  }

  /// How alike two texts are.
  public func likeness(_ first: String, _ second: String) throws -> Float {
    let one = try embedder.embed(text: first).embeddingResult.embeddings[0]
    let other = try embedder.embed(text: second).embeddingResult.embeddings[0]
    return try TextEmbedder.cosineSimilarity(embedding1: one, embedding2: other).floatValue
  }
}
