// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of one person's face, hands and body.
///
/// The model is a bundle, `.task`, of pose detector and pose landmark model, face detector, face
/// mesh and, for ratings, the blend shape model, hand landmark model and the model that corrects
/// the regions of hands. Any thread may use it; images are looked at one after another.
public final class HolisticLandmarker: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.HolisticLandmarker, HolisticLandmarkerResult>
  private weak var delegate: (any HolisticLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: HolisticLandmarkerOptions) throws {
    delegate = options.holisticLandmarkerLiveStreamDelegate
    let isVideo = options.runningMode != .image
    task = try VisionTask(
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
    }
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
      poseDetector: try bundle.part("pose_detector.tflite"),
      poseLandmarks: try bundle.part("pose_landmarks_detector.tflite"),
      faceDetector: try bundle.part("face_detector.tflite"),
      faceLandmarks: try bundle.part("face_landmarks_detector.tflite"),
      blendshapes: options.outputFaceBlendshapes
        ? try bundle.part("face_blendshapes.tflite") : nil,
      handLandmarks: try bundle.part("hand_landmarks_detector.tflite"),
      handRefinement: try bundle.part("hand_roi_refinement.tflite"))
    return try TasksErrorCode.looking { () throws(VisionError) in
      try VisionTasks.HolisticLandmarker(models, options: settings)
    }
  }

  /// The points of the person in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where a model
  ///   fails on the image.
  public func detect(image: MPImage) throws -> HolisticLandmarkerResult { try task.image(image) }

  /// The points of the person in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where a model fails on the frame.
  public func detect(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> HolisticLandmarkerResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.holisticLandmarker(
        self, didFinishDetection: outcome.value, timestampInMilliseconds: time,
        error: outcome.error)
    }
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
