// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
public import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of bodies.
///
/// The model is a bundle, `.task`, of a pose detector and a pose landmark model. Any thread may use
/// it; images are looked at one after another.
public final class PoseLandmarker: DetectionTask<PoseLandmarkerResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any PoseLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: PoseLandmarkerOptions) throws {
    delegate = options.poseLandmarkerLiveStreamDelegate
    let mode = options.runningMode
    super.init(
      try VisionTask(
        "poseLandmarker", mode,
        hasDelegate: options.poseLandmarkerLiveStreamDelegate != nil
      ) { () throws(NSError) in
        var settings = VisionTasks.PoseLandmarker.Options()
        settings.maxPoses = options.numPoses
        settings.minDetectionScore = options.minPoseDetectionConfidence
        settings.minPresenceScore = options.minPosePresenceConfidence
        settings.minTrackingScore = options.minTrackingConfidence
        settings.wantsMasks = options.shouldOutputSegmentationMasks
        let bundle = try options.baseOptions.bundle()
        let detector = try bundle.part(LandmarkBundle.poseDetector)
        let landmarks = try bundle.part(LandmarkBundle.poseLandmarks)
        return try TasksErrorCode.looking { () throws(VisionError) in
          try VisionTasks.PoseLandmarker(
            detector: detector, landmarks: landmarks, options: settings)
        }
      } process: { (landmarker, input, time) throws(NSError) in
        let bodies = try TasksErrorCode.looking { () throws(VisionError) in
          try landmarker.found(in: input, mode, at: time)
        }
        return PoseLandmarkerResult(
          landmarks: bodies.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
          worldLandmarks: bodies.map {
            $0.worldLandmarks.map { MediaPipeTasksCommon.Landmark($0) }
          },
          segmentationMasks: bodies.compactMap(\.mask).map { Mask($0) },
          timestampInMilliseconds: time)
      })
  }

  override func deliver(
    _ result: PoseLandmarkerResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.poseLandmarker(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
  }
}

extension PoseLandmarker {
  /// The lines of a body, for drawings.
  public class var poseLandmarks: [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.pose)
  }
}
