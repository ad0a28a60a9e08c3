// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
import Landmarks
public import Martlet

/// Finds the points of one person's body, and in it those of the face and of both hands.
///
/// MediaPipe's holistic landmarker: the points of the body say where the face and the hands are; a
/// face detector and a model that corrects the regions of hands look there, and the models of faces
/// and hands follow. A landmarker belongs to one task at a time, as the interpreters it holds.
/// Source: `tasks/cc/vision/holistic_landmarker`.
public final class HolisticLandmarker {
  /// The models, MediaPipe's.
  public struct Models: Sendable {
    /// A pose detector.
    public var poseDetector: Model
    /// A pose landmark model.
    public var poseLandmarks: Model
    /// A face detector of the BlazeFace family.
    public var faceDetector: Model
    /// A face mesh with 468 or 478 points.
    public var faceLandmarks: Model
    /// What rates the movements of a face with 478 points; nil for no ratings.
    public var blendshapes: Model?
    /// A hand landmark model.
    public var handLandmarks: Model
    /// What corrects the region of a hand: 256 × 256 pixels become two points.
    public var handRefinement: Model

    /// All models.
    public init(
      poseDetector: Model, poseLandmarks: Model, faceDetector: Model, faceLandmarks: Model,
      blendshapes: Model? = nil, handLandmarks: Model, handRefinement: Model
    ) {
      self.poseDetector = poseDetector
      self.poseLandmarks = poseLandmarks
      self.faceDetector = faceDetector
      self.faceLandmarks = faceLandmarks
      self.blendshapes = blendshapes
      self.handLandmarks = handLandmarks
      self.handRefinement = handRefinement
    }
  }

  /// What is looked for, and how; scores and overlaps are from 0 to 1.
  public struct Options: Sendable {
    /// The least score of the face detector.
    public var minFaceDetectionScore: Float = 0.5
    /// The greatest overlap of two faces.
    public var maxFaceOverlap: Float = 0.3
    /// The probability that the face mesh sees a face must be above this.
    public var minFacePresenceScore: Float = 0.5
    /// The least score of the pose detector.
    public var minPoseDetectionScore: Float = 0.5
    /// The greatest overlap of two bodies.
    public var maxPoseOverlap: Float = 0.3
    /// The probability that the pose landmark model sees a body must be above this.
    public var minPosePresenceScore: Float = 0.5
    /// The probability that the hand landmark model sees a hand must be above this.
    public var minHandPresenceScore: Float = 0.5
    /// Whether the body has a mask.
    public var wantsMask = false
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, no mask.
    public init() {}
  }

  /// A person in an image.
  public struct Person: Sendable, Hashable {
    /// The body.
    public let body: PoseLandmarker.Body
    /// The face; nil where none is seen.
    public let face: FaceLandmarker.Face?
    /// The person's left hand, in meters from the middle of the hips; nil where none is seen.
    public let leftHand: HandLandmarker.Hand?
    /// The person's right hand, in meters from the middle of the hips; nil where none is seen.
    public let rightHand: HandLandmarker.Hand?
  }

  /// What is looked for, and how.
  public let options: Options
  private let body: BodyTracker
  private let face: BodyFaceTracker
  private let hands: [BodyHandTracker]
  /// The size of the video's images.
  private var size: (columns: Int, rows: Int)?

  /// A landmarker of these models.
  ///
  /// - Throws: `VisionError` where a model is another one or the options are wrong.
  public init(_ models: Models, options: Options = Options()) throws(VisionError) {
    for (value, name) in [
      (options.minFacePresenceScore, "face"), (options.minPosePresenceScore, "pose"),
      (options.minHandPresenceScore, "hand"),
    ] { try KeyPointDetector.check(value, "the least presence score of a \(name)") }
    self.options = options
    body = try BodyTracker(models, options)
    face = try BodyFaceTracker(models, options)
    let model = try HandModel(models.handLandmarks, options: options.interpreter)
    let refinement = try HandRefinementModel(models.handRefinement, options: options.interpreter)
    hands = [BodyHandTracker.Side.left, .right].map { side in
      BodyHandTracker(
        side, model: model, refinement: refinement, minPresence: options.minHandPresenceScore)
    }
  }

  /// The interpreters of the models, with the inputs that the latest image gave them.
  package var interpreters: [Interpreter] {
    body.interpreters + face.interpreters + (hands.first?.interpreters ?? [])
  }

  /// The person in an image that has nothing to do with others.
  ///
  /// What is known of a video is forgotten.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the person; nil where none is seen.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> Person? {
    reset()
    defer { reset() }
    return try track(image, orientation: orientation, at: 0)
  }

  /// The person in the next image of a video, with smoothed points and mask of the body.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  ///   - nanoseconds: the time of the image, later than that of the image before.
  /// - Returns: the person; nil where none is seen.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func track(
    _ image: PixelBuffer, orientation: ImageOrientation = .up, at nanoseconds: Int64
  ) throws(VisionError) -> Person? {
    let upright = UprightImage(image, orientation)
    if let size, size != (upright.columns, upright.rows) { reset() }
    size = (upright.columns, upright.rows)
    guard let found = try body.next(upright, at: nanoseconds) else {
      face.reset()
      for hand in hands { hand.reset() }
      return nil
    }
    let face = try face.next(upright, found)
    let hands = try hands.map { hand throws(VisionError) in try hand.next(upright, found) }
    return Person(body: found.stored(upright), face: face, leftHand: hands[0], rightHand: hands[1])
  }

  /// Forgets the video's images.
  public func reset() {
    body.reset()
    face.reset()
    for hand in hands { hand.reset() }
    size = nil
  }
}
