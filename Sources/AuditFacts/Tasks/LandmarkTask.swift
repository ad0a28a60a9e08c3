// SPDX-License-Identifier: Apache-2.0

import Formatting
import Landmarks
import Martlet
import ModelChecks
import ModelTasks
import VisionTasks

/// What the models of a bundle do together: find the points of faces, hands or people.
struct LandmarkTask {
  private enum Kind {
    case faces(FaceLandmarker)
    case hands(HandLandmarker, GestureRecognizer?)
    case people(PoseLandmarker)
    case person(HolisticLandmarker)
  }

  private let kind: Kind

  /// The task of these models, told by their names; nil where they have none.
  ///
  /// - Parameters:
  ///   - parts: the models.
  ///   - options: how they are run.
  ///   - count: how many things are found at most.
  /// - Throws: `VisionError` where a model is another than its name says.
  init?(
    _ parts: [AuditedBundle.Part], _ options: Interpreter.Options, count: Int
  ) throws(VisionError) {
    func model(_ name: String) -> Model? {
      parts.first { $0.name == name || $0.name.hasSuffix("/" + name) }?.model
    }
    if let holistic = HolisticLandmarker.Models(named: model) {
      var settings = HolisticLandmarker.Options()
      settings.interpreter = options
      kind = .person(try HolisticLandmarker(holistic, options: settings))
    } else if let detector = model(LandmarkBundle.faceDetector),
      let landmarks = model(LandmarkBundle.faceLandmarks)
    {
      var settings = FaceLandmarker.Options()
      (settings.interpreter, settings.maxFaces) = (options, count)
      kind = .faces(
        try FaceLandmarker(
          detector: detector, landmarks: landmarks,
          blendshapes: model(LandmarkBundle.faceBlendshapes), options: settings))
    } else if let detector = model(LandmarkBundle.handDetector),
      let landmarks = model(LandmarkBundle.handLandmarks)
    {
      var settings = HandLandmarker.Options()
      (settings.interpreter, settings.maxHands) = (options, count)
      var recognizer: GestureRecognizer?
      if let embedder = model(LandmarkBundle.gestureEmbedder),
        let classifier = model(LandmarkBundle.gestureClassifier)
      {
        recognizer = try GestureRecognizer(
          embedder: embedder, classifier: classifier,
          custom: model(LandmarkBundle.customGestureClassifier), options: options)
      }
      kind = .hands(
        try HandLandmarker(detector: detector, landmarks: landmarks, options: settings), recognizer)
    } else if let detector = model(LandmarkBundle.poseDetector),
      let landmarks = model(LandmarkBundle.poseLandmarks)
    {
      var settings = PoseLandmarker.Options()
      (settings.interpreter, settings.maxPoses) = (options, count)
      kind = .people(
        try PoseLandmarker(detector: detector, landmarks: landmarks, options: settings))
    } else {
      return nil
    }
  }

  /// The interpreters that have run for the latest image.
  ///
  /// Those that nothing was found for have not run.
  var interpreters: [Interpreter] {
    let all =
      switch kind {
      case .faces(let landmarker): landmarker.interpreters
      case .hands(let landmarker, let recognizer):
        landmarker.interpreters + (recognizer?.interpreters ?? [])
      case .people(let landmarker): landmarker.interpreters
      case .person(let landmarker): landmarker.interpreters
      }
    return all.filter(\.hasRun)
  }

  /// What the models say of an image, drawn into it and as tables.
  func facts(of image: BundleImage) throws -> TaskFacts {
    let (pixels, orientation) = (image.pixels, image.orientation)
    switch kind {
    case .faces(let landmarker):
      var facts = TaskFacts(.faces, .image, of: image.fileName)
      let faces = try landmarker.detect(pixels, orientation: orientation)
      facts.addMovements(of: faces)
      try facts.add(faces.map(\.figure), in: pixels, orientation)
      return facts
    case .hands(let landmarker, let recognizer):
      var facts = TaskFacts(.hands, .image, of: image.fileName)
      let hands = try landmarker.detect(pixels, orientation: orientation)
      let gestures = try hands.map {
        try recognizer?.gesture(of: $0, in: pixels, orientation: orientation)
      }
      facts.add(hands, gestures)
      try facts.add(hands.map(\.figure), in: pixels, orientation)
      return facts
    case .people(let landmarker):
      var facts = TaskFacts(.pose, .image, of: image.fileName)
      let people = try landmarker.detect(pixels, orientation: orientation)
      try facts.add(people.map(\.figure), in: pixels, orientation)
      return facts
    case .person(let landmarker):
      var facts = TaskFacts(.pose, .image, of: image.fileName)
      let person = try landmarker.detect(
        pixels, orientation: orientation)
      let hands = [person?.leftHand, person?.rightHand].compactMap(\.self)
      let faces = [person?.face].compactMap(\.self)
      let things =
        [person?.body.figure].compactMap(\.self) + faces.map(\.figure) + hands.map(\.figure)
      facts.add(hands, hands.map { _ in nil })
      facts.addMovements(of: faces)
      try facts.add(things, in: pixels, orientation)
      return facts
    }
  }
}

extension TaskFacts {
  /// Adds which hands are seen and what they show.
  fileprivate mutating func add(
    _ hands: [HandLandmarker.Hand], _ gestures: [GestureRecognizer.Gesture?]
  ) {
    guard !hands.isEmpty else { return }
    add(
      "Hands",
      [
        ("hand", true), ("Its score", true), ("Side", false), ("Score", true), ("Gesture", false),
        ("Score", true),
      ],
      zip(hands, gestures).enumerated().map { number, found in
        [
          "\(number + 1)", Double(found.0.presence).fixed(4), found.0.handedness?.rawValue ?? "",
          found.0.handednessScore.map { Double($0).fixed(4) } ?? "", found.1?.name.printable ?? "",
          found.1.map { Double($0.score).fixed(4) } ?? "",
        ]
      })
  }

  /// Movements of a face with less strength are left out.
  private static let leastStrength: Float = 0.01

  /// Adds the movements of faces, the strongest first.
  fileprivate mutating func addMovements(of faces: [FaceLandmarker.Face]) {
    guard faces.contains(where: { !$0.blendshapes.isEmpty }) else { return }
    add(
      "Movements of a face with a strength of \(Double(Self.leastStrength).short(2)) or more",
      [("face", true), ("Movement", false), ("Strength", true)],
      faces.enumerated().flatMap { number, face -> [[String]] in
        let movements: [(String, Float)] = zip(
          FaceBlendshape.names, face.blendshapes
        ).filter { $0.1 >= Self.leastStrength }.sorted { $0.1 > $1.1 }
        return movements.map { ["\(number + 1)", $0.0, Double($0.1).fixed(4)] }
      })
  }
}
