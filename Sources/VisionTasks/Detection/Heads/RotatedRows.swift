// SPDX-License-Identifier: Apache-2.0

import ImageInputs
import Imaging
import Landmarks

/// How rows of rotated boxes become objects: Ultralytics' models of oriented boxes (OBB).
///
/// Candidates of YOLOv8 and YOLO11, `[1, 5 + classes, n]`, overlap; each has a center, a size, a score for
/// each class and an angle. YOLO26, `[1, n, 7]`, gives finished rows: center, size, score, class, angle.
/// Angles are in radians, clockwise. Ultralytics' `nn/modules/head.py` (`OBB`).
public struct RotatedRows: Sendable, Hashable {
  /// Whether rows are finished detections, of which none have to be left out; nil where the output tells
  /// it: rows of seven numbers are.
  public var areFinished: Bool?
  /// What the numbers of a box count.
  public var unit = CoordinateUnit.automatic

  /// What the shape of the output tells.
  public init() {}

  /// Ultralytics' name of the task.
  static let task = "obb"
  /// The numbers of a rotated box.
  static let boxFieldCount = 5
  /// The numbers of a finished row.
  static let finishedFieldCount = 7
}

/// Reads `RotatedRows` out of a model's outputs.
package struct RotatedRowDecoder: DetectionHead {
  private let unit: CoordinateUnit
  private let areFinished: Bool

  /// A decoder of such rows for outputs of these shapes.
  package init(_ rows: RotatedRows, shapes: [[Int]]) {
    unit = rows.unit
    areFinished = rows.areFinished ?? (shapes.first?.last == RotatedRows.finishedFieldCount)
  }

  package var overlapThreshold: Float? { areFinished ? nil : ExtendedRows.overlapThreshold }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    guard let output = outputs.first,
      let table = ValueTable(output, isTransposed: !areFinished),
      areFinished
        ? table.fieldCount == RotatedRows.finishedFieldCount
        : table.fieldCount > RotatedRows.boxFieldCount
    else {
      let shapes = outputs.map { "\($0.shape)" }.joined(separator: ", ")
      throw .incompatibleModel(
        "Rotated boxes need 4 numbers, scores and an angle each; the outputs are \(shapes).")
    }
    let boxes = try head(classCount: table.fieldCount - RotatedRows.boxFieldCount)
      .detections([output], input: input, threshold: threshold)
    return boxes.compactMap { box in
      box.row.flatMap { box.rotated(by: table[$0, table.fieldCount - 1], in: input) }
    }
  }

  /// What reads the boxes and scores.
  private func head(classCount: Int) throws(VisionError) -> any DetectionHead {
    if areFinished {
      var finished = FinishedRows()
      (finished.corners, finished.unit) = (.centered, unit)
      return try FinishedRowDecoder(finished)
    }
    var candidates = CandidateRows.yoloV8
    (candidates.layout, candidates.unit) = (.columns, unit)
    candidates.classCount = classCount
    return try CandidateRowDecoder(candidates)
  }
}

extension BoxDetection {
  /// The detection with its box turned clockwise around its middle; nil where that makes no rectangle.
  fileprivate func rotated(by angle: Float, in input: InputSize) -> BoxDetection? {
    let (columns, rows) = (Float(input.width), Float(input.height))
    let rect = RotatedRect(
      centerX: (left + right) / 2 * columns, centerY: (top + bottom) / 2 * rows,
      width: (right - left) * columns, height: (bottom - top) * rows, rotation: angle)
    guard rect.isUsable else { return nil }
    let corners = rect.corners
    var box = self
    for (index, corner) in corners.enumerated() {
      let (x, y) = (corner.x / columns, corner.y / rows)
      box.left = index == 0 ? x : min(box.left, x)
      box.right = index == 0 ? x : max(box.right, x)
      box.top = index == 0 ? y : min(box.top, y)
      box.bottom = index == 0 ? y : max(box.bottom, y)
    }
    box.rotated = rect.withAcuteRotation
    return box
  }
}

extension [BoxDetection] {
  /// The most boxes that are compared with each other, those of the highest scores.
  private static let comparedCount = 2000

  /// Drops rotated boxes that are alike one of a higher score, also of one that is dropped itself.
  ///
  /// Ultralytics' `nms_rotated`. The time grows with the square of the number of boxes, of which the
  /// best 2,000 are looked at.
  ///
  /// - Parameters:
  ///   - threshold: boxes whose likeness to a better one is less remain.
  ///   - suppression: which boxes stand in each other's way.
  ///   - limit: how many remain at most.
  /// - Returns: the boxes that remain, by falling scores.
  func suppressedAsRotated(
    threshold: Float, _ suppression: ObjectDetector.Suppression, limit: Int
  ) -> [BoxDetection] {
    let sorted = sortedByScore().prefix(Self.comparedCount).compactMap { box in
      box.rotated.map { (box: box, spread: RectSpread($0)) }
    }
    var kept: [BoxDetection] = []
    for (index, candidate) in sorted.enumerated() where kept.count < limit {
      let isCovered = sorted[..<index].contains { better in
        (suppression == .allClasses || better.box.classIndex == candidate.box.classIndex)
          && better.spread.likeness(to: candidate.spread) >= threshold
      }
      if !isCovered { kept.append(candidate.box) }
    }
    return kept
  }
}

extension PreparedImage {
  /// A rotated rectangle of the model's input in pixels of the stored image.
  ///
  /// Where the image was stretched unevenly, the sides are not at right angles afterwards: the rectangle
  /// has their lengths, and the direction of the first.
  func sourceRect(_ rect: RotatedRect) -> RotatedRect {
    let corners = rect.corners.map { corner in
      let point = sourceRect(
        ImageRect(x: Double(corner.x), y: Double(corner.y), width: 0, height: 0))
      return (x: Float(point.x), y: Float(point.y))
    }
    return RotatedRect(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2])
      .withAcuteRotation
  }
}
