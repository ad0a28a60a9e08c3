// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing
import VisionTasks

/// Tracking of anything a model may give.
@Suite struct TrackingHostileTests {
  static let strange: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e19, -1e19,
    .leastNonzeroMagnitude, -0.0, 0, 1, -3, 0x1p24, 5e8,
  ]

  @Test(arguments: strange)
  func `no box can stop the program`(x: Double) throws {
    let image = try PixelBuffer(width: 30, height: 20, format: .rgba8, filledWith: .white)
    for isShown in [true, false] {
      var tracker = ObjectTracker()
      for y in Self.strange {
        var observations = [TrackingTests.box(5, 5)]
        for width in Self.strange {
          for height in Self.strange {
            let frame = ImageRect(x: x, y: y, width: width, height: height)
            observations.append(ObjectTracker.Observation(frame: frame, score: 0.5))
          }
        }
        for _ in 0..<2 {
          let objects = tracker.update(observations, image: isShown ? image : nil)
          #expect(objects.contains { $0.observationIndex == 0 })
          #expect(objects.count <= 100)
          #expect(objects.allSatisfy { $0.frame.x.isFinite && $0.frame.width >= 1 })
        }
        #expect(tracker.predict(frames: .max).allSatisfy { $0.frame.y.isFinite })
      }
    }
  }

  @Test func `boxes without area or location are ignored`() {
    let frames = [
      ImageRect(x: 0, y: 0, width: 0, height: 9), ImageRect(x: 0, y: 0, width: 9, height: -9),
      ImageRect(x: .nan, y: 0, width: 9, height: 9), ImageRect(x: 0, y: 0, width: 9, height: .nan),
      ImageRect(x: 0, y: -.infinity, width: 9, height: 9),
      ImageRect(x: 1e300, y: 0, width: 9, height: 9),
    ]
    var tracker = ObjectTracker()
    #expect(tracker.update(frames.map { ObjectTracker.Observation(frame: $0) }).isEmpty)
  }

  @Test func `any options are taken`() {
    let frames = TrackingScene.crossing.frames(seed: 1).prefix(3)
    for count in [Int.min, -1, 0, 1, .max] {
      for number in [Float.nan, -.infinity, -1, 0, 2, .infinity] {
        let options = TrackingTests.options {
          $0.hitsToConfirm = count
          $0.missesToForget = count
          $0.missesToHide = count
          $0.maxObjects = count
          $0.appearanceWeight = Double(number)
          $0.reidentificationDistance = Double(number)
          $0.confidentScore = number
          $0.lowestScore = number
        }
        var tracker = ObjectTracker(options: options)
        for frame in frames { _ = tracker.update(frame.observations, image: frame.image) }
        for _ in 0..<5 { _ = tracker.update([]) }
      }
    }
  }

  @Test func `of too many observations the highest scores count, in bounded time`() {
    let observations = (0..<1000).map { index -> ObjectTracker.Observation in
      let (row, column) = index.quotientAndRemainder(dividingBy: 40)
      let score: Float = index % 9 == 0 ? 0.9 : 0.6
      return TrackingTests.box(Double(column * 30), Double(row * 30), score: score)
    }
    var tracker = ObjectTracker()
    let time = ContinuousClock().measure {
      for _ in 0..<3 {
        let objects = tracker.update(observations)
        #expect(objects.map(\.trackingID) == Array(0..<100))
        #expect(objects.allSatisfy { $0.score == 0.9 })
      }
    }
    #expect(time < .seconds(10))
  }

  @Test func `the same calls give the same results`() {
    let frames = TrackingScene.main.frames(seed: 7)
    var trackers = [ObjectTracker(), ObjectTracker()]
    for frame in frames {
      let results = trackers.indices.map {
        trackers[$0].update(frame.observations, image: frame.image)
      }
      #expect(results[0] == results[1])
    }
  }
}
