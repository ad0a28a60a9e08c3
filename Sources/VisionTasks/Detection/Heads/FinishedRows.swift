// SPDX-License-Identifier: Apache-2.0

/// How rows of finished detections become boxes: `[1, n, 6]` with a box, its score and its class.
///
/// YOLOv10, YOLO26 and other models that are trained without overlaps give such rows, as do exports
/// with a selection of their own. Rows of score 0 fill the rest.
public struct FinishedRows: Sendable, Hashable {
  /// The position of the box's four numbers in a row.
  public var boxField = 0
  /// The position of the score.
  public var scoreField = 4
  /// The position of the class.
  public var classField = 5
  /// What the four numbers of a box are.
  public var corners = BoxCorners.xyxy
  /// What the numbers count.
  public var unit = CoordinateUnit.automatic
  /// The position of the output.
  public var output = 0

  /// Left, top, right, bottom, score, class.
  public init() {}

  /// YOLOv7's rows of seven: image, left, top, right, bottom, class, score.
  public static let yoloV7: FinishedRows = {
    var rows = FinishedRows()
    rows.boxField = 1
    rows.classField = 5
    rows.scoreField = 6
    return rows
  }()
}

/// Reads `FinishedRows` out of a model's outputs.
package struct FinishedRowDecoder: DetectionHead {
  private let rows: FinishedRows
  private let fieldCount: Int

  /// A decoder of such rows.
  ///
  /// - Throws: `VisionError.invalidOption` where the rows make no sense.
  package init(_ rows: FinishedRows) throws(VisionError) {
    guard (0...60).contains(rows.boxField), (0...63).contains(rows.scoreField),
      (0...63).contains(rows.classField), rows.output >= 0
    else { throw .invalidOption("box, score and class are fields from 0 to 63") }
    let box = rows.boxField..<rows.boxField + 4
    guard rows.scoreField != rows.classField, !box.contains(rows.scoreField),
      !box.contains(rows.classField)
    else { throw .invalidOption("box, score and class need different fields") }
    self.rows = rows
    fieldCount = max(rows.boxField + 4, rows.scoreField + 1, rows.classField + 1)
  }

  package var overlapThreshold: Float? { nil }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    guard outputs.indices.contains(rows.output), let table = ValueTable(outputs[rows.output]),
      table.fieldCount >= fieldCount
    else {
      let shapes = outputs.map { "\($0.shape)" }.joined(separator: ", ")
      throw .incompatibleModel(
        "Finished detections need \(fieldCount) numbers each; the outputs are \(shapes).")
    }
    let divisors = rows.unit.divisors(
      input,
      (0..<table.rowCount).lazy.flatMap { table.fields($0, from: rows.boxField, count: 4) })
    var detections: [BoxDetection] = []
    for row in 0..<table.rowCount {
      let score = table[row, rows.scoreField]
      guard score > threshold, let index = Int(exactly: table[row, rows.classField].rounded()),
        index >= 0
      else { continue }
      detections.append(
        rows.corners.box(
          table.fields(row, from: rows.boxField, count: 4), divisors, score: score,
          classIndex: index, row: row))
    }
    return detections
  }
}
