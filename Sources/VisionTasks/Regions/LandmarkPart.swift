// SPDX-License-Identifier: Apache-2.0

import Imaging
package import Martlet

/// A model that finds faces, hands or people, or is one of several that do so together.
package enum LandmarkPart: String, CaseIterable, Sendable {
  /// MoveNet, PoseNet and YOLO, which need no other model.
  case poseEstimator = "pose estimator"
  /// The BlazeFace family, which needs no other model.
  case faceDetector = "face detector"
  /// Finds palms for a model of hands.
  case palmDetector = "palm detector"
  /// Finds bodies for a model of bodies.
  case poseDetector = "pose detector"
  /// The points of a face that a detector found.
  case faceMesh = "face mesh"
  /// The points of a hand whose palm a detector found.
  case handLandmarks = "hand landmark model"
  /// The points of a body that a detector found.
  case poseLandmarks = "pose landmark model"
  /// Rates the movements of a face mesh.
  case blendshapes = "blend shape model"
  /// Makes a vector of a hand's points.
  case gestureEmbedder = "gesture embedder"

  /// The part among these that a model is, told by its inputs and outputs; nil for none.
  package static func told(
    by model: Model, among parts: [LandmarkPart] = allCases
  ) -> LandmarkPart? {
    parts.first { $0.problem(of: model) == nil }
  }

  /// Whether the part finds points in a region that another one finds.
  package var findsLandmarks: Bool {
    switch self {
    case .faceMesh, .handLandmarks, .poseLandmarks: true
    case _: false
    }
  }

  /// Whether the part looks at whole images, for others or alone.
  package var findsRegions: Bool {
    switch self {
    case .poseEstimator, .faceDetector, .palmDetector, .poseDetector: true
    case _: false
    }
  }

  /// Why a model is not this part; nil where it is.
  package func problem(of model: Model) -> VisionError? {
    var options = Interpreter.Options()
    options.kernels = .reference
    do throws(VisionError) {
      try make(model, options)
      return nil
    } catch {
      return error
    }
  }

  private func make(_ model: Model, _ options: Interpreter.Options) throws(VisionError) {
    func detector(_ kind: KeyPointDetector.Kind) throws(VisionError) {
      _ = try KeyPointDetector(
        model, kind, minScore: 0.5, overlap: 0.3, limit: nil, options: options)
    }
    switch self {
    case .poseEstimator:
      var settings = PoseEstimator.Options()
      settings.interpreter = options
      _ = try PoseEstimator(model, options: settings)
    case .faceDetector: try detector(.face)
    case .palmDetector: try detector(.palm)
    case .poseDetector: try detector(.pose)
    case .faceMesh: _ = try FaceMeshModel(model, options: options)
    case .handLandmarks: _ = try HandModel(model, options: options)
    case .poseLandmarks: _ = try BodyModel(model, options: options)
    case .blendshapes: _ = try FaceBlendshapeModel(model, options: options)
    case .gestureEmbedder: try GestureRecognizer.checkEmbedder(model, options)
    }
  }
}
