// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import MediaPipeTasksCommon
import ModelTasks
import VisionTasks

/// Finds the points of faces and rates their movements.
///
/// The model is a bundle, `.task`, of a face detector, a face mesh and, for ratings, the blend shape
/// model. Any thread may use it; images are looked at one after another.
public final class FaceLandmarker: DetectionTask<FaceLandmarkerResult>, OptionsTask,
  @unchecked Sendable
{
  private weak var delegate: (any FaceLandmarkerLiveStreamDelegate)?

  /// A landmarker.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such bundle, or a model is missing
  ///   in it.
  public init(options: FaceLandmarkerOptions) throws {
    delegate = options.faceLandmarkerLiveStreamDelegate
    let mode = options.runningMode
    super.init(
      try VisionTask(
        "faceLandmarker", mode,
        hasDelegate: options.faceLandmarkerLiveStreamDelegate != nil
      ) { () throws(NSError) in
        try Self.engine(options)
      } process: { (landmarker, input, time) throws(NSError) in
        let faces = try TasksErrorCode.looking { () throws(VisionError) in
          try landmarker.found(in: input, mode, at: time)
        }
        return FaceLandmarkerResult(
          faceLandmarks: faces.map { NormalizedLandmark.landmarks($0.landmarks, in: input) },
          faceBlendshapes: faces.compactMap { Classifications($0.blendshapes) },
          facialTransformationMatrixes: faces.compactMap { face in
            (face.placement?.transformation).map { TransformMatrix($0) }
          },
          timestampInMilliseconds: time)
      })
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
    let detector = try bundle.part(LandmarkBundle.faceDetector)
    let landmarks = try bundle.part(LandmarkBundle.faceLandmarks)
    let blendshapes =
      options.outputFaceBlendshapes ? try bundle.part(LandmarkBundle.faceBlendshapes) : nil
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

  override func deliver(
    _ result: FaceLandmarkerResult?, at timestampInMilliseconds: Int, error: (any Error)?
  ) {
    delegate?.faceLandmarker(
      self, didFinishDetection: result, timestampInMilliseconds: timestampInMilliseconds,
      error: error)
  }
}
