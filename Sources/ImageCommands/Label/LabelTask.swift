// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import TaskCommands
import VisionTasks

/// What is in images.
enum LabelTask {
  /// The options that say what is reported.
  static let descriptions: [OptionDescription] =
    [.leastScore] + LabelOptions.descriptions(of: "an image") + ImageOptions.descriptions

  /// The task that the arguments ask for.
  ///
  /// - Parameters:
  ///   - setup: the arguments.
  ///   - source: the model, perhaps with a manifest that names its labels.
  ///   - checkImages: what is looked at once the model is known to fit.
  /// - Returns: the task.
  /// - Throws: `CommandError` where an option is wrong, or a file cannot be read.
  static func prepared(
    _ setup: TaskSetup, _ source: ModelPath,
    checkImages: @escaping () throws(CommandError) -> Void = { () throws(CommandError) in }
  ) throws(CommandError) -> PreparedTask {
    let (arguments, console) = (setup.arguments, setup.console)
    let labels = try LabelOptions(arguments, console)
    var options = try ImageClassifier.Options(arguments, setup.computation, console)
    if options.labels == nil { options.labels = try source.labels() }
    let model = try setup.mainModel()
    return PreparedTask { [options] () throws(CommandError) in
      let classifier: ImageClassifier
      do throws(VisionError) { classifier = try ImageClassifier(model, options: options) } catch {
        throw CommandError(
          error, model: model, path: setup.model, labels: labels.file, task: .classification,
          images: options.preprocessing)
      }
      try checkImages()
      try labels.check(classifier.labels, setup)
      if setup.use == .command { classifier.input.noteRange(console) }
      return setup.imageTask(
        "label", columns: TaskAnswer.classColumns, failure: setup.imageFailure
      ) { (image, orientation) throws(VisionError) in
        let heads = try classifier.classify(image, orientation: orientation)
        var answer = TaskAnswer(heads)
        answer.sections = heads.map { head in
          TaskAnswer.Section(name: heads.count > 1 ? head.name : nil, lines: head.lines)
        }
        return answer
      }
    }
  }
}

extension ImageClassifier.Head {
  /// The classes for a reader.
  fileprivate var lines: [String] {
    let rows = classifications.map { entry in ["  \(entry.text)", Double(entry.score).fixed(4)] }
    return rows.isEmpty ? ["  \(emptiness)".narrow] : TextTable(rows, shortening: [0]).rowTexts
  }
}
