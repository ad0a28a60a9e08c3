// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import VisionTasks

/// How the points of faces are found.
public final class FaceLandmarkerOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?
  /// The most faces.
  public var numFaces: Int = 1
  /// The least score of the face detector, from 0 to 1.
  public var minFaceDetectionConfidence: Float = 0.5
  /// The least probability of the landmark model that it sees a face.
  public var minFacePresenceConfidence: Float = 0.5
  /// The overlap from which a detection is a face of the frame before.
  public var minTrackingConfidence: Float = 0.5
  /// Whether the movements of faces are rated.
  public var outputFaceBlendshapes: Bool = false
  /// Whether faces have matrices that place the canonical face.
  public var outputFacialTransformationMatrixes: Bool = false

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.faceLandmarkerLiveStreamDelegate, \.numFaces, \.minFaceDetectionConfidence,
      \.minFacePresenceConfidence, \.minTrackingConfidence, \.outputFaceBlendshapes,
      \.outputFacialTransformationMatrixes)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol FaceLandmarkerLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - faceLandmarker: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func faceLandmarker(
    _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}
