// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import ModelTasks
import TextTasks

/// Turns texts into vectors that are alike where the texts mean the same.
///
/// Any thread may use it; texts are embedded one after another.
public final class TextEmbedder: NSObject, OptionsTask {
  private let engine: TaskEngine<TextTasks.TextEmbedder>

  /// An embedder.
  ///
  /// - Throws: `NSError` where there is no such model, or it takes no texts.
  public init(options: TextEmbedderOptions) throws {
    let model = try options.baseOptions.model()
    engine = TaskEngine(
      try TasksErrorCode.converting { () throws(TaskError) in
        try TextTasks.TextEmbedder(model, options: options.finishing)
      })
  }

  /// The vectors of a text.
  ///
  /// - Throws: `NSError` where the model fails on the text.
  public func embed(text: String) throws -> TextEmbedderResult {
    try embed(text: text, textFormatContext: nil)
  }

  /// The vectors of a text, in the prompt that a context asks for; nil for the text alone.
  ///
  /// - Throws: `NSError` where the model fails on the text.
  public func embed(
    text: String, textFormatContext: TextFormatContext?
  ) throws -> TextEmbedderResult {
    let text = textFormatContext?.prompt(text) ?? text
    return try engine.run { (embedder, time) throws(NSError) in
      let embeddings = try TasksErrorCode.converting { () throws(TaskError) in
        try embedder.embed(text)
      }
      return TextEmbedderResult(
        embeddingResult: EmbeddingResult(embeddings), timestampInMilliseconds: time)
    }
  }

  /// How alike two vectors are: the cosine of the angle between them, from -1 to 1.
  ///
  /// - Throws: `NSError` where one vector is quantized and the other is not, their lengths differ,
  ///   or one of them is zero.
  public class func cosineSimilarity(
    embedding1: MediaPipeTasksCommon.Embedding, embedding2: MediaPipeTasksCommon.Embedding
  ) throws -> NSNumber {
    try MediaPipeTasksCommon.Embedding.cosineSimilarity(embedding1, embedding2)
  }
}
