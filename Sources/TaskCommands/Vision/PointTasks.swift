// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Martlet
import ModelTasks
import VisionTasks

/// Where the parts of people are in images.
enum PointTasks {
  /// The options that say which points of `what` are found.
  static func descriptions(_ what: String, hasBlendshapes: Bool = false) -> [OptionDescription] {
    let blendshapes: [OptionDescription] =
      hasBlendshapes
      ? [
        .value(
          "blendshapes", "file", "The model that rates movements.",
          completion: .files(["tflite"]))
      ] : []
    return [
      .value(
        "landmarks", "file", "The model that finds points where the first finds \(what).",
        completion: .files(["tflite"]))
    ] + blendshapes + [
      .value("max", "n", "The most \(what)."),
      .value("threshold", "x", "The least score."),
      .value("presence", "x", "The least probability of the landmark model.", defaultValue: "0.5"),
      .flag("video", "The images follow each other: points are tracked from one to the next."),
      FrameInput.rate,
    ] + ComputationOptions.descriptions
  }

  /// The task of faces that the arguments ask for.
  static func faces(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let models = try TaskModels(setup)
    return PreparedTask { () throws(CommandError) in
      models.landmarks == nil
        ? try detectFaces(setup, models) : try landmarkFaces(setup, models)
    }
  }

  /// The task of hands that the arguments ask for.
  static func hands(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let models = try TaskModels(setup)
    return PreparedTask { () throws(CommandError) in try findHands(setup, models) }
  }

  /// The task of poses that the arguments ask for.
  static func pose(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let models = try TaskModels(setup)
    return PreparedTask { () throws(CommandError) in
      models.landmarks == nil
        ? try estimatePoses(setup, models) : try landmarkPoses(setup, models)
    }
  }

  private static func detectFaces(
    _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    var options = FaceDetector.Options()
    options.maxFaces = models.most
    options.interpreter = setup.computation.interpreter
    if let threshold = models.threshold { options.minScore = threshold }
    let detector = try setup.made { [options] () throws(VisionError) in
      try FaceDetector(models.first, options: options)
    }
    let names = FaceDetector.Point.allCases.map { "\($0)" }
    return task("faces", setup, names: names, isTracking: false) {
      (image, orientation) throws(VisionError) in
      try detector.detect(image, orientation: orientation).map { face in
        FoundPoints(kind: "face", score: face.score, points: face.points, frame: face.frame)
      }
    }
  }

  private static func landmarkFaces(
    _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    var options = FaceLandmarker.Options()
    options.maxFaces = models.most ?? 1
    options.interpreter = setup.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try setup.made { [options] () throws(VisionError) in
      try FaceLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first,
        blendshapes: models.blendshapes, options: options)
    }
    var clock = FrameClock(models)
    return task("faces", setup, isTracking: models.isVideo) {
      (image, orientation) throws(VisionError) in
      let faces =
        if let time = clock.next() {
          try landmarker.track(image, orientation: orientation, at: time)
        } else {
          try landmarker.detect(image, orientation: orientation)
        }
      return faces.map(\.found)
    }
  }

  private static func findHands(
    _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    var options = HandLandmarker.Options()
    options.maxHands = models.most ?? 1
    options.interpreter = setup.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try setup.made { [options] () throws(VisionError) in
      try HandLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first, options: options)
    }
    let gestures = try models.gestures.map { models throws(CommandError) in
      try setup.made { () throws(VisionError) in
        try GestureRecognizer(
          embedder: models.embedder, classifier: models.classifier, custom: models.custom,
          options: setup.computation.interpreter)
      }
    }
    return task("hands", setup, isTracking: models.isVideo) {
      (image, orientation) throws(VisionError) in
      let hands =
        models.isVideo
        ? try landmarker.track(image, orientation: orientation)
        : try landmarker.detect(image, orientation: orientation)
      var found: [FoundPoints] = []
      for hand in hands {
        let gesture = try gestures.flatMap { recognizer throws(VisionError) in
          try recognizer.gesture(of: hand, in: image, orientation: orientation)
        }
        found.append(hand.found(gesture))
      }
      return found
    }
  }

  private static func estimatePoses(
    _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    var options = PoseEstimator.Options()
    if let most = models.most { options.maxPoses = most }
    options.interpreter = setup.computation.interpreter
    if let threshold = models.threshold { options.minScore = threshold }
    let estimator = try setup.made { [options] () throws(VisionError) in
      try PoseEstimator(models.first, options: options)
    }
    let names = BodyPart.allCases.map { "\($0)" }
    return task("pose", setup, names: names, isTracking: models.isVideo) {
      (image, orientation) throws(VisionError) in
      let poses =
        models.isVideo
        ? try estimator.track(image, orientation: orientation)
        : try estimator.detect(image, orientation: orientation)
      return poses.map { pose in
        FoundPoints(
          kind: "person", score: pose.score,
          points: pose.keyPoints.map { Landmark(x: $0.x, y: $0.y, visibility: $0.score) },
          connections: Skeleton.body)
      }
    }
  }

  private static func landmarkPoses(
    _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    var options = PoseLandmarker.Options()
    options.maxPoses = models.most ?? 1
    options.interpreter = setup.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try setup.made { [options] () throws(VisionError) in
      try PoseLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first, options: options)
    }
    var clock = FrameClock(models)
    return task("pose", setup, isTracking: models.isVideo) {
      (image, orientation) throws(VisionError) in
      let bodies =
        if let time = clock.next() {
          try landmarker.track(image, orientation: orientation, at: time)
        } else {
          try landmarker.detect(image, orientation: orientation)
        }
      return bodies.map(\.found)
    }
  }

  /// The task that draws what `find` finds, and tells it.
  private static func task(
    _ name: String, _ setup: TaskSetup, names: [String] = [], isTracking: Bool,
    _ find: @escaping (PixelBuffer, ImageOrientation) throws(VisionError) -> [FoundPoints]
  ) -> AskedTask {
    let wantsPictures = setup.wantsPictures
    var task = setup.imageTask(name, columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let found = try find(image, orientation)
      var answer = TaskAnswer(found, names: names)
      if wantsPictures { answer.picture = image.drawn(found, orientation: orientation) }
      return answer
    }
    task.isTracking = isTracking
    return task
  }
}
