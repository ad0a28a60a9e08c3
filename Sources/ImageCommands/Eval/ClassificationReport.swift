// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import ModelFormat
import VisionTasks

/// How often a classifier is right, for a reader or a program.
struct ClassificationReport {
  private(set) var score: ClassificationScore
  private let lookup: ClassLookup
  private var wrong: [(item: ClassificationEvaluation.Item, answer: Answer)] = []

  private typealias Answer = ClassificationEvaluation.Answer

  /// The most classes of which a confusion matrix is printed as one.
  private static let matrixLimit = 20
  /// How many pairs are printed of a larger one.
  private static let pairCount = 20
  private static let worstCount = 5

  init(score: ClassificationScore, lookup: ClassLookup) {
    self.score = score
    self.lookup = lookup
  }

  mutating func add(
    _ item: ClassificationEvaluation.Item, _ answer: ClassificationEvaluation.Answer
  ) {
    score.add(truth: item.truth, ranking: answer.ranking, probability: answer.probability)
    if answer.ranking.first != item.truth { wrong.append((item, answer)) }
  }

  /// The names of the metrics for these k of top-k accuracy.
  static func metricNames(_ ranks: [Int]) -> [String] {
    ranks.map { "top\($0)" } + ["mean_recall", "mean_precision", "mean_f1", "loss"]
  }

  /// The numbers over all classes.
  var metrics: [EvalMetric] {
    var metrics = score.ranks.map { rank in
      var remark = ""
      if let hits = score.hitCount(top: rank), let interval = score.interval(top: rank) {
        remark =
          "\(hits) of \(score.imageCount), 95 % CI "
          + "\(interval.lowerBound.fixed(4))–\(interval.upperBound.fixed(4))"
      }
      return EvalMetric(
        name: "top\(rank)", title: "top-\(rank) accuracy", value: score.accuracy(top: rank),
        remark: remark)
    }
    metrics += [
      EvalMetric(name: "mean_recall", title: "mean recall", value: score.meanRecall),
      EvalMetric(name: "mean_precision", title: "mean precision", value: score.meanPrecision),
      EvalMetric(name: "mean_f1", title: "mean F1", value: score.meanF1),
      EvalMetric(name: "loss", title: "mean loss", value: score.meanLoss),
    ]
    return metrics
  }

  /// What a reader is told.
  func lines(printsConfusion: Bool) -> [String] {
    guard score.imageCount > 0 else { return [] }
    return [metrics.text] + worstClasses + (printsConfusion ? confusionLines : [])
  }

  private var worstClasses: [String] {
    let worst = score.classes.filter { $0.recall.map { $0 < 1 } ?? false }.sorted { a, b in
      (a.recall ?? 1, b.support, a.index) < (b.recall ?? 1, a.support, b.index)
    }.prefix(Self.worstCount)
    guard !worst.isEmpty else { return [] }
    let rows = worst.map { result in
      let confused = score.confusions.first { cell in
        cell.truth == result.index && cell.predicted != result.index
      }
      return [
        "  " + lookup.name(result.index).printable, "\(result.support)",
        result.recall?.fixed(4) ?? "", result.precision?.fixed(4) ?? "",
        confused.map { "\(lookup.name($0.predicted).printable) \($0.count)" } ?? "",
      ]
    }
    let heading = ["  class", "images", "recall", "precision", "taken for"]
    return [
      "worst classes",
      TextTable([heading] + rows, left: [0, 4], shortening: [0], wrapsLastColumn: true).text,
    ]
  }

  private var confusionLines: [String] {
    let cells = score.confusions
    let truths = Set(cells.map(\.truth))
    let columns = truths.union(cells.compactMap(\.predicted)).sorted()
    guard columns.count <= Self.matrixLimit else { return confusedPairs }
    let hasNone = cells.contains { $0.predicted == nil }
    let predicted = columns.map(Optional.init) + (hasNone ? [nil] : [])
    let heading = ["  truth"] + predicted.map { lookup.name($0).printable }
    let rows = truths.sorted().map { truth in
      ["  " + lookup.name(truth).printable]
        + predicted.map { "\(score.count(truth: truth, predicted: $0))" }
    }
    let matrix = TextTable([heading] + rows)
    guard matrix.fits else { return confusedPairs }
    return ["confusion: a row for each true class", matrix.text]
  }

  private var confusedPairs: [String] {
    let pairs = score.confusions.filter { $0.truth != $0.predicted }
    guard !pairs.isEmpty else { return ["confusion: none"] }
    let rows = pairs.prefix(Self.pairCount).map { cell in
      [
        "  \(cell.count)", lookup.name(cell.truth).printable,
        lookup.name(cell.predicted).printable,
      ]
    }
    return [
      "confusion: \(rows.count) of \(pairs.count) pairs",
      TextTable(
        [["  images", "truth", "taken for"]] + rows, left: [1, 2], shortening: [1],
        wrapsLastColumn: true
      ).text,
    ]
  }

  /// The wrong images as a table with commas.
  var wrongTable: String {
    var table = CSVTable(["picture", "truth", "predicted", "score"])
    for (item, answer) in wrong {
      table.add([
        item.path, lookup.name(item.truth), lookup.name(answer.ranking.first),
        answer.score.map { "\($0)" },
      ])
    }
    return table.text + "\n"
  }

  /// What a program is told beside the metrics.
  var json: JSON {
    let results = score.classes.filter { $0.support + $0.predictedCount > 0 }.map { result in
      JSON.record([
        "index": .integer(result.index), "label": .string(lookup.name(result.index)),
        "pictures": .integer(result.support), "predicted": .integer(result.predictedCount),
        "correct": .integer(result.truePositiveCount),
        "recall": result.recall.map { .number($0) },
        "precision": result.precision.map { .number($0) }, "f1": result.f1.map { .number($0) },
      ])
    }
    return [
      "accuracies": .array(score.ranks.map(accuracy)), "classes": .array(results),
      "confusions": .array(
        score.confusions.map { cell in
          JSON.record([
            "truth": .integer(cell.truth),
            "predicted": cell.predicted.map { .integer($0) } ?? .null,
            "pictures": .integer(cell.count),
          ])
        }),
      "wrong": .array(
        wrong.map { item, answer in
          JSON.record([
            "picture": .string(item.path), "truth": .integer(item.truth),
            "predicted": answer.ranking.first.map { .integer($0) } ?? .null,
            "score": answer.score.map { .float($0) },
          ])
        }),
    ]
  }

  private func accuracy(_ rank: Int) -> JSON {
    let interval = score.interval(top: rank)
    return JSON.record([
      "top": .integer(rank), "correct": .integer(score.hitCount(top: rank) ?? 0),
      "accuracy": score.accuracy(top: rank).map { .number($0) },
      "low": interval.map { .number($0.lowerBound) },
      "high": interval.map { .number($0.upperBound) },
    ])
  }
}
