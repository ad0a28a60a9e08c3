// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// Tracking scripted scenes.
@Suite struct TrackingSceneTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scene: TrackingScene
    /// The most identity switches of a run, and of all together.
    let switches: (run: Int, all: Int)
    /// The least accuracy of a run.
    let accuracy: Double
  }

  static let rows = [
    Row(testDescription: "main", scene: .main, switches: (1, 1), accuracy: 0.85),
    Row(testDescription: "crossing", scene: .crossing, switches: (2, 4), accuracy: 0.85),
    Row(testDescription: "twins", scene: .twins, switches: (1, 1), accuracy: 0.85),
    Row(testDescription: "occlusion", scene: .occlusion, switches: (1, 2), accuracy: 0.8),
    Row(testDescription: "re-entry", scene: .reentry, switches: (1, 1), accuracy: 0.85),
    Row(testDescription: "fast", scene: .fast, switches: (1, 1), accuracy: 0.9),
    Row(testDescription: "jitter", scene: .jitter, switches: (6, 12), accuracy: 0.65),
    Row(testDescription: "crowd", scene: .crowd, switches: (2, 4), accuracy: 0.9),
    Row(testDescription: "skipping", scene: .skipping, switches: (2, 3), accuracy: 0.8),
  ]

  static func run(
    _ scene: TrackingScene, seed: UInt64, options: ObjectTracker.Options = .init(),
    withImages: Bool = true
  ) -> TrackingMetrics {
    var tracker = ObjectTracker(options: options)
    var metrics = TrackingMetrics()
    for (index, frame) in scene.frames(seed: seed).enumerated() {
      let objects =
        index % scene.interval == 0
        ? tracker.update(frame.observations, image: withImages ? frame.image : nil)
        : tracker.predict()
      metrics.add(frame.truths, objects)
    }
    return metrics
  }

  @Test(arguments: rows)
  func `identities are kept`(row: Row) {
    var total = 0
    for seed in UInt64(1)...5 {
      let metrics = Self.run(row.scene, seed: seed)
      print(
        "\(row.testDescription) seed \(seed): \(metrics.actorCount) actors,",
        "\(metrics.missCount) misses, \(metrics.falseCount) false, \(metrics.switchCount) switches,",
        "MOTA \((metrics.accuracy * 1000).rounded() / 1000)")
      #expect(metrics.switchCount <= row.switches.run)
      #expect(metrics.accuracy >= row.accuracy)
      total += metrics.switchCount
    }
    #expect(total <= row.switches.all)
  }

  @Test func `without images, motion alone keeps most identities`() {
    for (scene, switches) in [(TrackingScene.main, 4), (.crossing, 4), (.crowd, 2)] {
      let metrics = Self.run(scene, seed: 1, withImages: false)
      #expect(metrics.switchCount <= switches)
      #expect(metrics.accuracy >= 0.8)
    }
  }
}
