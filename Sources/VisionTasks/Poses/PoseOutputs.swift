// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// What the outputs of a model of people are, by their shapes.
enum PoseOutputs {
  /// MoveNet for one person: `[1, 1, 17, 3]`.
  case moveNet(Int)
  /// MoveNet for several people: `[1, people, 56]`.
  case moveNetMulti(Int)
  /// PoseNet with forward and backward displacements, or with both in one output.
  case poseNet(heatmap: Int, offsets: Int, displacements: [Int])
  /// PoseNet with Coral's operator at its end: key points, their scores, scores and the number.
  case coral
  /// Boxes with key points in the first output: YOLO.
  case rows(PoseRows)

  /// The kind of a model with outputs of these shapes; an open shape is empty.
  ///
  /// - Throws: `VisionError.incompatibleModel` where it is none that is known.
  init(
    _ shapes: [[Int]], names: [String], endsWithDecoder: Bool, rows: PoseRows?
  ) throws(VisionError) {
    if endsWithDecoder, shapes.count == 4 {
      self = .coral
    } else if let rows {
      self = .rows(rows)
    } else if shapes.count == 1, shapes[0] == [1, 1, 17, 3] {
      self = .moveNet(0)
    } else if shapes.count == 1, shapes[0].count == 3, shapes[0][2] == 56 {
      self = .moveNetMulti(0)
    } else if let maps = Self.maps(shapes, names) {
      self = maps
    } else {
      throw .incompatibleModel(
        "outputs of MoveNet are 1 x 1 x 17 x 3 or 1 x people x 56, those of PoseNet 1 x rows x columns x 17, 34, and 32 and 32 or 64, those of YOLO 1 x 56 x candidates or 1 x people x 57, not \(shapes)"
      )
    }
  }

  /// Displacements are told by their names, or else the forward ones come first.
  private static func maps(_ shapes: [[Int]], _ names: [String]) -> PoseOutputs? {
    func outputs(_ length: Int) -> [Int] {
      shapes.indices.filter { shapes[$0].count == 4 && shapes[$0][3] == length }
    }
    guard let heatmap = outputs(17).first, let offsets = outputs(34).first,
      shapes.allSatisfy({ $0.prefix(3) == shapes[heatmap].prefix(3) })
    else { return nil }
    let (both, each) = (outputs(64), outputs(32))
    if shapes.count == 3, both.count == 1 {
      return .poseNet(heatmap: heatmap, offsets: offsets, displacements: both)
    }
    guard shapes.count == 4, each.count == 2 else { return nil }
    // Such as MobilenetV1/displacement_bwd_2/BiasAdd.
    let words = each.map { names[$0].split { "/_:".contains($0) } }
    let isSwapped = words[0].contains("bwd") || words[1].contains("fwd")
    return .poseNet(
      heatmap: heatmap, offsets: offsets, displacements: isSwapped ? each.reversed() : each)
  }

  /// Whether the model knows one person only, so that the next image's crop follows that person.
  var isSinglePose: Bool {
    if case .moveNet = self { return true }
    return false
  }

  /// The values of black and white that such a model takes, where nothing else is said; nil for
  /// those of older kinds, which the number of outputs tells.
  var range: PixelValueRange? {
    if case .rows = self { return .unit }
    return nil
  }

  /// The people of the model's latest run, as fractions of its input.
  func poses(_ model: RegionModel, _ options: PoseEstimator.Options) throws(VisionError) -> [Pose] {
    switch self {
    case .moveNet(let output):
      let values = try model.values(output)
      return [
        try VisionError.wrapping { () throws(LandmarkError) in
          try MoveNetDecoder.singlePose(values)
        }
      ]
    case .moveNetMulti(let output):
      let values = try model.values(output)
      return try VisionError.wrapping { () throws(LandmarkError) in
        try MoveNetDecoder.poses(values, scoreThreshold: options.minScore)
      }
    case .poseNet(let heatmap, let offsets, let displacements):
      return try poseNet(model, options, [heatmap, offsets] + displacements)
    case .coral: return try coral(model, options)
    case .rows(let rows):
      return try rows.poses(
        OutputValues(shape: model.shapes[0], values: try model.values(0)), input: model.size,
        options)
    }
  }

  private func poseNet(
    _ model: RegionModel, _ options: PoseEstimator.Options, _ outputs: [Int]
  ) throws(VisionError) -> [Pose] {
    let shape = model.shapes[outputs[0]]
    guard shape.count == 4, shape[2] > 1 else {
      throw .incompatibleModel("PoseNet's grid has at least 2 columns")
    }
    var decoder = PoseNetDecoder(stride: Float(model.columns - 1) / Float(shape[2] - 1))
    decoder.scoreThreshold = options.minScore
    decoder.maxPoses = min(max(options.maxPoses, 1), 1 << 10)
    var values: [[Float]] = []
    for output in outputs { values.append(try model.values(output)) }
    let poses = try VisionError.wrapping { () throws(LandmarkError) in
      let maps =
        if values.count == 3 {
          try PoseNetMaps(
            rows: shape[1], columns: shape[2], heatmap: values[0], offsets: values[1],
            displacements: values[2])
        } else {
          try PoseNetMaps(
            rows: shape[1], columns: shape[2], heatmap: values[0], offsets: values[1],
            forward: values[2], backward: values[3])
        }
      return options.maxPoses == 1 ? [try decoder.pose(maps)] : try decoder.poses(maps)
    }
    return poses.map { $0.scaled(1 / Float(model.columns), 1 / Float(model.rows)) }
  }

  private func coral(
    _ model: RegionModel, _ options: PoseEstimator.Options
  ) throws(VisionError) -> [Pose] {
    let points = try model.values(0)
    let (pointScores, scores) = (try model.values(1), try model.values(2))
    let said = try model.values(3).first ?? 0
    let room = min(points.count / 34, pointScores.count / 17, scores.count)
    let count = said.isNaN ? 0 : Int(min(max(said, 0), Float(room)))
    return (0..<count).map { index in
      let keyPoints = (0..<17).map { part in
        Pose.KeyPoint(
          x: points[(index * 17 + part) * 2 + 1], y: points[(index * 17 + part) * 2],
          score: pointScores[index * 17 + part])
      }
      return Pose(keyPoints: keyPoints, score: scores[index])
        .scaled(1 / Float(model.columns), 1 / Float(model.rows))
    }.filter { $0.score >= options.minScore }
  }
}

extension Pose {
  /// The same person with locations multiplied.
  func scaled(_ x: Float, _ y: Float) -> Pose {
    var result = self
    for index in keyPoints.indices {
      result.keyPoints[index].x *= x
      result.keyPoints[index].y *= y
    }
    return result
  }
}
