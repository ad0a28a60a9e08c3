// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// A model that finds boxes with key points by anchors: MediaPipe's detectors of faces, palms and
/// bodies.
final class KeyPointDetector {
  /// What is found, and by which model.
  struct Kind {
    /// What the model is, for errors.
    let name: String
    /// Key points for each anchor.
    let keyPointCount: Int
    /// The grids of the published models.
    let grids: [AnchorGrid]
    /// The values of black and white, where the model's metadata says nothing.
    let range: PixelValueRange
    /// Those of models whose input has so many columns.
    var rangeByColumns: [Int: PixelValueRange] = [:]

    /// BlazeFace: eyes, tip of the nose, mouth and ears.
    static let face = Kind(
      name: "face detector", keyPointCount: 6,
      grids: [.shortRangeFaces, .fullRangeFaces, .backCameraFaces], range: .symmetric)
    /// Palms: the wrist, bases of fingers and the thumb's root.
    static let palm = Kind(
      name: "palm detector", keyPointCount: 7, grids: [.palms, .largePalms], range: .unit,
      rangeByColumns: [256: .symmetric])
    /// Bodies: the middle of the hips, the full length, the middle of the shoulders, the upper body.
    static let pose = Kind(
      name: "pose detector", keyPointCount: 4, grids: [.poses, .smallPoses], range: .symmetric)
  }

  let model: RegionModel
  private var decoder: AnchorDetectionDecoder
  private let suppression: NonMaxSuppression
  private let boxOutput: Int
  private let scoreOutput: Int

  /// A detector that runs `model`.
  ///
  /// - Throws: `VisionError` where the model's shapes are not those of a published one.
  init(
    _ model: Model, _ kind: Kind, minScore: Float, overlap: Float, limit: Int?,
    options: Interpreter.Options
  ) throws(VisionError) {
    try Self.check(minScore, "the least score of a \(kind.name)")
    try Self.check(overlap, "the greatest overlap of a \(kind.name)")
    guard limit.map({ $0 >= 1 }) ?? true else {
      throw .invalidOption("a \(kind.name) reports at least 1")
    }
    self.model = try RegionModel(
      model, name: kind.name, range: kind.range, rangeByColumns: kind.rangeByColumns,
      options: options)
    let region = self.model
    let shapes = region.shapes
    let length = 4 + 2 * kind.keyPointCount
    let boxes = shapes.firstIndex { $0.count == 3 && $0[0] == 1 && $0[2] == length }
    let scores = shapes.firstIndex { $0.count == 3 && $0[0] == 1 && $0[2] == 1 }
    guard shapes.count == 2, let boxes, let scores, shapes[boxes][1] == shapes[scores][1] else {
      throw .incompatibleModel(
        "the outputs of a \(kind.name) are 1 x anchors x \(length) and 1 x anchors x 1, not \(shapes)"
      )
    }
    decoder = try Self.decoder(kind, region, anchors: shapes[boxes][1])
    decoder.scoreThreshold = minScore
    suppression = NonMaxSuppression(.weighted, threshold: overlap, limit: limit)
    (boxOutput, scoreOutput) = (boxes, scores)
  }

  private static func decoder(
    _ kind: Kind, _ model: RegionModel, anchors: Int
  ) throws(VisionError) -> AnchorDetectionDecoder {
    for grid in kind.grids where grid.inputWidth == model.columns && grid.inputHeight == model.rows
    {
      let decoder = try VisionError.wrapping { () throws(LandmarkError) in
        try AnchorDetectionDecoder(grid, keyPointCount: kind.keyPointCount)
      }
      if decoder.anchors.count == anchors { return decoder }
    }
    throw .incompatibleModel(
      "no \(kind.name) is known with \(anchors) anchors in \(model.columns)x\(model.rows) pixels")
  }

  /// Refuses what is no probability.
  static func check(_ value: Float, _ name: String) throws(VisionError) {
    guard (0...1).contains(value) else {
      throw .invalidOption("\(name) must be from 0 to 1, not \(value)")
    }
  }

  /// The detections in an image, best first, as fractions of the upright image.
  ///
  /// The region is padded to the input's proportions, with black beyond the image.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - region: where to look, in pixels of the upright image; nil for all of it.
  /// - Returns: the detections.
  /// - Throws: `VisionError` where the region is impossible or the model fails.
  func detections(
    _ image: UprightImage, in region: RotatedRect? = nil
  ) throws(VisionError) -> [KeyPointDetection] {
    let projection = try model.run(
      image, region ?? image.whole, keepsAspect: true, border: .zero)
    let (boxes, scores) = (try model.values(boxOutput), try model.values(scoreOutput))
    let found = try VisionError.wrapping { () throws(LandmarkError) in
      try decoder.detections(boxes: boxes, scores: scores)
    }
    return suppression.applied(to: found).map { projection.projected($0) }
  }
}
