// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ModelTasks

/// How rows of a box, scores and 17 key points become people: the pose models of Ultralytics.
///
/// A candidate of YOLOv8 and YOLO11, `[1, 4 + classes + 51, n]`, has the middle, width and height of
/// its box, a score for each class, and x, y and visibility of each key point, after their sigmoid;
/// candidates overlap. YOLO26, `[1, n, 57]`, gives finished people: left, top, right and bottom,
/// score, class, then the key points. Exports to TensorFlow Lite write fractions of the input's
/// sides; older ones only for the boxes, with key points in pixels of the input, or pixels for all.
///
/// Ultralytics' `nn/modules/head.py` (`Pose.kpts_decode`), `utils/nms.py` and, for the units,
/// `nn/autobackend.py`.
struct PoseRows: Equatable {
  /// x, y and visibility of the 17 key points.
  private static let pointFields = MoveNetDecoder.singlePoseLength
  /// The rows of finished people that exports have unless told otherwise.
  private static let finishedCount = 300

  /// The number of classes of candidates; nil for finished people.
  private let classCount: Int?

  /// What a model with outputs of these shapes gives; nil where that is something else.
  ///
  /// The notes of Ultralytics tell the task. Without them, candidates of one class are told by
  /// 56 fields and as many candidates as grids of 8, 16, 32 and perhaps 64 pixels have cells.
  ///
  /// - Throws: `VisionError` where the model's labels cannot be read.
  init?(_ shapes: [[Int]], input: InputSize, notes: ModelNotes) throws(VisionError) {
    guard shapes.count == 1, shapes[0].count == 3, shapes[0][0] == 1 else { return nil }
    let task = notes.ultralytics?.task
    guard task ?? "pose" == "pose" else { return nil }
    let (first, second) = (shapes[0][1], shapes[0][2])
    if second == 6 + Self.pointFields, task != nil || first == Self.finishedCount {
      classCount = nil
      return
    }
    let classes = try CategoryNames.labelCount(notes) ?? 1
    guard first == 4 + classes + Self.pointFields, second > 0 else { return nil }
    let counts = [[8, 16, 32], [8, 16, 32, 64]].map { AutomaticHead.cellCount(input, $0) }
    guard task != nil || counts.contains(second) else { return nil }
    classCount = classes
  }

  /// The people in an output, best first, as fractions of the input.
  ///
  /// Candidates with a location that is not finite, or whose box lies outside of the input, are
  /// dropped.
  ///
  /// - Throws: `VisionError.incompatibleModel` for another shape.
  func poses(
    _ output: OutputValues, input: InputSize, _ options: PoseEstimator.Options
  ) throws(VisionError) -> [Pose] {
    let firstPoint = classCount.map { 4 + $0 } ?? 6
    guard let table = ValueTable(output, isTransposed: classCount != nil),
      table.fieldCount == firstPoint + Self.pointFields
    else {
      throw .incompatibleModel(
        "17 key points need \(firstPoint + Self.pointFields) numbers for each person; the output is \(output.shape)."
      )
    }
    var suppression = NonMaxSuppression(
      .plain, threshold: options.overlapThreshold, limit: options.maxPoses)
    suppression.isPerClass = true
    let found = detections(table, input, least: options.minScore, firstPoint: firstPoint)
    // Nothing stands in the way of finished people.
    let kept =
      classCount == nil
      ? found.filter(\.isFinite).sortedByScore() : suppression.applied(to: found)
    let locations = (kept.first?.keyPoints ?? []).flatMap { [$0.x, $0.y] }
    let divisors = CoordinateUnit.automatic.divisors(input, locations)
    return kept.map { Self.pose($0, divisors) }
  }

  /// Candidates whose scores are high enough, with key points as the model writes them.
  private func detections(
    _ table: ValueTable, _ input: InputSize, least: Float, firstPoint: Int
  ) -> [KeyPointDetection] {
    let corners: BoxCorners = classCount == nil ? .xyxy : .centered
    let divisors = CoordinateUnit.automatic.divisors(
      input,
      (0..<table.rowCount).lazy.flatMap {
        table.fields($0, from: 0, count: corners == .xyxy ? 4 : 2)
      })
    return (0..<table.rowCount).compactMap { row in
      let scores = table.fields(row, from: 4, count: classCount ?? 1)
      guard let best = bestScore(scores), best.score >= least else { return nil }
      let box = corners.box(
        table.fields(row, from: 0, count: 4), divisors, score: best.score, classIndex: best.index)
      guard let near = box.limited else { return nil }
      let points = stride(from: firstPoint, to: table.fieldCount, by: 3).map { field in
        let visibility = table[row, field + 2]
        return Landmark(
          x: table[row, field], y: table[row, field + 1],
          visibility: visibility.isNaN ? 0 : visibility)
      }
      return KeyPointDetection(
        left: near.left, top: near.top, width: near.right - near.left,
        height: near.bottom - near.top, score: near.score, classIndex: near.classIndex,
        keyPoints: points)
    }
  }

  /// A person whose key points are divided into fractions, at most the input's size away from it.
  private static func pose(
    _ detection: KeyPointDetection, _ divisors: (width: Float, height: Float)
  ) -> Pose {
    let points = detection.keyPoints.map { point in
      Pose.KeyPoint(
        x: min(max(point.x / divisors.width, -1), 2),
        y: min(max(point.y / divisors.height, -1), 2), score: point.visibility ?? 0)
    }
    var box = detection
    box.keyPoints = []
    return Pose(keyPoints: points, score: detection.score, box: box)
  }
}
