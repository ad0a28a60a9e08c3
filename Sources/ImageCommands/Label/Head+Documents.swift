// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import VisionTasks

extension [ImageClassifier.Head] {
  /// The labels of all outputs; where there are several outputs, each label says which.
  var json: [JSON] {
    flatMap { head in
      head.classifications.map { entry in
        entry.json.adding(["output": count == 1 ? nil : .string(head.name)])
      }
    }
  }
}

extension [ImageClassifier.Head] {
  /// The best class where none reaches the threshold.
  var bestBelowThreshold: ImageClassifier.Classification? {
    guard allSatisfy(\.classifications.isEmpty) else { return nil }
    return compactMap(\.best).max { $0.score < $1.score }
  }
}

extension ImageClassifier.Head {
  /// Why there are no labels.
  var emptiness: String {
    guard let threshold, let best else { return "nothing: no score is a number" }
    return "nothing above the threshold \(Double(threshold).short()); "
      + "the best is \(best.text) \(Double(best.score).fixed(4))"
  }
}

extension ImageClassifier.Classification {
  /// The class for a program.
  var json: JSON {
    .record([
      "label": .string(label), "index": .integer(index), "score": .float(score),
      "class_name": .string(className), "display_name": displayName.map { .string($0) },
    ])
  }
}
