// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet

/// Finds people and the 33 points of their bodies.
///
/// ```swift
/// let landmarker = try PoseLandmarker(
///   detector: Model(path: "pose_detector.tflite"),
///   landmarks: Model(path: "pose_landmarks_detector.tflite"))
/// for body in try landmarker.detect(image) { print(body.presence, body.landmarks[0]) }
/// ```
///
/// MediaPipe's pose landmarker (BlazePose, arXiv:2006.10204): the circle around a body, turned so
/// that it stands, is what the second model sees; in videos, two further points of the image before
/// give that region. A landmarker belongs to one task at a time, as the interpreters it holds.
public final class PoseLandmarker {
  /// What is looked for, and how.
  public struct Options: Sendable {
    /// The most people.
    public var maxPoses = 1
    /// The least score of the detector; from 0 to 1.
    public var minDetectionScore: Float = 0.5
    /// The probability that the landmark model sees a body must be above this; from 0 to 1.
    public var minPresenceScore: Float = 0.5
    /// In videos, the overlap from which a detection is a body of the image before; from 0 to 1.
    public var minTrackingScore: Float = 0.5
    /// The greatest overlap of two detections, intersection over union; from 0 to 1.
    public var maxOverlap: Float = 0.5
    /// Whether the landmarks of videos with one person are smoothed.
    public var isSmoothed = true
    /// Whether bodies have masks.
    public var wantsMasks = false
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, one person.
    public init() {}
  }

  /// A body in an image.
  public struct Body: Sendable, Hashable {
    /// The 33 points in pixels of the image as stored, with visibility and presence; depth has the
    /// scale of x, from the middle of the hips.
    public let landmarks: [Landmark]
    /// The points in meters from the middle of the hips, as the upright image shows them; empty where
    /// the model has none.
    public let worldLandmarks: [Landmark]
    /// How likely the landmark model sees a body, from 0 to 1.
    public let presence: Float
    /// How much each pixel of the image as stored belongs to the body, from 0 to 1; nil unless it was
    /// asked for.
    public let mask: ConfidenceMask?
  }

  /// What is looked for, and how.
  public let options: Options
  private let detector: KeyPointDetector?
  private let model: BodyModel
  private var regions = TrackedRegions()
  private var smoothers: BodySmoothers

  /// A landmarker of these models.
  ///
  /// - Parameters:
  ///   - detector: MediaPipe's pose detector, 224 × 224 or 128 × 128; nil where each image shows one
  ///     person and little else: the landmark model sees all of it, then where it saw the person.
  ///   - landmarks: MediaPipe's pose landmark model, lite, full or heavy.
  ///   - options: what is looked for, and how.
  /// - Throws: `VisionError` where a model is another one or the options are wrong.
  public init(
    detector: Model?, landmarks: Model, options: Options = Options()
  ) throws(VisionError) {
    let options = try options.checked(hasDetector: detector != nil)
    self.options = options
    self.detector = try detector.map { model throws(VisionError) in
      try KeyPointDetector(
        model, .pose, minScore: options.minDetectionScore, overlap: options.maxOverlap,
        limit: options.maxPoses, options: options.interpreter)
    }
    model = try BodyModel(landmarks, options: options.interpreter)
    guard model.hasMask || !options.wantsMasks else {
      throw .incompatibleModel("the pose landmark model has no mask")
    }
    smoothers = try VisionError.wrapping { () throws(LandmarkError) in try BodySmoothers() }
  }

  /// The interpreters of the models, with the inputs that the latest image gave them.
  package var interpreters: [Interpreter] {
    [detector?.model.interpreter, model.interpreter].compactMap(\.self)
  }

  /// The people in an image that has nothing to do with others.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the people in the order of the detector, best first.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Body] {
    let upright = UprightImage(image, orientation)
    return try bodies(try detected(upright), upright).map { $0.stored(upright) }
  }

  /// The people in the next image of a video.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  ///   - nanoseconds: the time of the image, later than that of the image before.
  /// - Returns: the people.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func track(
    _ image: PixelBuffer, orientation: ImageOrientation = .up, at nanoseconds: Int64
  ) throws(VisionError) -> [Body] {
    let upright = UprightImage(image, orientation)
    var rects = regions.previous(upright)
    if rects.count < options.maxPoses {
      rects = RectAssociation.merged(
        [rects, try detected(upright)], threshold: options.minTrackingScore)
    }
    var found = try bodies(Array(rects.prefix(options.maxPoses)), upright)
    regions.keep(found.compactMap { $0.region(upright) }, of: upright)
    if options.isSmoothed, options.maxPoses == 1 {
      if found.isEmpty {
        smoothers.reset()
      } else {
        found[0] = smoothers.apply(found[0], upright, at: nanoseconds)
      }
    }
    return found.map { $0.stored(upright) }
  }

  /// Forgets the video's images.
  public func reset() {
    regions.reset()
    smoothers.reset()
  }

  private func detected(_ image: UprightImage) throws(VisionError) -> [NormalizedRect] {
    guard let detector else {
      let square = image.square.inPixels(columns: image.columns, rows: image.rows)
      return [try model.body(image, square).region(image) ?? image.square]
    }
    return try detector.detections(image).compactMap { detection in
      NormalizedRect(
        alignedTo: detection.keyPoints, by: .pose, columns: image.columns, rows: image.rows
      ).map {
        RectTransformation.pose.applied(to: $0, columns: image.columns, rows: image.rows)
      }
    }
  }

  private func bodies(
    _ rects: [NormalizedRect], _ image: UprightImage
  ) throws(VisionError) -> [FoundBody] {
    var bodies: [FoundBody] = []
    for rect in rects where rect.isUsable {
      let region = rect.inPixels(columns: image.columns, rows: image.rows)
      var body = try model.body(image, region)
      guard body.presence > options.minPresenceScore else { continue }
      if options.wantsMasks { body.mask = try model.mask(image, region) }
      bodies.append(body)
    }
    return bodies
  }
}
