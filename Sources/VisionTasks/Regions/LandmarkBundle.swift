// SPDX-License-Identifier: Apache-2.0

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
}
