// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// CLEAR-MOT.
@Suite struct TrackingMetricsTests {
  static func truth(_ actor: Int, _ x: Double, visibility: Double = 1) -> TrackingScene.Truth {
    let box = ImageRect(x: x, y: 0, width: 10, height: 10)
    return TrackingScene.Truth(
      actor: actor, box: box, visibleBox: box, visibility: visibility)
  }

  static func objects(_ locations: [(id: Int, x: Double)]) -> [TrackedObject] {
    var tracker = ObjectTracker()
    let highest = locations.map(\.id).max() ?? -1
    // A fresh tracker numbers its observations in order: others are put far away.
    let observations = (0...max(highest, 0)).map { id in
      let x = locations.first { $0.id == id }?.x ?? -1000 * Double(id + 1)
      return ObjectTracker.Observation(frame: ImageRect(x: x, y: 0, width: 10, height: 10))
    }
    return tracker.update(observations).filter { object in
      locations.contains { $0.id == object.trackingID }
    }
  }

  @Test func `misses, false positives and switches are counted`() {
    var metrics = TrackingMetrics()
    let truths = [Self.truth(0, 0), Self.truth(1, 100)]
    metrics.add(truths, Self.objects([(0, 0), (1, 100)]))
    // The second actor is missed, and something is where nothing is.
    metrics.add(truths, Self.objects([(0, 1), (1, 107)]))
    // It comes back with another number; the first one keeps its own beside a better box.
    metrics.add(truths, Self.objects([(0, 3), (2, 0), (3, 100)]))
    // Both change places: two switches.
    metrics.add(truths, Self.objects([(3, 0), (0, 100)]))
    #expect(metrics.actorCount == 8)
    #expect(metrics.missCount == 1)
    #expect(metrics.falseCount == 2)
    #expect(metrics.switchCount == 3)
    #expect(metrics.accuracy == 1 - 6.0 / 8)
  }

  @Test func `hidden actors count for nothing`() {
    var metrics = TrackingMetrics()
    metrics.add([Self.truth(0, 0, visibility: 0.2)], Self.objects([(0, 0), (1, 50)]))
    metrics.add([Self.truth(0, 0, visibility: 0.2)], [])
    #expect(metrics.actorCount == 0 && metrics.missCount == 0 && metrics.falseCount == 1)
  }
}
