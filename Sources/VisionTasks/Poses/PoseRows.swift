// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ModelTasks

/// How rows of a box, scores and key points become people: the pose models of Ultralytics.
///
/// Behind box and scores come x, y and visibility of each key point, the latter after its sigmoid;
/// the notes tell how many there are (`kpt_shape`), and whether they lack visibility, whose place
/// the row's score takes then. Without them there are 17 with visibility.
/// Exports to TensorFlow Lite write fractions of the input's sides; older ones only for the boxes,
/// with key points in pixels of the input, or pixels for all. Ultralytics' `nn/modules/head.py`
/// (`Pose.kpts_decode`).
struct PoseRows: Equatable {
  private let rows: ExtendedRows
  private let shape: UltralyticsNotes.KeyPointShape

  /// What a model with outputs of these shapes gives; nil where that is something else.
  ///
  /// Without the notes of Ultralytics, candidates have one class: 56 numbers.
  ///
  /// - Throws: `VisionError` where the model's labels cannot be read.
  init?(_ shapes: [[Int]], input: InputSize, notes: ModelNotes) throws(VisionError) {
    let shape = notes.ultralytics?.keyPointShape ?? .person
    guard shapes.count == 1,
      let rows = try ExtendedRows(
        shapes[0], extraCount: shape.count * shape.fieldCount, usualClassCount: 1, input: input,
        notes: notes, task: "pose")
    else { return nil }
    self.rows = rows
    self.shape = shape
  }

  /// The people in an output, best first, as fractions of the input.
  ///
  /// Those with a location that is not finite are dropped.
  ///
  /// - Throws: `VisionError.incompatibleModel` for another shape.
  func poses(
    _ output: OutputValues, input: InputSize, _ options: PoseEstimator.Options
  ) throws(VisionError) -> [Pose] {
    let found = try rows.rows(
      output, input: input, least: options.minScore, overlap: options.overlapThreshold,
      limit: options.maxPoses, where: { locations($0).allSatisfy(\.isFinite) })
    let divisors = CoordinateUnit.automatic.divisors(
      input, found.first.map { locations($0.fields) } ?? [])
    return found.map { pose($0, divisors) }
  }

  /// x and y of each key point.
  private func locations(_ fields: [Float]) -> [Float] {
    fields.indices.filter { $0 % shape.fieldCount != 2 }.map { fields[$0] }
  }

  /// A person whose key points are divided into fractions, at most the input's size away from it.
  private func pose(
    _ row: ExtendedRows.Row, _ divisors: (width: Float, height: Float)
  ) -> Pose {
    let points = stride(from: 0, to: row.fields.count, by: shape.fieldCount).map { field in
      let visibility = shape.fieldCount == 3 ? row.fields[field + 2] : row.box.score
      return Pose.KeyPoint(
        x: min(max(row.fields[field] / divisors.width, -1), 2),
        y: min(max(row.fields[field + 1] / divisors.height, -1), 2),
        score: visibility.isNaN ? 0 : visibility)
    }
    let box = row.box
    return Pose(
      keyPoints: points, score: box.score,
      box: KeyPointDetection(
        left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top,
        score: box.score, classIndex: box.classIndex))
  }
}
