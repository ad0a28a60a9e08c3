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
    let models = try TaskModels(setup, .faces, parts: [.faceDetector, .faceMesh])
    return PreparedTask { () throws(CommandError) in
      guard let landmarks = models.landmarks else {
        return try regions(.face, "faces", setup, models)
      }
      let landmarker = try setup.made { () throws(VisionError) in
        try FaceLandmarker(
          detector: models.detector, landmarks: landmarks, blendshapes: models.blendshapes,
          options: options(setup, models))
      }
      return tracking("faces", setup, models, landmarker) { face, _, _ in face.found }
    }
  }

  /// The task of hands that the arguments ask for.
  static func hands(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let models = try TaskModels(setup, .hands, parts: [.palmDetector, .handLandmarks])
    return PreparedTask { () throws(CommandError) in
      guard let landmarks = models.landmarks else {
        return try regions(.palm, "hands", setup, models)
      }
      let landmarker = try setup.made { () throws(VisionError) in
        try HandLandmarker(
          detector: models.detector, landmarks: landmarks, options: options(setup, models))
      }
      let gestures = try models.gestures.map { models throws(CommandError) in
        try setup.made { () throws(VisionError) in
          try GestureRecognizer(
            embedder: models.embedder, classifier: models.classifier, custom: models.custom,
            options: setup.computation.interpreter)
        }
      }
      return tracking("hands", setup, models, landmarker) {
        (hand, image, orientation) throws(VisionError) in
        hand.found(try gestures?.gesture(of: hand, in: image, orientation: orientation))
      }
    }
  }

  /// The task of poses that the arguments ask for.
  static func pose(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let models = try TaskModels(
      setup, .poses, parts: [.poseEstimator, .poseDetector, .poseLandmarks])
    return PreparedTask { () throws(CommandError) in
      if let holistic = models.holistic {
        let landmarker = try setup.made { () throws(VisionError) in
          try PersonPartFinder(
            HolisticLandmarker(holistic, options: holisticOptions(setup, models)))
        }
        return tracking("pose", setup, models, landmarker) { part, _, _ in part.found }
      }
      if let landmarks = models.landmarks {
        let landmarker = try setup.made { () throws(VisionError) in
          try PoseLandmarker(
            detector: models.detector, landmarks: landmarks, options: options(setup, models))
        }
        return tracking("pose", setup, models, landmarker) { body, _, _ in body.found }
      }
      guard models.onlyPart != .poseDetector else {
        return try regions(.body, "pose", setup, models)
      }
      let estimator = try setup.made { () throws(VisionError) in
        var options = PoseEstimator.Options()
        if let most = models.most { options.maxPoses = most }
        if let threshold = models.threshold { options.minScore = threshold }
        options.interpreter = setup.computation.interpreter
        return try PoseEstimator(models.first, options: options)
      }
      return tracking("pose", setup, models, estimator) { pose, _, _ in
        FoundPoints(figure: pose.figure)
      }
    }
  }

  /// What the arguments say of a landmarker.
  private static func options<Options: LandmarkerOptions>(
    _ setup: TaskSetup, _ models: TaskModels
  ) -> Options {
    var options = Options()
    options.maxCount = models.most ?? 1
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    options.interpreter = setup.computation.interpreter
    return options
  }

  /// What the arguments say of a landmarker of a body with its face and hands.
  private static func holisticOptions(
    _ setup: TaskSetup, _ models: TaskModels
  ) -> HolisticLandmarker.Options {
    var options = HolisticLandmarker.Options()
    if let threshold = models.threshold {
      (options.minPoseDetectionScore, options.minFaceDetectionScore) = (threshold, threshold)
    }
    if let presence = models.presence {
      options.minPosePresenceScore = presence
      options.minFacePresenceScore = presence
      options.minHandPresenceScore = presence
    }
    options.interpreter = setup.computation.interpreter
    return options
  }

  /// The task of a detector that is asked alone.
  private static func regions(
    _ kind: RegionDetector.Kind, _ name: String, _ setup: TaskSetup, _ models: TaskModels
  ) throws(CommandError) -> AskedTask {
    let detector = try setup.made { () throws(VisionError) in
      var options = RegionDetector.Options()
      options.maxCount = models.most
      if let threshold = models.threshold { options.minScore = threshold }
      options.interpreter = setup.computation.interpreter
      return try RegionDetector(models.first, finding: kind, options: options)
    }
    return task(name, setup) { (image, orientation) throws(VisionError) in
      try detector.detect(image, orientation: orientation).map { FoundPoints(figure: $0.figure) }
    }
  }

  /// The task that follows what is found, if images are those of a video.
  private static func tracking<Tracker: PointTracker>(
    _ name: String, _ setup: TaskSetup, _ models: TaskModels, _ tracker: Tracker,
    _ told:
      @escaping (Tracker.Found, PixelBuffer, ImageOrientation) throws(VisionError) ->
      FoundPoints
  ) -> AskedTask {
    var clock = FrameClock(models)
    var task = task(name, setup) { (image, orientation) throws(VisionError) in
      let found =
        if let time = clock.next() {
          try tracker.track(image, orientation: orientation, at: time)
        } else {
          try tracker.detect(image, orientation: orientation)
        }
      return try found.map { thing throws(VisionError) in try told(thing, image, orientation) }
    }
    task.isTracking = models.isVideo
    return task
  }

  /// The task that draws what `find` finds, and tells it.
  private static func task(
    _ name: String, _ setup: TaskSetup,
    _ find: @escaping (PixelBuffer, ImageOrientation) throws(VisionError) -> [FoundPoints]
  ) -> AskedTask {
    let wantsImages = setup.wantsImages
    return setup.imageTask(name, columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let found = try find(image, orientation)
      var answer = TaskAnswer(found)
      if wantsImages {
        answer.image = image.drawn(found.map(\.figure)).upright(from: orientation)
      }
      return answer
    }
  }
}
