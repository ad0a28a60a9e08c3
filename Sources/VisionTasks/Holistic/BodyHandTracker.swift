// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Martlet

/// A hand of a body from image to image: MediaPipe's `holistic_hand_tracking.cc`.
final class BodyHandTracker {
  /// Which hand, by the body's points.
  enum Side {
    case left
    case right

    /// Wrist, first joint of the little finger, first joint of the index finger.
    var points: (wrist: Int, littleFinger: Int, indexFinger: Int) {
      switch self {
      case .left: (15, 17, 19)
      case .right: (16, 18, 20)
      }
    }
  }

  /// Wrists that are less visible have no hand.
  private static let minVisibility: Float = 0.1

  private let side: Side
  private let model: HandModel
  private let refinement: HandRefinementModel
  private let minPresence: Float
  private var previous: FoundHand?

  init(_ side: Side, model: HandModel, refinement: HandRefinementModel, minPresence: Float) {
    self.side = side
    self.model = model
    self.refinement = refinement
    self.minPresence = minPresence
  }

  func reset() { previous = nil }

  /// What runs the models.
  var interpreters: [Interpreter] { [refinement.interpreter, model.interpreter] }

  /// The hand in the next image; nil where none is seen.
  func next(
    _ image: UprightImage, _ body: FoundBody
  ) throws(VisionError) -> HandLandmarker.Hand? {
    let before = previous
    reset()
    let (columns, rows) = (image.columns, image.rows)
    guard let found = try refined(image, body) else { return nil }
    let rect = RegionTracking.hand.region(
      found, previous: before?.region(image), landmarks: before?.points ?? [], columns: columns,
      rows: rows)
    guard rect.isUsable else { return nil }
    let hand = try model.hand(image, rect.inPixels(columns: columns, rows: rows))
    guard hand.presence > minPresence else { return nil }
    previous = hand
    return hand.moved(to: body.worldPoints, wrist: side.points.wrist).stored(image)
  }

  /// The region of the hand by the body's points, corrected by the model.
  private func refined(
    _ image: UprightImage, _ body: FoundBody
  ) throws(VisionError) -> NormalizedRect? {
    let (columns, rows) = (image.columns, image.rows)
    let (wrist, littleFinger, indexFinger) = side.points
    guard body.points.count > max(wrist, littleFinger, indexFinger),
      body.points[wrist].visibility ?? 0 > Self.minVisibility
    else { return nil }
    let part = RectTransformation.handOfBody.applied(
      to: NormalizedRect(
        wrist: body.points[wrist], littleFinger: body.points[littleFinger],
        indexFinger: body.points[indexFinger], columns: columns, rows: rows),
      columns: columns, rows: rows)
    guard part.isUsable else { return nil }
    let points = try refinement.points(image, part.inPixels(columns: columns, rows: rows))
    return NormalizedRect(alignedTo: points, by: .refinedHand, columns: columns, rows: rows)
      .map { RectTransformation.refinedHand.applied(to: $0, columns: columns, rows: rows) }
  }
}

extension FoundHand {
  /// The hand with its wrist in meters where that of a body is.
  fileprivate func moved(to body: [Landmark], wrist: Int) -> FoundHand {
    guard let own = worldPoints.first, body.indices.contains(wrist) else { return self }
    let target = body[wrist]
    let moved = worldPoints.map { point in
      var result = point
      result.x += target.x - own.x
      result.y += target.y - own.y
      result.z += target.z - own.z
      return result
    }
    return FoundHand(
      points: points, worldPoints: moved, rightScore: rightScore, presence: presence)
  }
}

/// A model that corrects the region of a hand: the middle of the right one, and a point on its edge.
final class HandRefinementModel {
  private let model: RegionModel
  /// What runs the model.
  var interpreter: Interpreter { model.interpreter }
  private let output: Int
  private let pointCount = 2

  init(_ model: Model, options: Interpreter.Options) throws(VisionError) {
    self.model = try RegionModel(
      model, name: "hand region model", range: .unit, options: options)
    let outputs = self.model.outputs(ofCount: [4, 6])
    guard self.model.shapes.count == 1, let output = outputs.first else {
      throw .incompatibleModel(
        "the output of a hand region model is two points, not \(self.model.shapes)")
    }
    self.output = output
  }

  /// The two points as fractions of the upright image.
  func points(_ image: UprightImage, _ rect: RotatedRect) throws(VisionError) -> [Landmark] {
    let projection = try model.run(image, rect, keepsAspect: true)
    let values = try model.values(output)
    let decoder = LandmarkDecoder(
      count: pointCount, inputWidth: model.columns, inputHeight: model.rows)
    return projection.projected(
      try VisionError.wrapping { () throws(LandmarkError) in try decoder.landmarks(values) })
  }
}
