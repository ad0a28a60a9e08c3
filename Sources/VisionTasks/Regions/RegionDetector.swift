// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet

/// Finds where faces, palms or bodies are, each with a few points: the first model of a landmarker,
/// asked alone.
///
/// ```swift
/// let detector = try RegionDetector(Model(path: "hand_detector.tflite"), finding: .palm)
/// for palm in try detector.detect(image) { print(palm.frame, palm.score, palm.points[0]) }
/// ```
///
/// Runs MediaPipe's detectors of faces (BlazeFace, arXiv:1907.05047), palms (arXiv:2006.10214) and
/// bodies (arXiv:2006.10204), which are told by their shapes. A detector belongs to one task at a
/// time, as the interpreter it holds.
public final class RegionDetector {
  /// What is found.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Faces: the eyes, the tip of the nose, the mouth and the ears.
    case face
    /// Palms: the wrist, the bases of four fingers and the first two joints of the thumb.
    case palm
    /// Bodies: the middle of the hips and of the shoulders, each with a point on the circle around
    /// the whole body and the upper one.
    case body

    /// What each point is, in the order of the model.
    public var pointNames: [String] {
      switch self {
      case .face: FaceDetector.Point.allCases.map { "\($0)" }
      case .palm:
        [
          "wrist", "indexFingerBase", "middleFingerBase", "ringFingerBase", "littleFingerBase",
          "thumbBase", "thumbJoint",
        ]
      case .body: ["hips", "bodyCircle", "shoulders", "upperBodyCircle"]
      }
    }

    /// What a region is called beside faces, hands and people that were found.
    var figureName: String { self == .body ? "person" : rawValue }

    var detector: KeyPointDetector.Kind {
      switch self {
      case .face: .face
      case .palm: .palm
      case .body: .pose
      }
    }
  }

  /// What is looked for, and how.
  public struct Options: Sendable {
    /// Regions with a lower score are not reported; from 0 to 1.
    public var minScore: Float = 0.5
    /// The greatest overlap of two regions, intersection over union; from 0 to 1.
    public var maxOverlap: Float = 0.3
    /// The most regions; nil for all.
    public var maxCount: Int?
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, all regions.
    public init() {}
  }

  /// A region of an image.
  public struct Region: Sendable, Hashable {
    /// What it shows.
    public let kind: Kind
    /// The box in pixels of the image as stored; it may reach beyond the edges.
    public let frame: ImageRect
    /// How sure the model is, from 0 to 1.
    public let score: Float
    /// The points that `Kind.pointNames` names, in pixels of the image as stored.
    public let points: [Landmark]
  }

  /// What is found.
  public let kind: Kind
  /// What is looked for, and how.
  public let options: Options
  private let detector: KeyPointDetector

  /// A detector that runs `model`.
  ///
  /// - Parameters:
  ///   - model: MediaPipe's detector of such regions.
  ///   - kind: what it finds.
  ///   - options: what is looked for, and how.
  /// - Throws: `VisionError` where the model is another one or the options are wrong.
  public init(
    _ model: Model, finding kind: Kind, options: Options = Options()
  ) throws(VisionError) {
    self.kind = kind
    self.options = options
    detector = try KeyPointDetector(
      model, kind.detector, minScore: options.minScore, overlap: options.maxOverlap,
      limit: options.maxCount, options: options.interpreter)
  }

  /// The interpreter of the model.
  public var interpreter: Interpreter { detector.model.interpreter }

  /// The regions in an image.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the regions, best first.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Region] {
    let upright = UprightImage(image, orientation)
    return try detector.detections(upright).map { detection in
      Region(
        kind: kind, frame: upright.stored(detection), score: detection.score,
        points: upright.stored(detection.keyPoints))
    }
  }
}
