// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging
import Testing
import VisionTasks

/// Detection scores.
@Suite struct DetectionScoreTests {
  private static func truth(
    _ x: Double, _ width: Double = 10, height: Double = 10, isCrowd: Bool = false
  ) -> DetectionScore.Truth {
    DetectionScore.Truth(
      frame: ImageRect(x: x, y: 0, width: width, height: height), classIndex: 0, isCrowd: isCrowd)
  }

  private static func detection(
    _ x: Double, _ score: Double, _ width: Double = 10
  ) -> DetectionScore.Detection {
    DetectionScore.Detection(
      frame: ImageRect(x: x, y: 0, width: width, height: 10), classIndex: 0, score: score)
  }

  @Test func `one hit before a miss, and one box not found`() {
    var score = DetectionScore()
    // The second overlaps by a third only; half of the recall is never reached.
    score.add(
      [Self.detection(0, 0.9), Self.detection(105, 0.8)],
      truths: [Self.truth(0), Self.truth(100)])
    let result = score.result
    #expect(score.imageCount == 1 && score.truthCount == 2 && score.detectionCount == 2)
    #expect(result.classIndices == [0] && result.truthCount(ofClass: 0) == 2)
    // Recalls 0, 0.01, … 0.5 of 101 have precision 1.
    #expect(abs((result.averagePrecision() ?? 0) - 51.0 / 101) < 1e-12)
    #expect(result.averageRecall() == 0.5)
    #expect(result.averageRecall(detectionLimit: 1) == 0.5)
    #expect(result.averagePrecision(size: .large) == nil)
    #expect(result.averagePrecision(overlap: 0.51) == nil)
    #expect(result.averageRecall(detectionLimit: 2) == nil)
    #expect(result.averagePrecision(classIndex: 3) == nil)
  }

  @Test func `a miss before the hit halves the precision`() {
    var score = DetectionScore()
    score.add([Self.detection(50, 0.9), Self.detection(0, 0.8)], truths: [Self.truth(0)])
    #expect(abs((score.result.averagePrecision() ?? 0) - 0.5) < 1e-12)
    #expect(score.result.averageRecall() == 1)
    #expect(score.result.averageRecall(detectionLimit: 1) == 0)
  }

  @Test func `an overlap of just a threshold is enough`() {
    var score = DetectionScore()
    // 6 of 10 columns: an overlap of 0.6 exactly.
    score.add([Self.detection(0, 0.9, 6)], truths: [Self.truth(0)])
    let result = score.result
    #expect(result.averagePrecision(overlap: 0.55) ?? 0 > 0.999)
    #expect(result.averagePrecision(overlap: 0.65) == 0)
  }

  @Test func `what lies in a crowd counts neither as right nor as wrong`() {
    var score = DetectionScore()
    let parts = stride(from: 100.0, to: 150, by: 10).map { Self.detection($0, 0.95) }
    score.add(
      parts + [Self.detection(0, 0.5)], truths: [Self.truth(100, 50, isCrowd: true), Self.truth(0)])
    #expect(score.result.averagePrecision() ?? 0 > 0.999)
    #expect(score.result.truthCount(ofClass: 0) == 1)
    var alone = DetectionScore()
    alone.add(parts, truths: [Self.truth(100, 50, isCrowd: true)])
    #expect(alone.result.averagePrecision() == nil && alone.result.classIndices == [])
  }

  @Test func `numbers that are not finite do no harm`() {
    var score = DetectionScore()
    let locations = [Double.nan, .infinity, -.infinity, 1e308]
    score.add(
      locations.map { Self.detection($0, 0.5) } + [Self.detection(0, .nan)]
        + [Self.detection(0, .infinity)] + locations.map { Self.detection(0, 1, $0) },
      truths: locations.map { Self.truth($0) } + [Self.truth(0), Self.truth(0, .nan)])
    #expect(score.result.averagePrecision()?.isFinite == true)
  }

  /// A problem and what pycocotools makes of it; see `Evaluation/make_problems.py`.
  struct Problem: Decodable {
    struct Class: Decodable {
      let ap: Double?
      let ap_small: Double?
      let ar: Double?
      let ar1: Double?
    }

    struct Expected: Decodable {
      let stats: [Double?]
      let overlaps: [Double?]
      let classes: [Class]
    }

    let images: Int
    let truths: [[Double]]
    let detections: [[Double]]
    let expected: Expected

    var score: DetectionScore {
      var score = DetectionScore()
      for image in 0..<images {
        score.add(
          detections.filter { $0[0] == Double(image) }.map { row in
            DetectionScore.Detection(
              frame: ImageRect(x: row[2], y: row[3], width: row[4], height: row[5]),
              classIndex: Int(row[1]), score: row[6])
          },
          truths: truths.filter { $0[0] == Double(image) }.map { row in
            DetectionScore.Truth(
              frame: ImageRect(x: row[2], y: row[3], width: row[4], height: row[5]),
              classIndex: Int(row[1]), area: row[6], isCrowd: row[7] == 1)
          })
      }
      return score
    }
  }

  /// The problems beside the script that makes them, and those of a folder that may be named.
  static let problems: [URL] = {
    let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Evaluation").path
    let more = ProcessInfo.processInfo.environment["MARTLET_DETECTION_PROBLEMS"]
    return [own, more].compactMap(\.self).flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".json") }.sorted().map { name in
        URL(fileURLWithPath: "\(folder)/\(name)")
      }
    }
  }()

  @Test(arguments: problems)
  func `problems drawn at random come out as with pycocotools`(_ file: URL) throws {
    let problem = try JSONDecoder().decode(Problem.self, from: Data(contentsOf: file))
    let result = problem.score.result
    let sizes: [DetectionScore.Size] = [.small, .medium, .large]
    let stats =
      [
        result.averagePrecision(), result.averagePrecision(overlap: 0.5),
        result.averagePrecision(overlap: 0.75),
      ] + sizes.map { result.averagePrecision(size: $0) }
      + DetectionScore.detectionLimits.map { result.averageRecall(detectionLimit: $0) }
      + sizes.map { result.averageRecall(size: $0) }
    Self.expect(stats, problem.expected.stats)
    Self.expect(
      DetectionScore.overlaps.map { result.averagePrecision(overlap: $0) },
      problem.expected.overlaps)
    for (index, expected) in problem.expected.classes.enumerated() {
      Self.expect(
        [
          result.averagePrecision(classIndex: index),
          result.averagePrecision(size: .small, classIndex: index),
          result.averageRecall(classIndex: index),
          result.averageRecall(detectionLimit: 1, classIndex: index),
        ], [expected.ap, expected.ap_small, expected.ar, expected.ar1])
    }
  }

  private static func expect(_ values: [Double?], _ expected: [Double?]) {
    #expect(values.count == expected.count)
    for (value, expected) in zip(values, expected) {
      if let value, let expected {
        #expect(abs(value - expected) <= 1e-12)
      } else {
        #expect(value == expected)
      }
    }
  }

  @Test func `the problems are there`() { #expect(Self.problems.count >= 8) }
}
