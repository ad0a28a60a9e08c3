// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of faces and rates their movements.
///
/// The model is a bundle, `.task`, of a face detector, a face mesh and, for ratings, the blend shape
/// model. Any thread may use it; images are looked at one after another.
public final class FaceLandmarker: NSObject, OptionsTask, @unchecked Sendable {
  private let task: VisionTask<VisionTasks.FaceLandmarker, FaceLandmarkerResult>
  private weak var delegate: (any FaceLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: FaceLandmarkerOptions) throws {
    delegate = options.faceLandmarkerLiveStreamDelegate
    let isVideo = options.runningMode != .image
    task = try VisionTask(
      "faceLandmarker", options.runningMode,
      hasDelegate: options.faceLandmarkerLiveStreamDelegate != nil
    ) { () throws(NSError) in
      try Self.engine(options)
    } process: { (landmarker, input, time) throws(NSError) in
      let faces = try TasksErrorCode.looking { () throws(VisionError) in
        try isVideo
          ? landmarker.track(
            input.pixels, orientation: input.orientation, at: Int64(time).nanoseconds)
          : landmarker.detect(input.pixels, orientation: input.orientation)
      }
      return FaceLandmarkerResult(
        faceLandmarks: faces.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
        faceBlendshapes: faces.compactMap { Classifications($0.blendshapes) },
        facialTransformationMatrixes: faces.compactMap { face in
          (face.placement?.transformation).map { TransformMatrix($0) }
        },
        timestampInMilliseconds: time)
    }
  }

  private static func engine(
    _ options: FaceLandmarkerOptions
  ) throws(NSError) -> VisionTasks.FaceLandmarker {
    var settings = VisionTasks.FaceLandmarker.Options()
    settings.maxFaces = options.numFaces
    settings.minDetectionScore = options.minFaceDetectionConfidence
    settings.minPresenceScore = options.minFacePresenceConfidence
    settings.minTrackingScore = options.minTrackingConfidence
    let bundle = try options.baseOptions.bundle()
    let detector = try bundle.part("face_detector.tflite")
    let landmarks = try bundle.part("face_landmarks_detector.tflite")
    let blendshapes =
      options.outputFaceBlendshapes ? try bundle.part("face_blendshapes.tflite") : nil
    let geometry =
      options.outputFacialTransformationMatrixes
      ? try bundle.contentsOfPart(FaceGeometry.fileName) : nil
    return try TasksErrorCode.looking { () throws(VisionError) in
      try VisionTasks.FaceLandmarker(
        detector: detector, landmarks: landmarks, blendshapes: blendshapes,
        geometry: geometry.map { bytes throws(VisionError) in try FaceGeometry(metadata: bytes) },
        options: settings)
    }
  }

  /// The points of the faces in an image.
  ///
  /// - Throws: `NSError` in another mode than that of images, for mirrored images, and where the
  ///   model fails on the image.
  public func detect(image: MPImage) throws -> FaceLandmarkerResult { try task.image(image) }

  /// The points of the faces in a frame of a video.
  ///
  /// - Throws: `NSError` in another mode than that of videos, for mirrored frames, where the time is
  ///   not after that of the frame before, and where the model fails on the frame.
  public func detect(
    videoFrame: MPImage, timestampInMilliseconds: Int
  ) throws -> FaceLandmarkerResult {
    try task.video(videoFrame, timestampInMilliseconds)
  }

  /// Takes a frame of a live stream; the delegate gets the result.
  ///
  /// - Throws: `NSError` in another mode than that of live streams, for mirrored frames, and where
  ///   the time is not after that of the frame before.
  public func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try task.live(image, timestampInMilliseconds) { [weak self] outcome, time in
      guard let self else { return }
      delegate?.faceLandmarker(
        self, didFinishDetection: outcome.value, timestampInMilliseconds: time, error: outcome.error
      )
    }
  }
}
