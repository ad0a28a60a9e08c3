// SPDX-License-Identifier: Apache-2.0

/// The shape of an output and its numbers, in row-major order.
package struct OutputValues: Sendable {
  /// The sides, the outermost first.
  package let shape: [Int]
  /// As many numbers as the shape says.
  package let values: [Float]

  /// An output of these values.
  package init(shape: [Int], values: [Float]) {
    self.shape = shape
    self.values = values
  }

  /// The sides without the ones that come first.
  var sides: [Int] { Array(shape.drop { $0 == 1 }) }
}

/// Numbers as a table: a row for each candidate, a column for each of its fields.
struct ValueTable {
  let rowCount: Int
  let fieldCount: Int
  private let values: [Float]
  private let rowStep: Int
  private let fieldStep: Int

  /// The table of an output `[1, rows, fields]`, or `[1, fields, rows]` where it is transposed.
  ///
  /// More sides in front are taken together as rows.
  ///
  /// - Returns: nil where the numbers are not as many as the shape says, or there are none.
  init?(_ output: OutputValues, isTransposed: Bool = false) {
    let count = output.values.count
    guard output.shape.count >= 2, count > 0, let last = output.shape.last, last > 0,
      count % last == 0
    else { return nil }
    values = output.values
    if isTransposed {
      (fieldCount, rowCount) = (count / last, last)
      (rowStep, fieldStep) = (1, last)
    } else {
      (rowCount, fieldCount) = (count / last, last)
      (rowStep, fieldStep) = (last, 1)
    }
  }

  /// The number of a field; `row` and `field` lie in the table.
  subscript(row: Int, field: Int) -> Float { values[row * rowStep + field * fieldStep] }

  /// The fields of a row from one position on.
  func fields(_ row: Int, from first: Int, count: Int) -> [Float] {
    (first..<first + count).map { self[row, $0] }
  }
}

/// Columns and rows of a model's input.
package struct InputSize: Sendable, Equatable {
  package let width: Int
  package let height: Int

  /// A size of 1 x 1 or more.
  package init(width: Int, height: Int) {
    self.width = max(width, 1)
    self.height = max(height, 1)
  }
}

/// Makes boxes of the outputs of a model that leaves more to do than
/// `TFLite_Detection_PostProcess`.
package protocol DetectionHead: Sendable {
  /// The greatest overlap of two boxes of one class that are both meant, unless options say another;
  /// nil where the model has selected the best boxes itself.
  var overlapThreshold: Float? { get }

  /// The boxes whose scores are above the threshold, each of its best class.
  ///
  /// - Throws: `VisionError.incompatibleModel` where the outputs are of other shapes.
  func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection]
}

/// The greatest of some scores and its position; nil of none, or only NaN.
func bestScore(_ scores: some Sequence<Float>) -> (score: Float, index: Int)? {
  var best: (score: Float, index: Int)?
  for (index, score) in scores.enumerated() where score > (best?.score ?? -.infinity) {
    best = (score, index)
  }
  return best
}
