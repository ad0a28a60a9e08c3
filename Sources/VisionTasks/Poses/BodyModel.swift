// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Martlet

/// A body as fractions of the upright image.
struct FoundBody {
  var points: [Landmark]
  /// The middle of the hips and a point on the circle around the body.
  var alignment: [Landmark]
  var worldPoints: [Landmark]
  let presence: Float
  /// How much each pixel of the upright image belongs to the body; nil where it is not asked for.
  var mask: ConfidenceMask?

  /// The region of the next image.
  func region(_ image: UprightImage) -> NormalizedRect? {
    NormalizedRect(
      alignedTo: alignment, by: .pose, columns: image.columns, rows: image.rows
    ).map {
      RectTransformation.pose.applied(to: $0, columns: image.columns, rows: image.rows)
    }
  }

  /// The body in pixels of the image as stored.
  func stored(_ image: UprightImage) -> PoseLandmarker.Body {
    PoseLandmarker.Body(
      landmarks: image.stored(points), worldLandmarks: worldPoints, presence: presence,
      mask: mask.map { image.stored($0) })
  }
}

/// Filters the points of a body from image to image, with MediaPipe's numbers.
struct BodySmoothers {
  private var points: LandmarkSmoother
  private var worldPoints: LandmarkSmoother
  private var visibility = VisibilitySmoother()

  init() throws(LandmarkError) {
    points = try LandmarkSmoother(.oneEuro(.pose))
    worldPoints = try LandmarkSmoother(.oneEuro(.poseWorld))
  }

  mutating func reset() {
    points.reset()
    worldPoints.reset()
    visibility.reset()
  }

  /// The body after those before; its size is that of `extent`, or of the region of the next image.
  mutating func apply(
    _ body: FoundBody, _ image: UprightImage, at nanoseconds: Int64,
    extent: NormalizedRect? = nil
  ) -> FoundBody {
    var result = body
    let pixels = visibility.apply(body.points).inPixels(columns: image.columns, rows: image.rows)
    let region = (extent ?? body.region(image))?.inPixels(columns: image.columns, rows: image.rows)
    result.points = points.apply(pixels, at: nanoseconds, region: region)
      .normalized(columns: image.columns, rows: image.rows)
    result.worldPoints = worldPoints.apply(body.worldPoints, at: nanoseconds)
    for index in result.worldPoints.indices where index < result.points.count {
      result.worldPoints[index].visibility = result.points[index].visibility
    }
    return result
  }
}

/// A model that finds the points of a body in a region.
///
/// Outputs: 39 points of 5 numbers (33 of the body, 2 for alignment, 4 others), the probability of a
/// body, 39 × 3 world coordinates in meters, a heat map, and the log-odds of a mask of the person.
final class BodyModel {
  private static let allCount = 39
  private static let bodyCount = 33

  private let model: RegionModel
  /// What runs the model.
  var interpreter: Interpreter { model.interpreter }
  private let landmarkOutput: Int
  private let presenceOutput: Int
  private let worldOutput: Int?
  private let heatmapOutput: Int?
  private let maskOutput: Int?

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    self.model = try RegionModel(model, name: "pose landmark model", range: .unit, options: options)
    let shapes = self.model.shapes
    guard let landmarks = self.model.outputs(ofCount: [Self.allCount * 5]).first,
      let presence = self.model.outputs(ofCount: [1]).first
    else {
      throw .incompatibleModel(
        "the outputs of a pose landmark model are 195 numbers and 1, not \(shapes)")
    }
    (landmarkOutput, presenceOutput) = (landmarks, presence)
    worldOutput = self.model.outputs(ofCount: [Self.allCount * 3]).first
    heatmapOutput = shapes.firstIndex {
      $0.count == 4 && $0[0] == 1 && $0[1] > 1 && $0[3] == Self.allCount
    }
    maskOutput = shapes.firstIndex { $0.count == 4 && $0[0] == 1 && $0[1] > 1 && $0[3] == 1 }
  }

  /// Whether the model has a mask of the person.
  var hasMask: Bool { maskOutput != nil }

  /// The mask of the latest run's region, in all of the image; nil of models without one.
  func mask(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> ConfidenceMask? {
    guard let maskOutput else { return nil }
    let shape = model.shapes[maskOutput]
    let values = try model.values(maskOutput).map { value in value.isNaN ? 0 : value.sigmoid }
    return try VisionError.wrapping { () throws(LandmarkError) in
      try LandmarkError.wrapping { () throws(ImagingError) in
        try ConfidenceMask(width: shape[2], height: shape[1], values: values)
      }.placed(at: rect, columns: image.columns, rows: image.rows)
    }
  }

  /// The body in a region.
  func body(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> FoundBody {
    let projection = try model.run(image, rect, depthTurns: false)
    let points = projection.projected(try points())
    var world = try worldPoints()
    for index in world.indices {
      world[index].visibility = points[index].visibility
      world[index].presence = points[index].presence
    }
    return FoundBody(
      points: Array(points.prefix(Self.bodyCount)),
      alignment: Array(points[Self.bodyCount..<Self.bodyCount + 2]),
      worldPoints: projection.turned(world),
      presence: try model.values(presenceOutput).first ?? 0)
  }

  /// All points as fractions of the region, moved to where the heat map shows them.
  private func points() throws(VisionError) -> [Landmark] {
    let values = try model.values(landmarkOutput)
    let heatmap = try heatmapOutput.map { output throws(VisionError) in
      (values: try model.values(output), shape: model.shapes[output])
    }
    var decoder = LandmarkDecoder(
      count: Self.allCount, inputWidth: model.columns, inputHeight: model.rows)
    decoder.hasSigmoidProbabilities = true
    return try VisionError.wrapping { () throws(LandmarkError) in
      let points = try decoder.landmarks(values)
      guard let heatmap else { return points }
      return try HeatmapRefinement.pose.refined(
        points, heatmap: heatmap.values, rows: heatmap.shape[1], columns: heatmap.shape[2])
    }
  }

  private func worldPoints() throws(VisionError) -> [Landmark] {
    guard let worldOutput else { return [] }
    let values = try model.values(worldOutput)
    return try VisionError.wrapping { () throws(LandmarkError) in
      try Array(
        LandmarkDecoder(count: Self.allCount).landmarks(values).prefix(Self.bodyCount))
    }
  }
}
