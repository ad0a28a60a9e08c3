// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet

/// Finds faces with their eyes, nose, mouth and ears.
///
/// ```swift
/// let detector = try FaceDetector(Model(path: "face_detection_short_range.tflite"))
/// for face in try detector.detect(image) {
///   print(face.frame, face.score, face[.noseTip])
/// }
/// ```
///
/// Runs the models of the BlazeFace family (arXiv:1907.05047), which are told by their shapes: short
/// range (128 × 128, 896 anchors), full range, dense or sparse (192 × 192, 2304), back camera
/// (256 × 256, 896). Numbers are those of MediaPipe's face detector. A detector belongs to one task
/// at a time, as the interpreter it holds.
public final class FaceDetector {
  /// What is looked for, and how.
  public struct Options: Sendable {
    /// Faces with a lower score are not reported; from 0 to 1.
    public var minScore: Float = 0.5
    /// The greatest overlap of two faces, intersection over union; from 0 to 1.
    public var maxOverlap: Float = 0.3
    /// The most faces; nil for all.
    public var maxFaces: Int?
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, all faces.
    public init() {}
  }

  /// A point that the detector finds in each face, in the order of the model.
  public enum Point: Int, Sendable, Hashable, CaseIterable {
    /// The person's right eye, on the left of the image.
    case rightEye
    /// The person's left eye.
    case leftEye
    /// The tip of the nose.
    case noseTip
    /// The middle of the mouth.
    case mouth
    /// The tragion of the person's right ear.
    case rightEar
    /// The tragion of the person's left ear.
    case leftEar
  }

  /// A face in an image.
  public struct Face: Sendable, Hashable {
    /// The box in pixels of the image as stored; it may reach beyond the edges.
    public let frame: ImageRect
    /// How sure the model is, from 0 to 1.
    public let score: Float
    /// The points in the order of `Point`, in pixels of the image as stored.
    public let points: [Landmark]

    /// A point of the face.
    public subscript(point: Point) -> Landmark { points[point.rawValue] }
  }

  /// What is looked for, and how.
  public let options: Options
  private let detector: RegionDetector

  /// A detector that runs `model`.
  ///
  /// - Throws: `VisionError` where the model is none of the family or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    self.options = options
    var regions = RegionDetector.Options()
    regions.minScore = options.minScore
    regions.maxOverlap = options.maxOverlap
    regions.maxCount = options.maxFaces
    regions.interpreter = options.interpreter
    detector = try RegionDetector(model, finding: .face, options: regions)
  }

  /// The interpreter of the model.
  public var interpreter: Interpreter { detector.interpreter }

  /// The faces in an image.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the faces, best first.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Face] {
    try detector.detect(image, orientation: orientation).map { region in
      Face(frame: region.frame, score: region.score, points: region.points)
    }
  }
}
