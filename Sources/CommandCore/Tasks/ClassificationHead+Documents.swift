// SPDX-License-Identifier: Apache-2.0

import Formatting
package import JSONDocuments
package import ModelTasks

extension [ClassificationHead] {
  /// The labels of all outputs; where there are several outputs, each label says which.
  package var json: [JSON] {
    flatMap { head in
      head.classifications.map { entry in
        entry.json.adding(["output": count == 1 ? nil : .string(head.name)])
      }
    }
  }

  /// The best class where none reaches the threshold.
  package var bestBelowThreshold: Classification? {
    guard allSatisfy(\.classifications.isEmpty) else { return nil }
    return compactMap(\.best).max { $0.score < $1.score }
  }
}

extension ClassificationHead {
  /// Why there are no labels.
  package var emptiness: String {
    guard let threshold, let best else { return "nothing: no score is a number" }
    return "nothing above the threshold \(Double(threshold).short()); "
      + "the best is \(best.text) \(Double(best.score).fixed(4))"
  }
}

extension Classification {
  /// The class for a program.
  package var json: JSON {
    .record([
      "label": .string(label), "index": .integer(index), "score": .float(score),
      "class_name": .string(className), "display_name": displayName.map { .string($0) },
    ])
  }
}
