// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet

/// Finds hands, their 21 points, and whether they are left or right.
///
/// ```swift
/// let landmarker = try HandLandmarker(
///   detector: Model(path: "hand_detector.tflite"),
///   landmarks: Model(path: "hand_landmarks_detector.tflite"))
/// for hand in try landmarker.detect(image) { print(hand.handedness, hand.landmarks[8]) }
/// ```
///
/// MediaPipe's hand landmarker: the box of a palm, turned and enlarged to the whole hand, is what
/// the second model sees; in videos, the landmarks of the image before give that region. A
/// landmarker belongs to one task at a time, as the interpreters it holds.
public final class HandLandmarker {
  /// What is looked for, and how.
  public struct Options: Sendable {
    /// The most hands.
    public var maxHands = 1
    /// The least score of the palm detector; from 0 to 1.
    public var minDetectionScore: Float = 0.5
    /// The probability that the landmark model sees a hand must be above this; from 0 to 1.
    public var minPresenceScore: Float = 0.5
    /// In videos, the overlap from which a detection is a hand of the image before; from 0 to 1.
    public var minTrackingScore: Float = 0.5
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, one hand.
    public init() {}
  }

  /// Which of a person's hands it is.
  public enum Handedness: String, Sendable, Hashable, CaseIterable {
    /// The left one.
    case left
    /// The right one.
    case right
  }

  /// A hand in an image.
  public struct Hand: Sendable, Hashable {
    /// The 21 points in pixels of the image as stored; depth has the scale of x, from the wrist.
    public let landmarks: [Landmark]
    /// The points in meters from the middle of the hand, as the upright image shows them; empty where
    /// the model has none.
    public let worldLandmarks: [Landmark]
    /// Which hand it is, if the image is not mirrored as by a front camera's preview; nil where the
    /// model does not say.
    public let handedness: Handedness?
    /// How sure the model is which hand it is, from 0.5 to 1; nil where it does not say.
    public let handednessScore: Float?
    /// How likely the landmark model sees a hand, from 0 to 1.
    public let presence: Float

    /// A hand from its parts.
    package init(
      landmarks: [Landmark], worldLandmarks: [Landmark], handedness: Handedness?,
      handednessScore: Float?, presence: Float
    ) {
      self.landmarks = landmarks
      self.worldLandmarks = worldLandmarks
      self.handedness = handedness
      self.handednessScore = handednessScore
      self.presence = presence
    }
  }

  /// What is looked for, and how.
  public let options: Options
  private let detector: KeyPointDetector?
  private let model: HandModel
  private var regions = TrackedRegions()

  /// A landmarker of these models.
  ///
  /// - Parameters:
  ///   - detector: MediaPipe's palm detector, 192 × 192 or 256 × 256; nil where each image shows one
  ///     hand and little else: the landmark model sees all of it, then where it saw the hand.
  ///   - landmarks: MediaPipe's hand landmark model, lite or full.
  ///   - options: what is looked for, and how.
  /// - Throws: `VisionError` where a model is another one or the options are wrong.
  public init(
    detector: Model?, landmarks: Model, options: Options = Options()
  ) throws(VisionError) {
    let options = try options.checked(hasDetector: detector != nil)
    self.options = options
    self.detector = try detector.map { model throws(VisionError) in
      try KeyPointDetector(
        model, .palm, minScore: options.minDetectionScore, overlap: 0.3, limit: options.maxHands,
        options: options.interpreter)
    }
    model = try HandModel(landmarks, options: options.interpreter)
  }

  /// The interpreters of the models, with the inputs that the latest image gave them.
  package var interpreters: [Interpreter] {
    [detector?.model.interpreter, model.interpreter].compactMap(\.self)
  }

  /// The hands in an image that has nothing to do with others.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the hands in the order of the palm detector, best first.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Hand] {
    let upright = UprightImage(image, orientation)
    return try hands(try detected(upright), upright).map { $0.stored(upright) }
  }

  /// The hands in the next image of a video.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the hands, those of the image before first.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func track(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Hand] {
    let upright = UprightImage(image, orientation)
    var rects = regions.previous(upright)
    if rects.count < options.maxHands {
      rects = RectAssociation.completed(
        rects, by: try detected(upright), threshold: options.minTrackingScore)
    }
    let found = try hands(Array(rects.prefix(options.maxHands)), upright)
    regions.keep(found.compactMap { $0.region(upright) }, of: upright)
    return found.map { $0.stored(upright) }
  }

  /// Forgets the video's images.
  public func reset() { regions.reset() }

  private func detected(_ image: UprightImage) throws(VisionError) -> [NormalizedRect] {
    guard let detector else {
      let square = image.square.inPixels(columns: image.columns, rows: image.rows)
      return [try model.hand(image, square).region(image) ?? image.square]
    }
    return try detector.detections(image).map { detection in
      let rect = NormalizedRect(
        detection, turnedBy: .palm, columns: image.columns, rows: image.rows)
      return RectTransformation.palm.applied(to: rect, columns: image.columns, rows: image.rows)
    }
  }

  private func hands(
    _ rects: [NormalizedRect], _ image: UprightImage
  ) throws(VisionError) -> [FoundHand] {
    var hands: [FoundHand] = []
    for rect in rects where rect.isUsable {
      let hand = try model.hand(image, rect.inPixels(columns: image.columns, rows: image.rows))
      guard hand.presence > options.minPresenceScore,
        !hands.contains(where: { hand.isDuplicate(of: $0, image) })
      else { continue }
      hands.append(hand)
    }
    return hands
  }
}
