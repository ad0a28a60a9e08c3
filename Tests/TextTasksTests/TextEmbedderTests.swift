// SPDX-License-Identifier: Apache-2.0

import Martlet
import MetadataFormat
import Testing
import TextTasks

/// Embedding texts and comparing the vectors.
@Suite struct TextEmbedderTests {
  private static func model() throws -> Model {
    try WordModels.classifier(
      [[0, 0], [0, 0], [4, 0], [0, 4]], length: 4,
      metadata: { graph in
        graph.inputs[0].processUnits = [
          .regexTokenizer(
            RegexTokenizerOptions(
              delimiterPattern: " ",
              vocabularyFiles: [AssociatedFile(name: "v", kind: .vocabulary)]))
        ]
      }, files: [("v", "<PAD> 0\n<UNKNOWN> 1\nx 2\ny 3\n")])
  }

  @Test func `vectors are the outputs`() throws {
    let embedder = try TextEmbedder(try Self.model())
    let embedding = try #require(try embedder.embed("x x y").first)
    #expect(embedding.values == .float([2, 1]))
    #expect(embedding.headName == "probability")
  }

  @Test func `vectors can be normalized and quantized`() throws {
    var options = EmbeddingOptions()
    options.normalizesLength = true
    #expect(try TextEmbedder(try Self.model(), options: options).embed("y")[0].floats == [0, 1])
    options.isQuantized = true
    let quantized = try TextEmbedder(try Self.model(), options: options).embed("x")[0]
    #expect(quantized.values == .quantized([127, 0]))
  }

  @Test(arguments: [("x", "x", 1.0), ("x", "y", 0), ("x y", "x", 0.5.squareRoot())])
  func `the cosine tells how alike texts are`(
    first: String, second: String, expected: Double
  ) throws {
    let embedder = try TextEmbedder(try Self.model())
    let similarity = try Embedding.cosineSimilarity(
      try embedder.embed(first)[0], try embedder.embed(second)[0])
    #expect(abs(similarity - expected) < 1e-12)
  }

  @Test func `what cannot be compared is refused`() throws {
    let embedder = try TextEmbedder(try Self.model())
    let something = try embedder.embed("x")[0]
    let zero = try embedder.embed("")[0]
    let quantized = Embedding(headIndex: 0, headName: "", values: .quantized([1, 2]))
    let longer = Embedding(headIndex: 0, headName: "", values: .float([1, 2, 3]))
    let infinite = Embedding(headIndex: 0, headName: "", values: .float([.infinity, 1]))
    for other in [zero, quantized, longer, infinite] {
      #expect(throws: TaskError.self) { try Embedding.cosineSimilarity(something, other) }
    }
  }
}
