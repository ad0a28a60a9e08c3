// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import JSONDocuments
import Landmarks
import Martlet
import ModelTasks
import VisionTasks

/// `martlet faces`, `martlet hands` and `martlet pose`: where the parts of people are in images.
package enum PointCommands {
  package static let faces = CommandDescription(
    "faces", "Find faces, their points and movements.",
    discussion: """
      A model of the BlazeFace family finds boxes with six points; a .task file, or --landmarks \
      beside a detector, the mesh of 468 or 478 points, and with --blendshapes, or from a .task \
      file, the strength of 52 movements.
      """,
    arguments: ImageQuestion.arguments, options: options("faces", hasBlendshapes: true)
  ) { arguments, console throws(CommandError) in
    let question = try ImageQuestion(arguments, console)
    let models = try TaskModels(question)
    return models.landmarks == nil
      ? try detectFaces(question, models) : try landmarkFaces(question, models)
  }

  package static let hands = CommandDescription(
    "hands", "Find hands, their points and gestures.",
    discussion: """
      A .task file, or a palm detector with --landmarks, finds 21 points of each hand and tells left \
      from right; a .task file of the gesture recognizer names gestures, too.
      """,
    arguments: ImageQuestion.arguments, options: options("hands")
  ) { arguments, console throws(CommandError) in
    let question = try ImageQuestion(arguments, console)
    return try findHands(question, try TaskModels(question))
  }

  package static let pose = CommandDescription(
    "pose", "Find people and the points of their bodies.",
    discussion: """
      MoveNet and PoseNet find 17 points of each person; a .task file of the pose landmarker, or its \
      detector with --landmarks, 33 points with depth.
      """,
    arguments: ImageQuestion.arguments, options: options("people")
  ) { arguments, console throws(CommandError) in
    let question = try ImageQuestion(arguments, console)
    let models = try TaskModels(question)
    return models.landmarks == nil
      ? try estimatePoses(question, models) : try landmarkPoses(question, models)
  }

  private static func options(
    _ what: String, hasBlendshapes: Bool = false
  ) -> [OptionDescription] {
    let blendshapes: [OptionDescription] =
      hasBlendshapes
      ? [
        .value(
          "blendshapes", "file", "The model that rates movements.",
          completion: .files(["tflite"]))
      ] : []
    return [
      ImageQuestion.annotate("the points of \(what)"),
      .value(
        "landmarks", "file", "The model that finds points where the first finds \(what).",
        completion: .files(["tflite"])),
    ] + blendshapes + [
      .value("max", "n", "The most \(what)."),
      .value("threshold", "x", "The least score."),
      .value("presence", "x", "The least probability of the landmark model.", defaultValue: "0.5"),
      .flag("video", "The images follow each other: points are tracked from one to the next."),
      .value("fps", "n", "The images in a second of --video.", defaultValue: "30"),
    ] + ComputationOptions.descriptions + [.json, .csv]
  }

  private static func detectFaces(
    _ question: ImageQuestion, _ models: TaskModels
  ) throws(CommandError) -> ExitCode {
    var options = FaceDetector.Options()
    options.maxFaces = models.most
    options.interpreter = question.computation.interpreter
    if let threshold = models.threshold { options.minScore = threshold }
    let detector = try question.made { [options] () throws(VisionError) in
      try FaceDetector(models.first, options: options)
    }
    let names = FaceDetector.Point.allCases.map { "\($0)" }
    return try question.run("faces", columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let found = try detector.detect(image, orientation: orientation).map { face in
        FoundPoints(kind: "face", score: face.score, points: face.points, frame: face.frame)
      }
      return try answer(found, names, question, image, orientation)
    }
  }

  private static func landmarkFaces(
    _ question: ImageQuestion, _ models: TaskModels
  ) throws(CommandError) -> ExitCode {
    var options = FaceLandmarker.Options()
    options.maxFaces = models.most ?? 1
    options.interpreter = question.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try question.made { [options] () throws(VisionError) in
      try FaceLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first,
        blendshapes: models.blendshapes, options: options)
    }
    var clock = FrameClock(models)
    return try question.run("faces", columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let faces =
        if let time = clock.next() {
          try landmarker.track(image, orientation: orientation, at: time)
        } else {
          try landmarker.detect(image, orientation: orientation)
        }
      return try answer(faces.map(\.found), [], question, image, orientation)
    }
  }

  private static func findHands(
    _ question: ImageQuestion, _ models: TaskModels
  ) throws(CommandError) -> ExitCode {
    var options = HandLandmarker.Options()
    options.maxHands = models.most ?? 1
    options.interpreter = question.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try question.made { [options] () throws(VisionError) in
      try HandLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first, options: options)
    }
    let gestures = try models.gestures.map { models throws(CommandError) in
      try question.made { () throws(VisionError) in
        try GestureRecognizer(
          embedder: models.embedder, classifier: models.classifier, custom: models.custom,
          options: question.computation.interpreter)
      }
    }
    return try question.run("hands", columns: TaskAnswer.pointColumns) {
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
      return try answer(found, [], question, image, orientation)
    }
  }

  private static func estimatePoses(
    _ question: ImageQuestion, _ models: TaskModels
  ) throws(CommandError) -> ExitCode {
    var options = PoseEstimator.Options()
    if let most = models.most { options.maxPoses = most }
    options.interpreter = question.computation.interpreter
    if let threshold = models.threshold { options.minScore = threshold }
    let estimator = try question.made { [options] () throws(VisionError) in
      try PoseEstimator(models.first, options: options)
    }
    let names = BodyPart.allCases.map { "\($0)" }
    return try question.run("pose", columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let poses =
        models.isVideo
        ? try estimator.track(image, orientation: orientation)
        : try estimator.detect(image, orientation: orientation)
      let found = poses.map { pose in
        FoundPoints(
          kind: "person", score: pose.score,
          points: pose.keyPoints.map { Landmark(x: $0.x, y: $0.y, visibility: $0.score) },
          connections: Skeleton.body)
      }
      return try answer(found, names, question, image, orientation)
    }
  }

  private static func landmarkPoses(
    _ question: ImageQuestion, _ models: TaskModels
  ) throws(CommandError) -> ExitCode {
    var options = PoseLandmarker.Options()
    options.maxPoses = models.most ?? 1
    options.interpreter = question.computation.interpreter
    if let threshold = models.threshold { options.minDetectionScore = threshold }
    if let presence = models.presence { options.minPresenceScore = presence }
    let landmarker = try question.made { [options] () throws(VisionError) in
      try PoseLandmarker(
        detector: models.first, landmarks: models.landmarks ?? models.first, options: options)
    }
    var clock = FrameClock(models)
    return try question.run("pose", columns: TaskAnswer.pointColumns) {
      (image, orientation) throws(VisionError) in
      let bodies =
        if let time = clock.next() {
          try landmarker.track(image, orientation: orientation, at: time)
        } else {
          try landmarker.detect(image, orientation: orientation)
        }
      return try answer(bodies.map(\.found), [], question, image, orientation)
    }
  }

  private static func answer(
    _ found: [FoundPoints], _ names: [String], _ question: ImageQuestion, _ image: PixelBuffer,
    _ orientation: ImageOrientation
  ) throws(VisionError) -> TaskAnswer {
    var answer = TaskAnswer(found, names: names)
    answer.picture = try question.picture { () throws(VisionError) in
      image.drawn(found, orientation: orientation)
    }
    return answer
  }
}
