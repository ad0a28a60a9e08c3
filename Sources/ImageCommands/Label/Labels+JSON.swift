// SPDX-License-Identifier: Apache-2.0

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

extension ImageClassifier.Classification {
  /// The class for a program.
  var json: JSON {
    .record([
      "label": .string(label), "index": .integer(index), "score": .float(score),
      "class_name": .string(className), "display_name": displayName.map { .string($0) },
    ])
  }
}
