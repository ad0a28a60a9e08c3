// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon
public import Foundation

/// What a text is about.
public final class TextClassifierResult: ClassifierTaskResult, @unchecked Sendable {}

/// The vectors of a text.
public final class TextEmbedderResult: EmbedderTaskResult, @unchecked Sendable {}

/// A language that a text may be in.
public final class LanguagePrediction: NSObject, @unchecked Sendable {
  /// The language by its code, for instance `en`, as the model's labels name it.
  public let languageCode: String
  /// How sure the model is, from 0 to 1.
  public let probability: Float

  /// A language from its parts.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}

/// The languages that a text may be in.
public final class LanguageDetectorResult: TaskResult, @unchecked Sendable {
  /// The languages, the most likely first.
  public let languagePredictions: [LanguagePrediction]

  /// A result from its parts.
  public init(languagePredictions: [LanguagePrediction], timestampInMilliseconds: Int) {
    self.languagePredictions = languagePredictions
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }
}
