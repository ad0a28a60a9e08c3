// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet

/// Finds faces and the 468 or 478 points of their meshes, and rates 52 movements of each face.
///
/// ```swift
/// let landmarker = try FaceLandmarker(
///   detector: Model(path: "face_detector.tflite"),
///   landmarks: Model(path: "face_landmarks_detector.tflite"))
/// for face in try landmarker.detect(image) { print(face.presence, face.landmarks[1]) }
/// ```
///
/// MediaPipe's face landmarker: the detector's box, turned so that the eyes are level and enlarged
/// by half, is what the second model sees; in videos, the landmarks of the image before give that
/// region. A landmarker belongs to one task at a time, as the interpreters it holds.
public final class FaceLandmarker {
  /// What is looked for, and how.
  public struct Options: Sendable {
    /// The most faces.
    public var maxFaces = 1
    /// The least score of the detector; from 0 to 1.
    public var minDetectionScore: Float = 0.5
    /// The probability that the landmark model sees a face must be above this; from 0 to 1.
    public var minPresenceScore: Float = 0.5
    /// In videos, the overlap from which a detection is a face of the image before; from 0 to 1.
    public var minTrackingScore: Float = 0.5
    /// Whether the landmarks of videos with one face are smoothed.
    public var isSmoothed = true
    /// How the models are run.
    public var interpreter = Interpreter.Options()

    /// MediaPipe's numbers, one face.
    public init() {}
  }

  /// A face in an image.
  public struct Face: Sendable, Hashable {
    /// The points of the mesh in pixels of the image as stored; depth has the scale of x.
    public let landmarks: [Landmark]
    /// How likely the landmark model sees a face, from 0 to 1.
    public let presence: Float
    /// The strength of each movement in `FaceBlendshape.names`, from 0 to 1; empty without the model.
    public let blendshapes: [Float]
    /// How the canonical face is placed before the camera; nil without the canonical face, and where
    /// the landmarks fit none.
    public let placement: FaceGeometry.Placement?
  }

  /// What is looked for, and how.
  public let options: Options
  private let detector: KeyPointDetector?
  private let mesh: FaceMeshModel
  private let blendshapes: FaceBlendshapeModel?
  private let geometry: FaceGeometry?
  private var regions = TrackedRegions()
  private var smoother: LandmarkSmoother

  /// A landmarker of these models.
  ///
  /// - Parameters:
  ///   - detector: a model of the BlazeFace family; nil where each image shows one face and little
  ///     else: the mesh sees all of it, then where it saw the face.
  ///   - landmarks: a face mesh with 468 points, or 478 with the irises.
  ///   - blendshapes: what rates movements; needs 478 points. Nil for none.
  ///   - geometry: the canonical face that gives placements; nil for none.
  ///   - options: what is looked for, and how.
  /// - Throws: `VisionError` where a model is another one or the options are wrong.
  public init(
    detector: Model?, landmarks: Model, blendshapes: Model? = nil, geometry: FaceGeometry? = nil,
    options: Options = Options()
  ) throws(VisionError) {
    let options = try options.checked(hasDetector: detector != nil)
    self.options = options
    self.geometry = geometry
    self.detector = try detector.map { model throws(VisionError) in
      try KeyPointDetector(
        model, .face, minScore: options.minDetectionScore, overlap: 0.3, limit: options.maxFaces,
        options: options.interpreter)
    }
    mesh = try FaceMeshModel(landmarks, options: options.interpreter)
    self.blendshapes = try blendshapes.map { model throws(VisionError) in
      try FaceBlendshapeModel(model, options: options.interpreter)
    }
    guard blendshapes == nil || mesh.pointCount == 478 else {
      throw .incompatibleModel("blend shapes need a face mesh with 478 points")
    }
    smoother = try VisionError.wrapping { () throws(LandmarkError) in
      try LandmarkSmoother(.oneEuro(.face))
    }
  }

  /// The interpreters of the models, with the inputs that the latest image gave them.
  package var interpreters: [Interpreter] {
    [detector?.model.interpreter, mesh.interpreter].compactMap(\.self)
      + (blendshapes.map { [$0.interpreter] } ?? [])
  }

  /// The faces in an image that has nothing to do with others.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the faces in the order of the detector, best first.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [Face] {
    let upright = UprightImage(image, orientation)
    return try meshes(try detected(upright), upright).map { mesh throws(VisionError) in
      try face(mesh, upright)
    }
  }

  /// The faces in the next image of a video.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  ///   - nanoseconds: the time of the image, later than that of the image before.
  /// - Returns: the faces.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func track(
    _ image: PixelBuffer, orientation: ImageOrientation = .up, at nanoseconds: Int64
  ) throws(VisionError) -> [Face] {
    let upright = UprightImage(image, orientation)
    var rects = regions.previous(upright)
    if rects.count < options.maxFaces {
      rects = RectAssociation.merged(
        [rects, try detected(upright)], threshold: options.minTrackingScore)
    }
    var found = try meshes(Array(rects.prefix(options.maxFaces)), upright)
    regions.keep(found.compactMap { $0.region(upright) }, of: upright)
    if options.isSmoothed, options.maxFaces == 1 {
      let pixels = found.first?.points.inPixels(columns: upright.columns, rows: upright.rows) ?? []
      let smooth = smoother.apply(pixels, at: nanoseconds)
      if !found.isEmpty {
        found[0].points = smooth.normalized(columns: upright.columns, rows: upright.rows)
      }
    }
    return try found.map { mesh throws(VisionError) in try face(mesh, upright) }
  }

  /// Forgets the video's images.
  public func reset() {
    regions.reset()
    smoother.reset()
  }

  private func detected(_ image: UprightImage) throws(VisionError) -> [NormalizedRect] {
    guard let detector else {
      let square = image.square.inPixels(columns: image.columns, rows: image.rows)
      return [try mesh.mesh(image, square).region(image) ?? image.square]
    }
    return try detector.detections(image).map { detection in
      let rect = NormalizedRect(
        detection, turnedBy: .face, columns: image.columns, rows: image.rows)
      return RectTransformation.face.applied(to: rect, columns: image.columns, rows: image.rows)
    }
  }

  private func meshes(
    _ rects: [NormalizedRect], _ image: UprightImage
  ) throws(VisionError) -> [FaceMesh] {
    var meshes: [FaceMesh] = []
    for rect in rects where rect.isUsable {
      let found = try mesh.mesh(image, rect.inPixels(columns: image.columns, rows: image.rows))
      if found.presence > options.minPresenceScore { meshes.append(found) }
    }
    return meshes
  }

  private func face(_ mesh: FaceMesh, _ image: UprightImage) throws(VisionError) -> Face {
    let points = image.stored(mesh.points)
    let (columns, rows) = image.storedSize
    return Face(
      landmarks: points, presence: mesh.presence,
      blendshapes: try blendshapes?.values(mesh.points, image) ?? [],
      placement: geometry?.placement(
        of: points.normalized(columns: columns, rows: rows), columns: columns, rows: rows))
  }
}
