// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MediaPipeTasksCommon
import ModelTasks
import TextTasks

/// Says what a text is about.
///
/// Any thread may use it; texts are classified one after another.
public final class TextClassifier: NSObject, OptionsTask {
  private let engine: TaskEngine<TextTasks.TextClassifier>

  /// A classifier.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it is no text
  ///   classifier.
  public init(options: TextClassifierOptions) throws {
    var settings = TextTasks.TextClassifier.Options()
    settings.classes = try options.classes()
    engine = try Self.engine(options.baseOptions, settings)
  }

  static func engine(
    _ options: BaseOptions, _ settings: TextTasks.TextClassifier.Options
  ) throws(NSError) -> TaskEngine<TextTasks.TextClassifier> {
    let model = try options.model()
    return TaskEngine(
      try TasksErrorCode.converting { () throws(TaskError) in
        try TextTasks.TextClassifier(model, options: settings)
      })
  }

  /// What a text is about.
  ///
  /// - Throws: `NSError` where the model fails on the text.
  public func classify(text: String) throws -> TextClassifierResult {
    try engine.run { (classifier, time) throws(NSError) in
      let heads = try TasksErrorCode.converting { () throws(TaskError) in
        try classifier.classify(text)
      }
      return TextClassifierResult(
        classificationResult: ClassificationResult(heads), timestampInMilliseconds: time)
    }
  }
}
