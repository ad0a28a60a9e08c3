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
  /// The best of the wanted detections where no object is reported; nil where there is none.
  var best: (score: Float, category: String)?
  /// What scores had to be above, where no object is reported.
  var threshold: Float = 0
  /// The path of the annotated image.
  var annotated: String?
  var diagnostic: Diagnostic?
}

extension DetectResult {
  /// The upright image with boxes, labels and scores.
  func annotated(_ image: PixelBuffer) -> PixelBuffer {
    let annotations = objects.enumerated().map { index, object in
      Annotation(
        frame: orientation.uprightRect(
          object.frame, storedWidth: Double(image.width), storedHeight: Double(image.height)),
        text: object.caption, colorIndex: index)
    }
    return image.upright(from: orientation).converted(to: .rgb8).annotated(with: annotations)
  }

  /// Whether an object is of another class than the first one.
  var hasSeveralClasses: Bool { objects.contains { $0.category.map { $0.index > 0 } ?? false } }

  /// Why there are no objects.
  var emptiness: String {
    guard let best else { return "nothing found, whatever the threshold" }
    return "nothing above the threshold \(Double(threshold).short()); "
      + "the best is \(best.category) \(Double(best.score).fixed(4))"
  }
}

extension DetectedObject {
  /// What is written at the object's box: the detector's class and score, and what the classifier
  /// sees in it.
  var caption: String {
    let name = category.map { $0.label.isEmpty ? "" : "\($0.label) " } ?? ""
    let detection = name + Double(score).fixed(2)
    guard let best = classifications.first else { return detection }
    return "\(detection): \(best.text) \(Double(best.score).fixed(2))"
  }
}

extension DetectCommand {
  /// What is in the images, for a reader.
  func text(_ results: [DetectResult]) -> String {
    var lines = [paths.summary, computation.summary]
    if paths.areImagesBundled { lines.append("images: the bundled samples") }
    if let classifier = detection.classifier { lines.append("classifier \(classifier)") }
    for result in results where result.diagnostic == nil {
      lines.append(result.path)
      let rows = result.objects.map { object in
        let extent = object.extent
        return [
          "  \(object.category?.text ?? "object")", Double(object.score).fixed(4),
          "at (\(extent.x.fixed(1)), \(extent.y.fixed(1)))",
          "\(extent.width.fixed(1)) x \(extent.height.fixed(1))",
        ]
      }
      guard !rows.isEmpty else {
        lines.append("  \(result.emptiness)".narrow)
        continue
      }
      // Each object's classes stand below it.
      for (row, object) in zip(TextTable(rows, shortening: [0]).rowTexts, result.objects) {
        lines.append(row)
        lines += object.classifications.map { "    \($0.text) \(Double($0.score).fixed(4))" }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The same as a table: a row for each object, with the classifier's best class.
  func table(_ results: [DetectResult]) -> CSVTable {
    var table = CSVTable([
      "image", "object", "index", "label", "score", "x", "y", "width", "height", "classification",
      "classification_score",
    ])
    for result in results {
      for (number, object) in result.objects.enumerated() {
        let (extent, best) = (object.extent, object.classifications.first)
        table.add([
          result.path, "\(number + 1)", object.category.map { "\($0.index)" },
          object.category?.label, "\(object.score)", "\(extent.x)", "\(extent.y)",
          "\(extent.width)", "\(extent.height)", best?.text, best.map { "\($0.score)" },
        ])
      }
    }
    return table
  }

  /// The same for a program.
  func json(_ results: [DetectResult]) -> JSON {
    let images = results.map { result in
      JSON.record([
        "image": .string(result.path),
        "orientation": result.diagnostic == nil ? .integer(result.orientation.rawValue) : nil,
        "objects": result.diagnostic == nil ? .array(result.objects.map(\.json)) : nil,
        "best_below_threshold": result.best.map { best in
          ["label": .string(best.category), "score": .float(best.score)]
        },
        "annotated": result.annotated.map { .string($0) },
        "error": result.diagnostic.map { .string("\($0.what) (\($0.location))") },
      ])
    }
    return JSON.record([
      "schema": "martlet/detect/1", "model": .string(paths.model),
      "bundled_model": .bool(paths.isModelBundled),
      "bundled_images": .bool(paths.areImagesBundled),
      "classifier": detection.classifier.map { .string($0) },
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
