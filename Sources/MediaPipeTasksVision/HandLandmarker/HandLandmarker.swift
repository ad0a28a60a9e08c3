// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of hands.
///
/// The model is a bundle, `.task`, of a palm detector and a hand landmark model. Any thread may use
/// it; images are looked at one after another.
public final class HandLandmarker: DetectionTask<HandLandmarkerResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any HandLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: HandLandmarkerOptions) throws {
    delegate = options.handLandmarkerLiveStreamDelegate
    let mode = options.runningMode
    super.init(
      try VisionTask(
        "handLandmarker", mode,
        hasDelegate: options.handLandmarkerLiveStreamDelegate != nil
      ) { () throws(NSError) in
        var settings = VisionTasks.HandLandmarker.Options()
        settings.maxHands = options.numHands
        settings.minDetectionScore = options.minHandDetectionConfidence
        settings.minPresenceScore = options.minHandPresenceConfidence
        settings.minTrackingScore = options.minTrackingConfidence
        let bundle = try options.baseOptions.bundle()
        let detector = try bundle.part(LandmarkBundle.handDetector)
        let landmarks = try bundle.part(LandmarkBundle.handLandmarks)
        return try TasksErrorCode.looking { () throws(VisionError) in
          try VisionTasks.HandLandmarker(
            detector: detector, landmarks: landmarks, options: settings)
        }
      } process: { (landmarker, input, time) throws(NSError) in
        let hands = try TasksErrorCode.looking { () throws(VisionError) in
          try landmarker.found(in: input, mode, at: time)
        }
        return HandLandmarkerResult(
          landmarks: hands.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
          worldLandmarks: hands.map { $0.worldLandmarks.map { MediaPipeTasksCommon.Landmark($0) } },
          handedness: hands.map { ResultCategory.handedness(of: $0) }, timestampInMilliseconds: time
        )
      })
  }

  override func deliver(
    _ result: HandLandmarkerResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.handLandmarker(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
  }
}
