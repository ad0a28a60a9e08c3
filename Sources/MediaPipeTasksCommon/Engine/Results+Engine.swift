// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import ModelTasks

extension ResultCategory {
  /// A category that a task found.
  package convenience init(_ category: Classification) {
    self.init(
      index: category.index, score: category.score,
      categoryName: category.className.isEmpty ? nil : category.className,
      displayName: category.displayName)
  }
}

extension ClassificationResult {
  /// What a task says on each of its outputs.
  package convenience init(_ heads: [ClassificationHead], timestampInMilliseconds: Int = 0) {
    self.init(
      classifications: heads.map { head in
        Classifications(
          headIndex: head.index, headName: head.name,
          categories: head.classifications.map { ResultCategory($0) })
      }, timestampInMilliseconds: timestampInMilliseconds)
  }
}

extension EmbeddingResult {
  /// The vectors that a task found.
  package convenience init(_ embeddings: [ModelTasks.Embedding]) {
    self.init(embeddings: embeddings.map { Embedding($0) }, timestampInMilliseconds: 0)
  }
}

extension Embedding {
  /// A vector that a task found.
  package convenience init(_ embedding: ModelTasks.Embedding) {
    var (floats, bytes): ([NSNumber]?, [NSNumber]?)
    switch embedding.values {
    case .float(let values): floats = values.map { NSNumber(value: $0) }
    case .quantized(let values): bytes = values.map { NSNumber(value: $0) }
    }
    self.init(
      floatEmbedding: floats, quantizedEmbedding: bytes, headIndex: embedding.headIndex,
      headName: embedding.headName)
  }

  /// The vector as tasks have it; without elements where there is none.
  private var embedding: ModelTasks.Embedding {
    let values: ModelTasks.Embedding.Values =
      if let quantizedEmbedding, floatEmbedding == nil {
        .quantized(quantizedEmbedding.map(\.int8Value))
      } else {
        .float((floatEmbedding ?? []).map(\.floatValue))
      }
    return ModelTasks.Embedding(headIndex: headIndex, headName: headName ?? "", values: values)
  }

  /// How alike two vectors are: the cosine of the angle between them, from -1 to 1.
  ///
  /// - Throws: `NSError` with `TasksErrorCode.invalidArgumentError` where one vector is quantized
  ///   and the other is not, their lengths differ, or one of them is zero.
  package static func cosineSimilarity(
    _ first: Embedding, _ second: Embedding
  ) throws(NSError) -> NSNumber {
    NSNumber(
      value: try TasksErrorCode.converting { () throws(TaskError) in
        try ModelTasks.Embedding.cosineSimilarity(first.embedding, second.embedding)
      })
  }
}
