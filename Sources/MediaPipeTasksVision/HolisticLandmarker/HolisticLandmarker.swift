// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of one person's face, hands and body.
///
/// The model is a bundle, `.task`, of pose detector and pose landmark model, face detector, face
/// mesh and, for ratings, the blend shape model, hand landmark model and the model that corrects
/// the regions of hands. Any thread may use it; images are looked at one after another.
public final class HolisticLandmarker: DetectionTask<HolisticLandmarkerResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any HolisticLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: HolisticLandmarkerOptions) throws {
    delegate = options.holisticLandmarkerLiveStreamDelegate
    let isVideo = options.runningMode != .image
    super.init(
      try VisionTask(
        "holisticLandmarker", options.runningMode,
        hasDelegate: options.holisticLandmarkerLiveStreamDelegate != nil
      ) { () throws(NSError) in
        try Self.engine(options)
      } process: { (landmarker, input, time) throws(NSError) in
        let person = try TasksErrorCode.looking { () throws(VisionError) in
          try isVideo
            ? landmarker.track(
              input.pixels, orientation: input.orientation, at: Int64(time).nanoseconds)
            : landmarker.detect(input.pixels, orientation: input.orientation)
        }
        return HolisticLandmarkerResult(person, in: input, timestampInMilliseconds: time)
      })
  }

  private static func engine(
    _ options: HolisticLandmarkerOptions
  ) throws(NSError) -> VisionTasks.HolisticLandmarker {
    var settings = VisionTasks.HolisticLandmarker.Options()
    settings.minFaceDetectionScore = options.minFaceDetectionConfidence
    settings.maxFaceOverlap = options.minFaceSuppressionThreshold
    settings.minFacePresenceScore = options.minFacePresenceConfidence
    settings.minPoseDetectionScore = options.minPoseDetectionConfidence
    settings.maxPoseOverlap = options.minPoseSuppressionThreshold
    settings.minPosePresenceScore = options.minPosePresenceConfidence
    settings.minHandPresenceScore = options.minHandLandmarksConfidence
    settings.wantsMask = options.outputPoseSegmentationMasks
    let bundle = try options.baseOptions.bundle()
    let models = VisionTasks.HolisticLandmarker.Models(
      poseDetector: try bundle.part(LandmarkBundle.poseDetector),
      poseLandmarks: try bundle.part(LandmarkBundle.poseLandmarks),
      faceDetector: try bundle.part(LandmarkBundle.faceDetector),
      faceLandmarks: try bundle.part(LandmarkBundle.faceLandmarks),
      blendshapes: options.outputFaceBlendshapes
        ? try bundle.part(LandmarkBundle.faceBlendshapes) : nil,
      handLandmarks: try bundle.part(LandmarkBundle.handLandmarks),
      handRefinement: try bundle.part(LandmarkBundle.handRefinement))
    return try TasksErrorCode.looking { () throws(VisionError) in
      try VisionTasks.HolisticLandmarker(models, options: settings)
    }
  }

  override func deliver(
    _ result: HolisticLandmarkerResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.holisticLandmarker(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
  }
}

extension HolisticLandmarkerResult {
  /// What was found of a person.
  fileprivate convenience init(
    _ person: VisionTasks.HolisticLandmarker.Person?, in input: VisionInput,
    timestampInMilliseconds: Int
  ) {
    func points(_ points: [Landmarks.Landmark]?) -> [NormalizedLandmark] {
      NormalizedLandmark.landmarks(points ?? [], in: input)
    }
    func meters(_ points: [Landmarks.Landmark]?) -> [MediaPipeTasksCommon.Landmark] {
      (points ?? []).map { MediaPipeTasksCommon.Landmark($0) }
    }
    self.init(
      faceLandmarks: points(person?.face?.landmarks),
      faceBlendshapes: (person?.face?.blendshapes).flatMap { Classifications($0) },
      poseLandmarks: points(person?.body.landmarks),
      poseWorldLandmarks: meters(person?.body.worldLandmarks),
      poseSegmentationMask: (person?.body.mask).map { Mask($0) },
      leftHandLandmarks: points(person?.leftHand?.landmarks),
      leftHandWorldLandmarks: meters(person?.leftHand?.worldLandmarks),
      rightHandLandmarks: points(person?.rightHand?.landmarks),
      rightHandWorldLandmarks: meters(person?.rightHand?.worldLandmarks),
      timestampInMilliseconds: timestampInMilliseconds)
  }
}
