// SPDX-License-Identifier: Apache-2.0

/// The 17 key points of MoveNet, PoseNet and COCO, in the order of the models' outputs.
public enum BodyPart: Int, Sendable, Hashable, CaseIterable {
  /// The nose.
  case nose
  /// The person's left eye.
  case leftEye
  /// The person's right eye.
  case rightEye
  /// The person's left ear.
  case leftEar
  /// The person's right ear.
  case rightEar
  /// The person's left shoulder.
  case leftShoulder
  /// The person's right shoulder.
  case rightShoulder
  /// The person's left elbow.
  case leftElbow
  /// The person's right elbow.
  case rightElbow
  /// The person's left wrist.
  case leftWrist
  /// The person's right wrist.
  case rightWrist
  /// The person's left hip.
  case leftHip
  /// The person's right hip.
  case rightHip
  /// The person's left knee.
  case leftKnee
  /// The person's right knee.
  case rightKnee
  /// The person's left ankle.
  case leftAnkle
  /// The person's right ankle.
  case rightAnkle
}

/// A person's 17 key points.
public struct Pose: Sendable, Hashable {
  /// One key point with the score of the model.
  public struct KeyPoint: Sendable, Hashable {
    /// To the right.
    public var x: Float
    /// Down.
    public var y: Float
    /// How sure the model is.
    public var score: Float

    /// A key point from its location and score.
    public init(x: Float, y: Float, score: Float) {
      self.x = x
      self.y = y
      self.score = score
    }
  }

  /// The key points in the order of `BodyPart`.
  public var keyPoints: [KeyPoint]
  /// How sure the model is of the person; the mean of the key points where it does not say.
  public var score: Float
  /// The box that the model gives, in the unit of the key points; nil where it gives none.
  public var box: KeyPointDetection?

  /// A person from 17 key points and a score.
  public init(keyPoints: [KeyPoint], score: Float, box: KeyPointDetection? = nil) {
    self.keyPoints = keyPoints
    self.score = score
    self.box = box
  }

  /// A body part's key point; nil for a pose with fewer points.
  public subscript(part: BodyPart) -> KeyPoint? {
    keyPoints.indices.contains(part.rawValue) ? keyPoints[part.rawValue] : nil
  }
}

extension Pose: Scored {}
