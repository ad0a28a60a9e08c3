// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks
public import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of bodies.
///
/// The model is a bundle, `.task`, of a pose detector and a pose landmark model. Any thread may use
/// it; images are looked at one after another.
public final class PoseLandmarker: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.PoseLandmarker, PoseLandmarkerResult>
  private weak var delegate: (any PoseLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: PoseLandmarkerOptions) throws {
    delegate = options.poseLandmarkerLiveStreamDelegate
    let isVideo = options.runningMode != .image
    task = try VisionTask(
      "poseLandmarker", options.runningMode,
      hasDelegate: options.poseLandmarkerLiveStreamDelegate != nil
    ) { () throws(NSError) in
      var settings = VisionTasks.PoseLandmarker.Options()
      settings.maxPoses = options.numPoses
      settings.minDetectionScore = options.minPoseDetectionConfidence
      settings.minPresenceScore = options.minPosePresenceConfidence
      settings.minTrackingScore = options.minTrackingConfidence
      settings.wantsMasks = options.shouldOutputSegmentationMasks
      let bundle = try options.baseOptions.bundle()
      let detector = try bundle.part("pose_detector.tflite")
      let landmarks = try bundle.part("pose_landmarks_detector.tflite")
      return try TasksErrorCode.looking { () throws(VisionError) in
        try VisionTasks.PoseLandmarker(
          detector: detector, landmarks: landmarks, options: settings)
      }
    } process: { (landmarker, input, time) throws(NSError) in
      let bodies = try TasksErrorCode.looking { () throws(VisionError) in
        try isVideo
          ? landmarker.track(
            input.pixels, orientation: input.orientation, at: Int64(time).nanoseconds)
          : landmarker.detect(input.pixels, orientation: input.orientation)
      }
      return PoseLandmarkerResult(
        landmarks: bodies.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
        worldLandmarks: bodies.map { $0.worldLandmarks.map { MediaPipeTasksCommon.Landmark($0) } },
        segmentationMasks: bodies.compactMap(\.mask).map { Mask($0) },
        timestampInMilliseconds: time)
    }
  }

  /// The points of the bodies in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func detect(image: MPImage) throws -> PoseLandmarkerResult { try task.image(image) }

  /// The points of the bodies in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func detect(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> PoseLandmarkerResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.poseLandmarker(
        self, didFinishDetection: outcome.value, timestampInMilliseconds: time, error: outcome.error
      )
    }
  }
}

extension PoseLandmarker {
  /// The lines of a body, for drawings.
  public class var poseLandmarks: [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.pose)
  }
}
