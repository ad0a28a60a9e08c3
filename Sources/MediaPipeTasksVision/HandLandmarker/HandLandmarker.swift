// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of hands.
///
/// The model is a bundle, `.task`, of a palm detector and a hand landmark model. Any thread may use
/// it; images are looked at one after another.
public final class HandLandmarker: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.HandLandmarker, HandLandmarkerResult>
  private weak var delegate: (any HandLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: HandLandmarkerOptions) throws {
    delegate = options.handLandmarkerLiveStreamDelegate
    let isVideo = options.runningMode != .image
    task = try VisionTask(
      "handLandmarker", options.runningMode,
      hasDelegate: options.handLandmarkerLiveStreamDelegate != nil
    ) { () throws(NSError) in
      var settings = VisionTasks.HandLandmarker.Options()
      settings.maxHands = options.numHands
      settings.minDetectionScore = options.minHandDetectionConfidence
      settings.minPresenceScore = options.minHandPresenceConfidence
      settings.minTrackingScore = options.minTrackingConfidence
      let bundle = try options.baseOptions.bundle()
      let detector = try bundle.part("hand_detector.tflite")
      let landmarks = try bundle.part("hand_landmarks_detector.tflite")
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.HandLandmarker(
          detector: detector, landmarks: landmarks, options: settings)
      }
    } process: { (landmarker, input, time) throws(NSError) in
      let hands = try TasksErrorCode.looking { () throws(VisionError) in
        try isVideo
          ? landmarker.track(input.pixels, orientation: input.orientation)
          : landmarker.detect(input.pixels, orientation: input.orientation)
      }
      return HandLandmarkerResult(
        landmarks: hands.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
        worldLandmarks: hands.map { $0.worldLandmarks.map { MediaPipeTasksCommon.Landmark($0) } },
        handedness: hands.map { ResultCategory.handedness(of: $0) }, timestampInMilliseconds: time)
    }
  }

  /// The points of the hands in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func detect(image: MPImage) throws -> HandLandmarkerResult { try task.image(image) }

  /// The points of the hands in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func detect(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> HandLandmarkerResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.handLandmarker(
        self, didFinishDetection: outcome.value, timestampInMilliseconds: time, error: outcome.error
      )
    }
  }
}
