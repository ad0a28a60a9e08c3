// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Landmarks
import Martlet
import ModelTasks
import VisionTasks

/// The models of a task with points: those of a `.task` file, those that options name, or one that is
/// asked alone; and the numbers that the commands share.
struct TaskModels {
  /// The models that name gestures.
  struct Gestures {
    let embedder: Model
    let classifier: Model
    let custom: Model?
  }

  /// The model that is asked of all of an image: the detector, or the only model.
  let first: Model
  /// What the only model is; nil beside others, and where it is none of those that are known.
  let onlyPart: LandmarkPart?
  /// The model of points; nil where the only model is none.
  let landmarks: Model?
  let blendshapes: Model?
  let gestures: Gestures?
  /// The models that find a body with its face and hands.
  let holistic: HolisticLandmarker.Models?
  let most: Int?
  let threshold: Float?
  let presence: Float?
  let isVideo: Bool
  let framesPerSecond: Double

  /// What finds the regions of the landmark model; nil where it looks at all of an image.
  var detector: Model? { onlyPart == nil ? first : nil }

  /// The models that the arguments name.
  ///
  /// - Parameters:
  ///   - setup: the arguments.
  ///   - names: what the models are called in a bundle.
  ///   - parts: what the only model may be.
  /// - Throws: `CommandError` where a model is missing or options mean nothing together.
  init(
    _ setup: TaskSetup, _ names: LandmarkBundle.Pair, parts: [LandmarkPart]
  ) throws(CommandError) {
    let (arguments, console) = (setup.arguments, setup.console)
    most = try arguments.integer("max", in: 1...1024)
    threshold = try arguments.number("threshold").map { Float($0) }
    presence = try arguments.number("presence").map { Float($0) }
    isVideo = arguments.flag("video") || setup.areFrames
    framesPerSecond = try FrameInput.framesPerSecond(arguments)
    guard isVideo || arguments.value(FrameInput.rate.name) == nil else {
      throw arguments.usage("--fps without --video")
    }
    guard setup.isBundle else {
      first = try setup.mainModel()
      let second = try arguments.value("landmarks").map { path throws(CommandError) in
        try console.model(at: path)
      }
      onlyPart = second == nil ? LandmarkPart.told(by: first, among: parts) : nil
      landmarks = second ?? (onlyPart?.findsLandmarks ?? false ? first : nil)
      blendshapes = try arguments.value("blendshapes").map { path throws(CommandError) in
        try console.model(at: path)
      }
      (gestures, holistic) = (nil, nil)
      if let part = onlyPart, part.findsLandmarks, setup.use == .command {
        console.note(
          "hint: a \(part.rawValue) alone looks at all of each image; "
            + "'\(arguments.command) DETECTOR IMAGE… --landmarks MODEL' finds where to look\n")
      }
      guard landmarks != nil || blendshapes == nil else {
        throw arguments.usage("--blendshapes without --landmarks, whose points they rate")
      }
      return
    }
    guard arguments.value("landmarks") == nil, arguments.value("blendshapes") == nil else {
      throw arguments.usage("--landmarks beside a .task file, which has its own models")
    }
    do throws(TaskError) {
      let bundle = try TaskBundle(path: setup.model, limits: console.limits)
      let hands = LandmarkBundle.handBundle
      let models = bundle.contains(hands) ? try bundle.bundle(hands) : bundle
      holistic = try HolisticLandmarker.Models { name throws(TaskError) in
        try models.model(named: name)
      }
      first = try models.model(names.detector)
      landmarks = try models.model(names.landmarks)
      onlyPart = nil
      blendshapes = try models.model(named: LandmarkBundle.faceBlendshapes)
      gestures = try Self.gestures(bundle)
    } catch {
      throw CommandError(error, model: setup.model)
    }
  }

  private static func gestures(_ bundle: TaskBundle) throws(TaskError) -> Gestures? {
    let name = LandmarkBundle.gestureBundle
    guard bundle.contains(name) else { return nil }
    let models = try bundle.bundle(name)
    return Gestures(
      embedder: try models.model(LandmarkBundle.gestureEmbedder),
      classifier: try models.model(LandmarkBundle.gestureClassifier),
      custom: try models.model(named: LandmarkBundle.customGestureClassifier))
  }
}

extension TaskBundle {
  /// The model of a name; nil where the bundle has none.
  fileprivate func model(named name: String) throws(TaskError) -> Model? {
    contains(name) ? try model(name) : nil
  }
}

/// The times of the images of a video.
struct FrameClock {
  private let step: Int64?
  private var time: Int64 = 0

  init(_ models: TaskModels) {
    step = models.isVideo ? Int64(1e9 / models.framesPerSecond) : nil
  }

  /// The time of the next image in nanoseconds; nil where images have nothing to do with each other.
  mutating func next() -> Int64? {
    guard let step else { return nil }
    time += step
    return time
  }
}

extension FaceLandmarker.Face {
  /// The face with its movements.
  var found: FoundPoints {
    var found = FoundPoints(figure: figure)
    let movements = zip(FaceBlendshape.names, blendshapes)
    found.remarks = movements.filter { $0.1 >= 0.3 }.sorted { $0.1 > $1.1 }.prefix(5).map {
      "\($0.0) \(Double($0.1).fixed(2))"
    }
    if !blendshapes.isEmpty {
      found.members = [
        "blendshapes": .object(movements.map { JSON.Member($0.0, .float($0.1)) })
      ]
    }
    return found
  }
}

extension HandLandmarker.Hand {
  /// The hand with its side and gesture.
  func found(_ gesture: GestureRecognizer.Gesture?) -> FoundPoints {
    let side = handedness?.rawValue
    var found = FoundPoints(figure: figure)
    if let side, let score = handednessScore {
      found.remarks = ["\(side) \(Double(score).fixed(4))"]
    }
    if let gesture { found.remarks.append("\(gesture.name) \(Double(gesture.score).fixed(4))") }
    found.members = JSON.record([
      "handedness": side.map { .string($0) },
      "handedness_score": handednessScore.map { .float($0) },
      "gesture": gesture.map { ["name": .string($0.name), "score": .float($0.score)] },
      "world_points": .array(worldLandmarks.map { $0.json() }),
    ])
    return found
  }
}

extension PoseLandmarker.Body {
  /// The body with its points in meters.
  var found: FoundPoints {
    FoundPoints(
      figure: figure, members: ["world_points": .array(worldLandmarks.map { $0.json() })])
  }
}

extension PersonPartFinder.Part {
  /// The part with what else is known of it.
  var found: FoundPoints {
    switch self {
    case .body(let body): body.found
    case .face(let face): face.found
    case .hand(let hand): hand.found(nil)
    }
  }
}
