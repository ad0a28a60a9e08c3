// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// Tracking.
@Suite struct TrackingTests {
  typealias Observation = ObjectTracker.Observation

  static func box(_ x: Double, _ y: Double, side: Double = 20, score: Float = 0.9) -> Observation {
    Observation(frame: ImageRect(x: x, y: y, width: side, height: side), score: score)
  }

  static func options(_ change: (inout ObjectTracker.Options) -> Void) -> ObjectTracker.Options {
    var options = ObjectTracker.Options()
    change(&options)
    return options
  }

  @Test func `objects get numbers at once and keep them`() {
    var tracker = ObjectTracker()
    #expect(tracker.update([]).isEmpty)
    let first = tracker.update([Self.box(0, 0), Self.box(100, 0)])
    #expect(first.map(\.trackingID) == [0, 1])
    #expect(first.map(\.observationIndex) == [0, 1])
    let second = tracker.update([Self.box(102, 1), Self.box(50, 80), Self.box(1, 2)])
    #expect(second.map(\.trackingID) == [0, 1, 2])
    #expect(second.map(\.observationIndex) == [2, 0, 1])
    #expect(second.allSatisfy { $0.missCount == 0 && $0.score == 0.9 })
  }

  @Test func `numbers are not used again after a reset`() {
    var tracker = ObjectTracker()
    _ = tracker.update([Self.box(0, 0), Self.box(100, 0)])
    tracker.reset()
    #expect(tracker.predict().isEmpty)
    #expect(tracker.update([Self.box(0, 0)]).map(\.trackingID) == [2])
  }

  @Test func `objects may have to be seen several times, except in the first update`() {
    var tracker = ObjectTracker(options: Self.options { $0.hitsToConfirm = 3 })
    #expect(tracker.update([Self.box(0, 0)]).map(\.trackingID) == [0])
    #expect(tracker.update([Self.box(0, 0), Self.box(90, 0)]).map(\.trackingID) == [0])
    #expect(tracker.update([Self.box(0, 0), Self.box(90, 0)]).map(\.trackingID) == [0])
    #expect(tracker.update([Self.box(0, 0), Self.box(90, 0)]).map(\.trackingID) == [0, 1])
  }

