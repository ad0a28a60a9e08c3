// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import VisionTasks

/// What is in one image, or why nobody knows.
struct DetectResult {
  let path: String
  var orientation = ImageOrientation.up
  var objects: [DetectedObject] = []
  /// The path of the annotated image.
  var annotated: String?
  var diagnostic: Diagnostic?
}

extension DetectedObject {
  /// The best name for the object: the classifier's, the detector's, or none.
  fileprivate var bestLabel: (text: String, score: Float)? {
    if let best = classifications.first { return (best.text, best.score) }
    guard let category, !category.label.isEmpty else { return nil }
    return (category.label, score)
  }

  /// What is written at the object's box.
  var caption: String {
    guard let best = bestLabel else { return Double(score).fixed(2) }
    return "\(best.text) \(Double(best.score).fixed(2))"
  }
}

extension ImageClassifier.Classification {
  /// The label, or the number of a class without one.
  fileprivate var text: String { label.isEmpty ? "class \(index)" : label }
}

extension DetectCommand {
  /// What is in the images, for a reader.
  func text(_ results: [DetectResult]) -> String {
    var lines = ["\(paths.summary), \(computation.summary)"]
    if paths.areImagesBundled { lines.append("images: the bundled samples") }
    if let classifier { lines.append("classifier \(classifier)") }
    for result in results where result.diagnostic == nil {
      lines.append(result.path)
      let rows = result.objects.map { object in
        let extent = object.extent
        let category = object.category.map { $0.label.isEmpty ? "class \($0.index)" : $0.label }
        return [
          "  \(category ?? "object")", Double(object.score).fixed(4),
          "at (\(extent.x.fixed(1)), \(extent.y.fixed(1)))",
          "\(extent.width.fixed(1)) x \(extent.height.fixed(1))",
          object.classifications.map { "\($0.text) \(Double($0.score).fixed(4))" }
            .joined(separator: ", "),
        ]
      }
      lines.append(rows.isEmpty ? "  nothing above the threshold" : TextTable(rows).text)
    }
    return lines.joined(separator: "\n")
  }

  /// The same for a program.
  func json(_ results: [DetectResult]) -> JSON {
    let images = results.map { result in
      JSON.record([
        "image": .string(result.path),
        "orientation": result.diagnostic == nil ? .integer(result.orientation.rawValue) : nil,
        "objects": result.diagnostic == nil ? .array(result.objects.map(\.json)) : nil,
        "annotated": result.annotated.map { .string($0) },
        "error": result.diagnostic.map { .string("\($0.what) (\($0.location))") },
      ])
    }
    return JSON.record([
      "schema": "martlet/detect/1", "model": .string(paths.model),
      "bundled_model": .bool(paths.isModelBundled),
      "bundled_images": .bool(paths.areImagesBundled),
      "classifier": classifier.map { .string($0) },
    ]).adding(computation.members).adding(["images": .array(images)])
  }
}

extension DetectedObject {
  /// The thing for a program; its box is in pixels of the image as stored.
  var json: JSON {
    .record([
      "box": .record([
        "x": .number(extent.x), "y": .number(extent.y),
        "width": .number(extent.width), "height": .number(extent.height),
      ]),
      "score": .float(score), "label": .string(category?.label ?? ""),
      "index": category.map { .integer($0.index) },
      "class_name": category.map { .string($0.className) },
      "display_name": category?.displayName.map { .string($0) },
      "classifications": .array(classifications.map(\.json)),
    ])
  }
}
