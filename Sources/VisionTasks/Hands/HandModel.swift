// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// A hand as fractions of the upright image.
struct FoundHand {
  let points: [Landmark]
  let worldPoints: [Landmark]
  /// How likely it is the right hand; nil where the model has no such output.
  let rightScore: Float?
  let presence: Float

  /// The region of the next image.
  func region(_ image: UprightImage) -> NormalizedRect? {
    NormalizedRect(hand: points, columns: image.columns, rows: image.rows).map {
      RectTransformation.handLandmarks.applied(to: $0, columns: image.columns, rows: image.rows)
    }
  }

  /// Whether two hands are the same one: ten points or more are near each other, and the boxes
  /// overlap by a fifth.
  ///
  /// Near is a fifth of the larger palm: MediaPipe's `hand_landmarks_deduplication_calculator`.
  func isDuplicate(of other: FoundHand, _ image: UprightImage) -> Bool {
    let own = points.inPixels(columns: image.columns, rows: image.rows)
    let others = other.points.inPixels(columns: image.columns, rows: image.rows)
    let least = max(Self.palmSize(own), Self.palmSize(others)) * 0.2
    let near = zip(own, others).count { Self.distance($0, $1) < least }
    guard near >= 10, let box = points.edges, let otherBox = other.points.edges else {
      return false
    }
    return box.overlap(with: otherBox) > 0.2
  }

  private static func palmSize(_ points: [Landmark]) -> Float {
    let (wrist, index, little) = (points[0], points[5], points[17])
    return max(distance(wrist, index), distance(index, little), distance(little, wrist))
  }

  private static func distance(_ first: Landmark, _ second: Landmark) -> Float {
    let (x, y) = (first.x - second.x, first.y - second.y)
    return (x * x + y * y).squareRoot()
  }

  /// The hand in pixels of the image as stored.
  func stored(_ image: UprightImage) -> HandLandmarker.Hand {
    let isRight = rightScore.map { $0 >= 0.5 }
    return HandLandmarker.Hand(
      landmarks: image.stored(points), worldLandmarks: worldPoints,
      handedness: isRight.map { $0 ? .right : .left },
      handednessScore: rightScore.map { max($0, 1 - $0) },
      presence: presence)
  }
}

/// A model that finds the points of a hand in a region.
///
/// Outputs, in this order: 63 numbers, x, y and z of each point in pixels of the input; the
/// probability of a hand; most often that of a right one, as MediaPipe's tasks read it, and 63 world
/// coordinates in meters.
final class HandModel {
  /// What depth is divided by beside the input's columns.
  private static let depthDivisor: Float = 0.4

  private let model: RegionModel
  /// What runs the model.
  var interpreter: Interpreter { model.interpreter }
  private let landmarkOutput: Int
  private let worldOutput: Int?
  private let presenceOutput: Int
  private let handednessOutput: Int?

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    self.model = try RegionModel(
      model, name: "hand landmark model", range: .unit, rangeByColumns: [256: .symmetric],
      options: options)
    let landmarks = self.model.outputs(ofCount: [63])
    let scores = self.model.outputs(ofCount: [1])
    guard let first = landmarks.first, landmarks.count <= 2, (1...2).contains(scores.count) else {
      throw .incompatibleModel(
        "the outputs of a hand landmark model are 63, 1, 1 and 63 numbers, not \(self.model.shapes)"
      )
    }
    landmarkOutput = first
    worldOutput = landmarks.count == 2 ? landmarks[1] : nil
    (presenceOutput, handednessOutput) = (scores[0], scores.count == 2 ? scores[1] : nil)
  }

  /// The hand in a region.
  func hand(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> FoundHand {
    let projection = try model.run(image, rect, depthTurns: false)
    let values = try model.values(landmarkOutput)
    let world = try worldOutput.map { output throws(VisionError) in try model.values(output) }
    var decoder = LandmarkDecoder(count: 21, inputWidth: model.columns, inputHeight: model.rows)
    decoder.depthDivisor = Self.depthDivisor
    let points = try VisionError.wrapping { () throws(LandmarkError) in
      try decoder.landmarks(values)
    }
    let worldPoints = try VisionError.wrapping { () throws(LandmarkError) in
      try world.map { values throws(LandmarkError) in
        try LandmarkDecoder(count: 21).landmarks(values)
      } ?? []
    }
    return FoundHand(
      points: projection.projected(points),
      worldPoints: projection.turned(worldPoints),
      rightScore: try handednessOutput.flatMap { output throws(VisionError) in
        try model.values(output).first
      },
      presence: try model.values(presenceOutput).first ?? 0)
  }
}