  @Test(arguments: [1, 3, 8])
  func `a missing object is remembered for so many updates`(misses: Int) {
    for absence in misses...misses + 1 {
      var tracker = ObjectTracker(options: Self.options { $0.missesToForget = misses })
      for _ in 0..<10 { _ = tracker.update([Self.box(50, 50)]) }
      for _ in 0..<absence { #expect(tracker.update([]).isEmpty) }
      let id = tracker.update([Self.box(50, 50)]).first?.trackingID
      #expect(id == (absence == misses ? 0 : 1))
    }
  }

  @Test func `an object seen once is forgotten after two updates`() {
    var tracker = ObjectTracker()
    _ = tracker.update([Self.box(50, 50)])
    for _ in 0..<3 { _ = tracker.update([]) }
    #expect(tracker.update([Self.box(50, 50)]).map(\.trackingID) == [1])
  }

  @Test func `missing objects can be reported where they should be`() throws {
    var tracker = ObjectTracker(options: Self.options { $0.missesToHide = 2 })
    for frame in 0..<20 { _ = tracker.update([Self.box(Double(frame) * 4, 50)]) }
    for misses in 1...2 {
      let object = try #require(tracker.update([]).first)
      #expect(object.missCount == misses && object.observationIndex == nil)
      #expect(abs(object.frame.x - Double(19 + misses) * 4) < 1)
    }
    #expect(tracker.update([]).isEmpty)
  }

  @Test func `steady motion is predicted, and predictions are no misses`() throws {
    var tracker = ObjectTracker()
    for frame in 0..<20 { _ = tracker.update([Self.box(Double(frame) * 5, 100 - Double(frame))]) }
    for frame in 20..<24 {
      let object = try #require(tracker.predict().first)
      #expect(object.trackingID == 0 && object.missCount == 0 && object.observationIndex == nil)
      #expect(abs(object.frame.x - Double(frame) * 5) < 2)
      #expect(abs(object.frame.y - (100 - Double(frame))) < 1)
    }
  }

  @Test func `dropped frames do not matter where the tracker is told of them`() {
    for told in [true, false] {
      var tracker = ObjectTracker()
      for frame in 0..<20 { _ = tracker.update([Self.box(Double(frame) * 12, 50)]) }
      let next = tracker.update([Self.box(24 * 12, 50)], frames: told ? 5 : 1)
      #expect(next.map(\.trackingID) == [told ? 0 : 1] || !told)
    }
    var tracker = ObjectTracker()
    _ = tracker.update([Self.box(50, 50)])
    for frames in [Int.min, -1, 0, .max] {
      #expect(tracker.update([Self.box(50, 50)], frames: frames).map(\.trackingID) == [0])
    }
  }

  @Test func `doubtful findings continue objects but start none`() {
    var tracker = ObjectTracker()
    #expect(tracker.update([Self.box(0, 0, score: 0.3)]).isEmpty)
    #expect(tracker.update([Self.box(0, 0, score: 0.5)]).map(\.trackingID) == [0])
    #expect(tracker.update([Self.box(0, 1, score: 0.3)]).map(\.trackingID) == [0])
    #expect(tracker.update([Self.box(0, 1, score: 0.05)]).isEmpty)
    #expect(tracker.update([Self.box(0, 1, score: .nan)]).isEmpty)
  }

  @Test func `the prominent object stays the one as long as it is there`() {
    var tracker = ObjectTracker(options: Self.options { $0.focus = .prominent })
    #expect(tracker.update([Self.box(0, 0), Self.box(90, 90, side: 40)]).map(\.trackingID) == [1])
    for _ in 0..<9 {
      let objects = tracker.update([
        Self.box(0, 0), Self.box(90, 90, side: 40), Self.box(200, 0, side: 99),
      ])
      #expect(objects.map(\.trackingID) == [1])
    }
    // Five updates without it change nothing, the sixth gives it up.
    let others = [Self.box(0, 0), Self.box(200, 0, side: 99)]
    for _ in 0..<5 { #expect(tracker.update(others).isEmpty) }
    #expect(tracker.update(others).map(\.trackingID) == [2])
    #expect(tracker.update(others + [Self.box(90, 90, side: 40)]).map(\.trackingID) == [2])
    #expect(tracker.predict().map(\.trackingID) == [2])
  }

  @Test func `of many objects those known for longest are reported`() {
    var tracker = ObjectTracker(options: Self.options { $0.maxObjects = 2 })
    let boxes = (0..<4).map { Self.box(Double($0) * 50, 0) }
    #expect(tracker.update(boxes).map(\.trackingID) == [0, 1])
    #expect(tracker.update(boxes.reversed()).map(\.trackingID) == [0, 1])
    #expect(tracker.update(Array(boxes[1...])).map(\.trackingID) == [1, 2])
  }

  @Test func `categories tell objects apart that are close`() {
    var tracker = ObjectTracker()
    func pair(_ x: Double) -> [Observation] {
      (0..<2).map { index in
        var observation = Self.box(50 + (index == 0 ? x : -x), 50)
        observation.categoryIndex = index
        return observation
      }
    }
    _ = tracker.update(pair(1))
    let objects = tracker.update(pair(-1))
    #expect(objects.map(\.trackingID) == [0, 1])
    #expect(objects.map(\.categoryIndex) == [0, 1])
  }

  @Test func `detected objects keep what the detector knows`() {
    var tracker = ObjectTracker(options: Self.options { $0.missesToHide = 1 })
    let cat = DetectedObject(
      frame: ImageRect(x: 3, y: 4, width: 50, height: 40), score: 0.64,
      category: DetectedObject.Category(index: 16, className: "cat"))
    var expected = cat
    expected.trackingID = 0
    #expect(tracker.update(objects: [cat]) == [expected])
    let moved = DetectedObject(
      frame: ImageRect(x: 4, y: 5, width: 52, height: 40), score: 0.7, category: cat.category)
    expected = moved
    expected.trackingID = 0
    #expect(tracker.update(objects: [moved]) == [expected])
    let hidden = tracker.update(objects: [])
    #expect(hidden.map(\.trackingID) == [0] && hidden.map(\.category?.index) == [16])
  }
}
