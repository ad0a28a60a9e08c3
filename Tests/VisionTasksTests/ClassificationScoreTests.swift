// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import VisionTasks

/// Classification scores.
@Suite struct ClassificationScoreTests {
  /// Six images of three of four classes: truth and ranking.
  private static let images: [(truth: Int, ranking: [Int])] = [
    (0, [0, 1, 2, 3]), (0, [1, 0, 2, 3]), (0, [0, 2, 1, 3]), (1, [0, 2, 1, 3]), (1, [1, 3, 0, 2]),
    (2, [3, 0, 1, 2]),
  ]

  private static var score: ClassificationScore {
    var score = ClassificationScore(classCount: 4, ranks: [3, 1, 2, 3])
    for (truth, ranking) in images { score.add(truth: truth, ranking: ranking) }
    return score
  }

  @Test func `top-k accuracies and their intervals`() throws {
    let score = Self.score
    #expect(score.imageCount == 6 && score.ranks == [1, 2, 3])
    #expect(score.hitCount(top: 1) == 3 && score.hitCount(top: 2) == 4)
    #expect(score.hitCount(top: 3) == 5)
    #expect(score.accuracy(top: 1) == 0.5 && score.accuracy(top: 5) == nil)
    // Wilson (1927) for 3 of 6: statsmodels' proportion_confint(3, 6, method="wilson").
    let interval = try #require(score.interval(top: 1))
    #expect(abs(interval.lowerBound - 0.18761630648265054) < 1e-12)
    #expect(abs(interval.upperBound - 0.8123836935173494) < 1e-12)
  }

  @Test func `intervals stay within 0 and 1`() throws {
    #expect(ProportionInterval.wilson(hits: 0, of: 0) == nil)
    let none = try #require(ProportionInterval.wilson(hits: 0, of: 10))
    #expect(none.lowerBound == 0 && abs(none.upperBound - 0.27753279986288926) < 1e-12)
    let all = try #require(ProportionInterval.wilson(hits: 10, of: 10))
    #expect(all.upperBound == 1 && abs(all.lowerBound - 0.7224672001371106) < 1e-12)
  }

  @Test func `precision, recall and F1 of each class, and their means`() throws {
    let classes = Self.score.classes
    #expect(classes.map(\.support) == [3, 2, 1, 0])
    #expect(classes.map(\.predictedCount) == [3, 2, 0, 1])
    #expect(classes.map(\.truePositiveCount) == [2, 1, 0, 0])
    #expect(classes.map(\.precision) == [2.0 / 3, 0.5, nil, 0])
    #expect(classes.map(\.recall) == [2.0 / 3, 0.5, 0, nil])
    #expect(classes.map(\.f1) == [2.0 / 3, 0.5, 0, 0])
    let score = Self.score
    let third = (2.0 / 3 + 0.5) / 3
    let quarter = (2.0 / 3 + 0.5) / 4
    #expect(abs(try #require(score.meanRecall) - third) < 1e-15)
    #expect(abs(try #require(score.meanPrecision) - quarter) < 1e-15)
    #expect(abs(try #require(score.meanF1) - quarter) < 1e-15)
  }

  @Test func `the confusion matrix`() {
    let score = Self.score
    #expect(score.count(truth: 0, predicted: 0) == 2 && score.count(truth: 2, predicted: 3) == 1)
    #expect(score.count(truth: 3, predicted: 0) == 0)
    let cells = score.confusions.map { [$0.truth, $0.predicted ?? -1, $0.count] }
    #expect(cells == [[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 1], [2, 3, 1]])
  }

  @Test func `an image without any score is wrong, and taken for nothing`() {
    var score = ClassificationScore(classCount: 2)
    score.add(truth: 1, ranking: [])
    score.add(truth: 1, ranking: [0])
    #expect(score.accuracy(top: 5) == 0)
    #expect(score.count(truth: 1, predicted: nil) == 1)
    #expect(score.confusions.map(\.predicted) == [nil, 0])
    #expect(score.classes.map(\.support) == [0, 2])
    let empty = ClassificationScore(classCount: 2)
    #expect(empty.accuracy(top: 1) == nil && empty.interval(top: 1) == nil)
    #expect(empty.meanRecall == nil && empty.meanLoss == nil && empty.confusions == [])
  }

  @Test func `the loss counts where every image has a probability`() throws {
    var score = ClassificationScore(classCount: 2)
    score.add(truth: 0, ranking: [0, 1], probability: 0.5)
    #expect(abs(try #require(score.meanLoss) - log(2.0)) < 1e-15)
    score.add(truth: 0, ranking: [1, 0], probability: 0)
    // 0 counts as 1e-7.
    let expected: Double = (log(2.0) + 7.0 * log(10.0)) / 2.0
    #expect(abs(try #require(score.meanLoss) - expected) < 1e-12)
    score.add(truth: 0, ranking: [0, 1])
    #expect(score.meanLoss == nil)
  }
}
