// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import ModelFormat
import VisionTasks

/// How well boxes fit, for a reader or a program.
struct DetectionReport {
  private let score: DetectionScore
  private let result: DetectionResult
  private let categories: [Int: BoxTruth.Category]

  /// How many classes a reader is told of, those of the least precision.
  private static let worstCount = 5

  /// A report; without categories, on boxes of no particular class.
  init(score: DetectionScore, categories: [Int: BoxTruth.Category]) {
    self.score = score
    self.categories = categories
    result = score.result
  }

  /// The names of the metrics: those that pycocotools prints, in its order.
  static let metricNames = [
    "ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "ar1", "ar10", "ar100", "ar_small",
    "ar_medium", "ar_large",
  ]

  /// The numbers over all classes.
  var metrics: [EvalMetric] {
    let sizes: [DetectionScore.Size] = [.small, .medium, .large]
    let values =
      [
        result.averagePrecision(), result.averagePrecision(overlap: 0.5),
        result.averagePrecision(overlap: 0.75),
      ] + sizes.map { result.averagePrecision(size: $0) }
      + DetectionScore.detectionLimits.map { result.averageRecall(detectionLimit: $0) }
      + sizes.map { result.averageRecall(size: $0) }
    let titles =
      ["AP at overlap 0.50 to 0.95", "AP at overlap 0.50", "AP at overlap 0.75"]
      + sizes.map { "AP of \($0.rawValue) objects" }
      + DetectionScore.detectionLimits.map { "AR of \($0) detection\($0 == 1 ? "" : "s")" }
      + sizes.map { "AR of \($0.rawValue) objects" }
    return zip(Self.metricNames, zip(titles, values)).map { name, entry in
      EvalMetric(name: name, title: entry.0, value: entry.1)
    }
  }

  /// What a reader is told.
  var lines: [String] {
    let counts = "\(score.truthCount) true boxes, \(score.detectionCount) detections"
    let hasClasses = !categories.isEmpty
    return [hasClasses ? counts : counts + ", classes not compared"]
      + (result.classIndices.isEmpty ? [] : [metrics.text]) + (hasClasses ? worstClasses : [])
  }

  private var worstClasses: [String] {
    let classes = result.classIndices.map { index in
      (index: index, precision: result.averagePrecision(classIndex: index) ?? 0)
    }
    let worst = classes.sorted { ($0.precision, $0.index) < ($1.precision, $1.index) }
      .prefix(Self.worstCount)
    guard !worst.isEmpty else { return [] }
    let rows = worst.map { entry in
      [
        "  " + name(entry.index).printable, "\(result.truthCount(ofClass: entry.index))",
        entry.precision.fixed(4),
        result.averagePrecision(overlap: 0.5, classIndex: entry.index)?.fixed(4) ?? "",
        result.averageRecall(classIndex: entry.index)?.fixed(4) ?? "",
      ]
    }
    return [
      "worst classes",
      TextTable([["  class", "boxes", "AP", "AP 0.50", "AR"]] + rows, shortening: [0]).text,
    ]
  }

  private func name(_ id: Int) -> String { categories[id]?.name ?? "category \(id)" }

  /// What a program is told beside the metrics.
  var json: JSON {
    let classes = categories.isEmpty ? [] : result.classIndices
    return [
      "truths": .integer(score.truthCount), "detections": .integer(score.detectionCount),
      "classes_compared": .bool(!categories.isEmpty),
      "classes": .array(
        classes.map { index in
          JSON.record([
            "category": .integer(index), "name": .string(name(index)),
            "boxes": .integer(result.truthCount(ofClass: index)),
            "ap": result.averagePrecision(classIndex: index).map { .number($0) },
            "ap50": result.averagePrecision(overlap: 0.5, classIndex: index).map { .number($0) },
            "ap75": result.averagePrecision(overlap: 0.75, classIndex: index).map { .number($0) },
            "ar100": result.averageRecall(classIndex: index).map { .number($0) },
          ])
        }),
    ]
  }
}
