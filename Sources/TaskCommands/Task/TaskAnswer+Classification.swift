// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
package import ModelTasks
import TextTasks

extension TaskAnswer {
  /// The columns of classes.
  package static let classColumns = ["output", "rank", "index", "label", "class_name", "score"]

  /// What a classifier says.
  package init(_ heads: [ClassificationHead]) {
    self.init()
    for head in heads {
      let indent = heads.count > 1 ? "    " : "  "
      if heads.count > 1 { lines.append("  \(head.name)") }
      let table = head.classifications.map { entry in
        ["\(indent)\(entry.text)", Double(entry.score).fixed(4)]
      }
      lines +=
        table.isEmpty
        ? ["\(indent)\(head.emptiness)".narrow] : TextTable(table, shortening: [0]).rowTexts
      for (rank, entry) in head.classifications.enumerated() {
        rows.append([
          head.name, "\(rank + 1)", "\(entry.index)", entry.label, entry.className,
          "\(entry.score)",
        ])
      }
    }
    members = JSON.record([
      "labels": .array(heads.json),
      "best_below_threshold": heads.bestBelowThreshold?.json,
    ])
  }
}

extension CommandError {
  /// A task's error as a command's; `file` is what it is about: the model, or the subject.
  init(_ error: TaskError, model: String, subject: String? = nil) {
    switch error {
    case .inference(let error): self = .inference(error, model: model)
    case .incompatibleModel(TaskError.missingTokenizer):
      let hint =
        "'martlet metadata add MODEL -o OUT.tflite --task read --delimiter REGEX --vocabulary "
        + "FILE' tells how texts become its numbers"
      self = .data(TaskError.missingTokenizer, location: model, hint: hint)
    case .incompatibleModel(let reason):
      self = .data(reason, location: model, hint: Self.fittingTasks)
    case .labels(let reason), .invalidOption(let reason), .bundle(let reason):
      self = .data(reason, location: model)
    case .input(let reason): self = .data(reason, location: subject ?? model)
    }
  }
}
