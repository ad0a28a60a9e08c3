// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Landmarks
import Martlet
import ModelTasks
import TestSupport
import Testing
import VisionTasks

/// Gestures of hands: of drawn models, whose scores are what they are given, and of MediaPipe's.
@Suite struct GestureRecognizerTests {
  /// An embedder whose vector is one of its inputs, of 63, 1 and 63 numbers.
  private static func embedder(_ input: Int) throws -> Model {
    var model = DrawnModel()
    let inputs = [
      model.tensor([1, 21, 3]), model.tensor([1, 1]), model.tensor([1, 21, 3]),
    ]
    let count = input == 1 ? 1 : 63
    let output = model.tensor([1, count])
    model.node(.reshape, [inputs[input], model.constant([1, Int32(count)])], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = (inputs, [output])
    return try model.loaded()
  }

  /// A classifier whose scores are the vector.
  private static func classifier(_ count: Int = 63) throws -> Model {
    var model = DrawnModel()
    let (input, output) = (model.tensor([1, count]), model.tensor([1, count]))
    model.node(.reshape, [input, model.constant([1, Int32(count)])], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return try model.loaded()
  }

  private static func classes(_ names: [String]) -> ClassificationOptions {
    var classes = ClassificationOptions()
    classes.labels = LabelMap(classNames: names)
    return classes
  }

  /// Names that are numbers.
  private static let numbered = classes((0..<63).map { "\($0)" })

  /// A hand with a wrist, one point far to the right and others near the wrist.
  private static func hand(
    _ far: Landmark, handedness: HandLandmarker.Handedness = .right
  ) -> HandLandmarker.Hand {
    var points = (0..<21).map { _ in Landmark(x: 40, y: 60, z: 0) }
    points[7] = far
    return HandLandmarker.Hand(
      landmarks: points, worldLandmarks: points, handedness: handedness, handednessScore: 0.9,
      presence: 1)
  }

  private static func image() throws -> PixelBuffer {
    try PixelBuffer(
      width: 200, height: 100, format: .rgb8,
      filledWith: PixelColor(red: 0, green: 0, blue: 0))
  }

  @Test func `points are measured from the wrist, by the longer side of their box`() throws {
    let image = try Self.image()
    let recognizer = try GestureRecognizer(
      embedder: Self.embedder(0), classifier: Self.classifier(), classes: Self.numbered)
    // 80 to the right is the width of the box; with all others 0, the greatest is x of point 7.
    let gesture = try #require(
      try recognizer.gesture(of: Self.hand(Landmark(x: 120, y: 40, z: 0)), in: image))
    #expect(gesture.name == "21" && abs(gesture.score - 0.4 / (0.4 + 1e-5)) < 1e-5)
    // Down is greater than right, and the side is 20 of 200 pixels.
    let down = try #require(
      try recognizer.gesture(of: Self.hand(Landmark(x: 50, y: 80, z: 0)), in: image))
    #expect(down.name == "22" && abs(down.score - 0.1 / (0.1 + 1e-5)) < 1e-5)
    // Points in meters are as they are.
    let world = try GestureRecognizer(
      embedder: Self.embedder(2), classifier: Self.classifier(), classes: Self.numbered)
    let deep = try #require(
      try world.gesture(of: Self.hand(Landmark(x: 40, y: 70, z: 30)), in: image))
    #expect(deep.name == "23" && abs(deep.score - 3) < 1e-4)
  }

  @Test func `an image on its side has the hand of the upright one`() throws {
    let image = try Self.image()
    let recognizer = try GestureRecognizer(
      embedder: Self.embedder(0), classifier: Self.classifier(), classes: Self.numbered)
    // Stored to the right is down in an image that has to be turned clockwise.
    let turned = try #require(
      try recognizer.gesture(
        of: Self.hand(Landmark(x: 120, y: 60, z: 0)), in: image, orientation: .right))
    #expect(turned.name == "22")
  }

  @Test(arguments: HandLandmarker.Handedness.allCases)
  func `a left hand is a right one with the rest of the score`(
    handedness: HandLandmarker.Handedness
  ) throws {
    let recognizer = try GestureRecognizer(
      embedder: Self.embedder(1), classifier: Self.classifier(1), classes: Self.classes(["right"]))
    let gesture = try #require(
      try recognizer.gesture(
        of: Self.hand(Landmark(x: 50, y: 60), handedness: handedness), in: Self.image()))
    #expect(abs(gesture.score - (handedness == .right ? 0.9 : 0.1)) < 1e-6)
  }

  @Test func `a custom gesture goes before, unless it is none`() throws {
    var names = (0..<63).map { "custom \($0)" }
    names[21] = GestureRecognizer.background
    let recognizer = try GestureRecognizer(
      embedder: Self.embedder(0), classifier: Self.classifier(), custom: Self.classifier(),
      classes: Self.numbered, customClasses: Self.classes(names))
    let image = try Self.image()
    let right = try recognizer.gesture(of: Self.hand(Landmark(x: 120, y: 40)), in: image)
    #expect(right?.name == "21")
    let down = try recognizer.gesture(of: Self.hand(Landmark(x: 50, y: 80)), in: image)
    #expect(down?.name == "custom 22")
  }

  @Test func `only gestures that are wanted count`() throws {
    let image = try Self.image()
    let hand = Self.hand(Landmark(x: 120, y: 90))
    func name(_ change: (inout ClassificationOptions) -> Void) throws -> String? {
      var classes = Self.numbered
      change(&classes)
      return try GestureRecognizer(
        embedder: Self.embedder(0), classifier: Self.classifier(), classes: classes
      ).gesture(of: hand, in: image)?.name
    }
    #expect(try name { _ in } == "21")
    #expect(try name { $0.deniedLabels = ["21"] } == "22")
    #expect(try name { $0.allowedLabels = ["22"] } == "22")
    #expect(try name { $0.scoreThreshold = 1.5 } == nil)
    #expect(throws: VisionError.self) { _ = try name { $0.maxResults = 0 } }
  }

  @Test func `hands without all points have no gesture`() throws {
    let recognizer = try GestureRecognizer(
      embedder: Self.embedder(0), classifier: Self.classifier())
    let hand = HandLandmarker.Hand(
      landmarks: [], worldLandmarks: [], handedness: .right, handednessScore: 1, presence: 1)
    #expect(try recognizer.gesture(of: hand, in: Self.image()) == nil)
    #expect(throws: VisionError.self) {
      try GestureRecognizer(embedder: Self.classifier(), classifier: Self.classifier())
    }
  }

  /// The hands of MediaPipe's test data and their gestures, `MPPGestureRecognizerTests.m`.
  private static let fixtures = [
    ("thumb_up_landmarks", "Thumb_Up"), ("fist_landmarks", "Closed_Fist"),
    ("victory_landmarks", "Victory"), ("pointing_up_landmarks", "Pointing_Up"),
  ]

  @Test(
    .enabled(
      if: PublishedModels.haveTasks("fist_landmarks.pbtxt", "gesture_embedder.tflite"),
      "no tasks/fist_landmarks.pbtxt in MARTLET_TEST_MODELS"), arguments: fixtures)
  func `hands of MediaPipe's test data have their gestures`(name: String, gesture: String) throws {
    let text = try String(contentsOfFile: PublishedModels.task("\(name).pbtxt"), encoding: .utf8)
    func numbers(_ key: String) -> [Float] {
      text.split(separator: "\n").compactMap { line in
        let parts = line.split(whereSeparator: { $0 == ":" || $0 == " " })
        return parts.count == 2 && parts[0] == key ? Float(parts[1]) : nil
      }
    }
    let (x, y, z) = (numbers("x"), numbers("y"), numbers("z"))
    try #require(x.count == 42 && y.count == 42 && z.count == 42)
    let points = x.indices.map { Landmark(x: x[$0], y: y[$0], z: z[$0]) }
    let image = try PixelBuffer(
      width: 480, height: 640, format: .rgb8,
      filledWith: PixelColor(red: 0, green: 0, blue: 0))
    let hand = HandLandmarker.Hand(
      landmarks: Array(points.prefix(21)).inPixels(columns: 480, rows: 640),
      worldLandmarks: Array(points.suffix(21)),
      handedness: text.contains("\"Right\"") ? .right : .left, handednessScore: 1, presence: 1)
    let recognizer = try GestureRecognizer(
      embedder: Model(path: PublishedModels.task("gesture_embedder.tflite")),
      classifier: Model(path: PublishedModels.task("canned_gesture_classifier.tflite")))
    let found = try #require(try recognizer.gesture(of: hand, in: image))
    #expect(found.name == gesture && found.score > 0.5)
  }
}
