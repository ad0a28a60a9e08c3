// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks
public import MediaPipeTasksCommon
import Martlet
import ModelTasks
import VisionTasks

/// Finds hands and names their gestures.
///
/// The model is a bundle, `.task`, of `hand_landmarker.task` and `hand_gesture_recognizer.task`,
/// which may have a custom classifier. Any thread may use it; images are looked at one after
/// another.
public final class GestureRecognizer: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<GestureRecognizerResult>
  private weak var delegate: (any GestureRecognizerLiveStreamDelegate)?

  /// A recognizer.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: GestureRecognizerOptions) throws {
    delegate = options.gestureRecognizerLiveStreamDelegate
    let mode = options.runningMode
    task = try VisionTask(
      "gestureRecognizer", mode,
      hasDelegate: options.gestureRecognizerLiveStreamDelegate != nil
    ) { () throws(NSError) in
      try HandGestures(options)
    } process: { (engine, input, time) throws(NSError) in
      try TasksErrorCode.looking { () throws(VisionError) in
        try engine.result(input, mode, timestampInMilliseconds: time)
      }
    }
  }

  /// The gestures of the hands in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func recognize(image: MPImage) throws -> GestureRecognizerResult { try task.image(image) }

  /// The gestures of the hands in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func recognize(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> GestureRecognizerResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func recognizeAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.gestureRecognizer(
        self, didFinishGestureRecognition: outcome.value, timestampInMilliseconds: time,
        error: outcome.error)
    }
  }
}

/// What finds hands and what names their gestures.
private final class HandGestures {
  private let landmarker: VisionTasks.HandLandmarker
  private let recognizer: VisionTasks.GestureRecognizer

  init(_ options: GestureRecognizerOptions) throws(NSError) {
    var hands = VisionTasks.HandLandmarker.Options()
    hands.maxHands = options.numHands
    hands.minDetectionScore = options.minHandDetectionConfidence
    hands.minPresenceScore = options.minHandPresenceConfidence
    hands.minTrackingScore = options.minTrackingConfidence
    let classes = try ClassificationOptions(
      options.cannedGesturesClassifierOptions ?? ClassifierOptions())
    let customClasses = try ClassificationOptions(
      options.customGesturesClassifierOptions ?? ClassifierOptions())
    let bundle = try options.baseOptions.bundle()
    let points = try bundle.inner(LandmarkBundle.handBundle)
    let gestures = try bundle.inner(LandmarkBundle.gestureBundle)
    let custom = LandmarkBundle.customGestureClassifier
    let models = (
      detector: try points.part(LandmarkBundle.handDetector),
      landmarks: try points.part(LandmarkBundle.handLandmarks),
      embedder: try gestures.part(LandmarkBundle.gestureEmbedder),
      classifier: try gestures.part(LandmarkBundle.gestureClassifier),
      custom: gestures.contains(custom) ? try gestures.part(custom) : nil
    )
    (landmarker, recognizer) = try TasksErrorCode.looking { () throws(VisionError) in
      (
        try VisionTasks.HandLandmarker(
          detector: models.detector, landmarks: models.landmarks, options: hands),
        try VisionTasks.GestureRecognizer(
          embedder: models.embedder, classifier: models.classifier, custom: models.custom,
          classes: classes, customClasses: customClasses)
      )
    }
  }

  /// What the hands show; nothing at all where no hand shows a gesture that counts, as MediaPipe
  /// has it.
  func result(
    _ input: VisionInput, _ mode: RunningMode, timestampInMilliseconds: Int
  ) throws(VisionError) -> GestureRecognizerResult {
    var hands = try landmarker.found(in: input, mode, at: timestampInMilliseconds)
    var gestures: [[ResultCategory]] = []
    for hand in hands {
      let gesture = try recognizer.gesture(
        of: hand, in: input.pixels, orientation: input.orientation)
      guard let gesture else { continue }
      gestures.append([
        ResultCategory(
          index: -1, score: gesture.score, categoryName: gesture.name, displayName: nil)
      ])
    }
    if gestures.isEmpty { hands = [] }
    return GestureRecognizerResult(
      gestures: gestures, handedness: hands.map { ResultCategory.handedness(of: $0) },
      landmarks: hands.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
      worldLandmarks: hands.map { $0.worldLandmarks.map { MediaPipeTasksCommon.Landmark($0) } },
      timestampInMilliseconds: timestampInMilliseconds)
  }
}
