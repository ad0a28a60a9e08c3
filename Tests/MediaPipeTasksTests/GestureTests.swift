// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Dispatch
import Foundation
import MediaPipeTasksVision
import Synchronization
import Testing

/// Gestures; scores are those of MediaPipe 1.2.3.
@Suite struct GestureTests {
  static let gestures = "gesture_recognizer.task"
  static let custom = "gesture_recognizer_with_custom_classifier.task"

  static func has(_ name: String) -> ConditionTrait {
    .enabled(
      if: PublishedFiles.has(
        name, "rs_thumbs_up.jpg", "rs_thumbs_down.jpg", "rs_victory.jpg", "rs_pointing_up.jpg",
        "rs_woman_hands.jpg"), "no tasks/\(name) in MARTLET_TEST_MODELS")
  }

  static func options(_ name: String = gestures) -> GestureRecognizerOptions {
    let options = GestureRecognizerOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(name)
    return options
  }

  static func image(_ name: String) throws -> MPImage {
    try MPImage(uiImage: try PublishedFiles.image(name))
  }

  @Test(
    has(gestures),
    arguments: [
      ("rs_thumbs_up.jpg", "Thumb_Up", Float(0.732024), "Right"),
      ("rs_thumbs_down.jpg", "Thumb_Down", 0.773060, "Right"),
      ("rs_victory.jpg", "Victory", 0.908304, "Right"),
      ("rs_pointing_up.jpg", "Pointing_Up", 0.819764, "Left"),
    ])
  func `gestures are those that MediaPipe finds`(
    name: String, gesture: String, score: Float, side: String
  ) throws {
    let recognizer = try GestureRecognizer(modelPath: PublishedFiles.path(Self.gestures))
    let result = try recognizer.recognize(image: try Self.image(name))
    #expect(result.gestures.count == 1 && result.landmarks.count == 1)
    #expect(result.landmarks[0].count == 21 && result.worldLandmarks[0].count == 21)
    let found = try #require(result.gestures[0].first)
    #expect(found.index == -1 && found.categoryName == gesture && found.displayName == nil)
    #expect(abs(found.score - score) < 0.02)
    #expect(result.handedness[0].first?.categoryName == side)
  }

  @Test(has(gestures)) func `hands without a gesture show none`() throws {
    let options = Self.options()
    options.numHands = 2
    options.runningMode = .video
    let recognizer = try GestureRecognizer(options: options)
    let result = try recognizer.recognize(
      videoFrame: try Self.image("rs_woman_hands.jpg"), timestampInMilliseconds: 7)
    #expect(result.timestampInMilliseconds == 7)
    #expect(result.gestures.map { $0.first?.categoryName } == ["None", "None"])
    #expect(
      Set(result.handedness.compactMap { $0.first?.categoryName }) == ["Left", "Right"])
  }

  @Test(has(gestures)) func `classifier options choose among gestures`() throws {
    let image = try Self.image("rs_thumbs_up.jpg")
    func name(_ change: (ClassifierOptions) -> Void) throws -> String? {
      let (options, classes) = (Self.options(), ClassifierOptions())
      change(classes)
      options.cannedGesturesClassifierOptions = classes
      let result = try GestureRecognizer(options: options).recognize(image: image)
      #expect(result.gestures.count == result.landmarks.count)
      return result.gestures.first?.first?.categoryName
    }
    #expect(try name { $0.categoryAllowlist = ["Closed_Fist"] } == "Closed_Fist")
    #expect(try name { $0.categoryDenylist = ["Thumb_Up"] } == "None")
    // Nothing at all is reported of a hand of which no gesture counts.
    #expect(try name { $0.scoreThreshold = 0.99 } == nil)
    let both = thrown {
      _ = try name {
        $0.categoryAllowlist = ["Closed_Fist"]
        $0.categoryDenylist = ["Closed_Fist"]
      }
    }
    #expect(both?.parts == NSError.invalidArgument(ErrorText.bothLists))
  }

  @Test(has(custom)) func `custom gestures go before`() throws {
    let options = Self.options(Self.custom)
    let recognizer = try GestureRecognizer(options: options)
    let paper = try recognizer.recognize(image: try Self.image("rs_thumbs_up.jpg"))
    let found = try #require(paper.gestures.first?.first)
    #expect(found.categoryName == "Paper" && abs(found.score - 0.597279) < 0.05)
    let victory = try recognizer.recognize(image: try Self.image("rs_victory.jpg"))
    #expect(victory.gestures.first?.first?.categoryName == "Victory")
    let rock = ClassifierOptions()
    rock.categoryAllowlist = ["Rock"]
    options.customGesturesClassifierOptions = rock
    let only = try GestureRecognizer(options: options)
    #expect(
      try only.recognize(image: try Self.image("rs_victory.jpg")).gestures.first?.first?
        .categoryName == "Rock")
  }

  private final class Receiver: NSObject, GestureRecognizerLiveStreamDelegate, Sendable {
    let found = Mutex<[(String?, Int)]>([])
    let done = DispatchSemaphore(value: 0)

    func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer,
      didFinishGestureRecognition result: GestureRecognizerResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {
      found.withLock {
        $0.append((result?.gestures.first?.first?.categoryName, timestampInMilliseconds))
      }
      done.signal()
    }
  }

  @Test(has(gestures)) func `a live stream has gestures`() throws {
    let (options, receiver) = (Self.options(), Receiver())
    options.runningMode = .liveStream
    #expect(thrown { _ = try GestureRecognizer(options: options) }?.code == 3)
    options.gestureRecognizerLiveStreamDelegate = receiver
    let recognizer = try GestureRecognizer(options: options)
    let image = try Self.image("rs_victory.jpg")
    try recognizer.recognizeAsync(image: image, timestampInMilliseconds: 3)
    receiver.done.wait()
    let found = receiver.found.withLock { $0 }
    #expect(found.count == 1 && found[0].0 == "Victory" && found[0].1 == 3)
    #expect(thrown { _ = try recognizer.recognize(image: image) }?.code == 3)
  }

  @Test func `options are copied with all that they hold`() throws {
    let options = GestureRecognizerOptions()
    #expect(options.numHands == 1 && options.cannedGesturesClassifierOptions == nil)
    let classes = ClassifierOptions()
    classes.maxResults = 3
    options.cannedGesturesClassifierOptions = classes
    classes.maxResults = 4
    options.numHands = 5
    options.minTrackingConfidence = 0.25
    options.baseOptions.modelAssetPath = "a"
    let copy = try #require(options.copy() as? GestureRecognizerOptions)
    #expect(copy.cannedGesturesClassifierOptions?.maxResults == 3)
    #expect(copy.numHands == 5 && copy.minTrackingConfidence == 0.25)
    #expect(copy.baseOptions.modelAssetPath == "a")
    copy.numHands = 1
    #expect(options.numHands == 5)
    let whole = try #require(HolisticLandmarkerOptions().copy() as? HolisticLandmarkerOptions)
    #expect(whole.minFaceSuppressionThreshold == 0.3 && whole.minHandLandmarksConfidence == 0.5)
  }
}
