// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MediaPipeTasksCommon
import ModelTasks
import TextTasks

/// Says in which language a text is written.
///
/// The model is a text classifier whose labels are codes of languages. Any thread may use the
/// detector; texts are looked at one after another.
public final class LanguageDetector: NSObject, OptionsTask {
  private let engine: TaskEngine<TextTasks.TextClassifier>

  /// A detector.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it is no text
  ///   classifier.
  public init(options: LanguageDetectorOptions) throws {
    var settings = TextTasks.TextClassifier.Options()
    settings.classes = try options.classes()
    engine = try TextClassifier.engine(options.baseOptions, settings)
  }

  /// The languages that a text may be in.
  ///
  /// - Throws: `NSError` where the model fails on the text.
  public func detect(text: String) throws -> LanguageDetectorResult {
    try engine.run { (classifier, time) throws(NSError) in
      let heads = try TasksErrorCode.converting { () throws(TaskError) in
        try classifier.classify(text)
      }
      let languages = heads.first?.classifications ?? []
      return LanguageDetectorResult(
        languagePredictions: languages.map {
          LanguagePrediction(languageCode: $0.className, probability: $0.score)
        }, timestampInMilliseconds: time)
    }
  }
}
