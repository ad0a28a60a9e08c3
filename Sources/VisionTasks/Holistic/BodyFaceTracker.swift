// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// The face of a body from image to image: MediaPipe's `holistic_face_tracking.cc`.
final class BodyFaceTracker {
  /// The points of a body that lie in the face come first.
  private static let pointCount = 11

  private let detector: KeyPointDetector
  private let mesh: FaceMeshModel
  private let blendshapes: FaceBlendshapeModel?
  private let minPresence: Float
  /// The landmarks of the image before.
  private var previous: [Landmark] = []

  init(
    _ models: HolisticLandmarker.Models, _ options: HolisticLandmarker.Options
  ) throws(VisionError) {
    detector = try KeyPointDetector(
      models.faceDetector, .face, minScore: options.minFaceDetectionScore,
      overlap: options.maxFaceOverlap, limit: 1, options: options.interpreter)
    mesh = try FaceMeshModel(models.faceLandmarks, options: options.interpreter)
    blendshapes = try models.blendshapes.map { model throws(VisionError) in
      try FaceBlendshapeModel(model, options: options.interpreter)
    }
    guard blendshapes == nil || mesh.pointCount == 478 else {
      throw .incompatibleModel("blend shapes need a face mesh with 478 points")
    }
    minPresence = options.minFacePresenceScore
  }

  func reset() { previous = [] }

  /// What runs the models.
  var interpreters: [Interpreter] {
    [detector.model.interpreter, mesh.interpreter] + (blendshapes.map { [$0.interpreter] } ?? [])
  }

  /// The face in the next image; nil where none is seen.
  func next(
    _ image: UprightImage, _ body: FoundBody
  ) throws(VisionError) -> FaceLandmarker.Face? {
    let (columns, rows) = (image.columns, image.rows)
    guard let found = try detected(image, body) else {
      reset()
      return nil
    }
    let before = NormalizedRect(
      around: previous, turnedBy: .faceMesh, columns: columns, rows: rows
    ).map { RectTransformation.face.applied(to: $0, columns: columns, rows: rows) }
    let rect = RegionTracking.face.region(
      found, previous: before, landmarks: previous, columns: columns, rows: rows)
    reset()
    guard rect.isUsable else { return nil }
    let face = try mesh.mesh(image, rect.inPixels(columns: columns, rows: rows))
    guard face.presence > minPresence else { return nil }
    previous = face.points
    return FaceLandmarker.Face(
      landmarks: image.stored(face.points), presence: face.presence,
      blendshapes: try blendshapes?.values(face.points, image) ?? [], placement: nil)
  }

  private func detected(
    _ image: UprightImage, _ body: FoundBody
  ) throws(VisionError) -> NormalizedRect? {
    let (columns, rows) = (image.columns, image.rows)
    let points = Array(body.points.prefix(Self.pointCount))
    let part = NormalizedRect(around: points, turnedBy: .faceOfBody, columns: columns, rows: rows)
      .map { RectTransformation.faceOfBody.applied(to: $0, columns: columns, rows: rows) }
    guard let part, part.isUsable else { return nil }
    let detections = try detector.detections(
      image, in: part.inPixels(columns: columns, rows: rows))
    return detections.first.flatMap { detection in
      NormalizedRect(
        around: detection.keyPoints, turnedBy: .face, columns: columns, rows: rows)
    }.map { RectTransformation.faceBesideBody.applied(to: $0, columns: columns, rows: rows) }
  }
}
