// SPDX-License-Identifier: Apache-2.0

package import Martlet

/// The names of the models in the `.task` files of faces, hands and bodies, which MediaPipe gives
/// them.
package enum LandmarkBundle {
  /// A detector of the BlazeFace family.
  package static let faceDetector = "face_detector.tflite"
  /// A face mesh.
  package static let faceLandmarks = "face_landmarks_detector.tflite"
  /// What rates the movements of a face.
  package static let faceBlendshapes = "face_blendshapes.tflite"
  /// A palm detector.
  package static let handDetector = "hand_detector.tflite"
  /// A hand landmark model.
  package static let handLandmarks = "hand_landmarks_detector.tflite"
  /// What corrects the region of a hand beside a body.
  package static let handRefinement = "hand_roi_refinement.tflite"
  /// The bundle of a gesture recognizer that finds hands.
  package static let handBundle = "hand_landmarker.task"
  /// The bundle of a gesture recognizer that names gestures.
  package static let gestureBundle = "hand_gesture_recognizer.task"
  /// What makes vectors of hands.
  package static let gestureEmbedder = "gesture_embedder.tflite"
  /// What names the gestures that MediaPipe knows.
  package static let gestureClassifier = "canned_gesture_classifier.tflite"
  /// What names other gestures.
  package static let customGestureClassifier = "custom_gesture_classifier.tflite"
  /// A pose detector.
  package static let poseDetector = "pose_detector.tflite"
  /// A pose landmark model.
  package static let poseLandmarks = "pose_landmarks_detector.tflite"

  /// The names of a detector and of the model that looks where it finds something.
  package struct Pair: Sendable {
    package let detector: String
    package let landmarks: String

    package static let faces = Pair(detector: faceDetector, landmarks: faceLandmarks)
    package static let hands = Pair(detector: handDetector, landmarks: handLandmarks)
    package static let poses = Pair(detector: poseDetector, landmarks: poseLandmarks)
  }
}

extension HolisticLandmarker.Models {
  /// The models of these names; nil where one is missing.
  ///
  /// - Parameter model: the model of a name, if there is one.
  /// - Throws: what `model` throws.
  package init?<Failure>(named model: (String) throws(Failure) -> Model?) throws(Failure) {
    guard let refinement = try model(LandmarkBundle.handRefinement),
      let poseDetector = try model(LandmarkBundle.poseDetector),
      let poseLandmarks = try model(LandmarkBundle.poseLandmarks),
      let faceDetector = try model(LandmarkBundle.faceDetector),
      let faceLandmarks = try model(LandmarkBundle.faceLandmarks),
      let handLandmarks = try model(LandmarkBundle.handLandmarks)
    else { return nil }
    self.init(
      poseDetector: poseDetector, poseLandmarks: poseLandmarks, faceDetector: faceDetector,
      faceLandmarks: faceLandmarks, blendshapes: try model(LandmarkBundle.faceBlendshapes),
      handLandmarks: handLandmarks, handRefinement: refinement)
  }
}
