// SPDX-License-Identifier: Apache-2.0

import Imaging

extension DetectedObject {
  /// How much the object matters in an image of a size; see
  /// `ObjectDetector.Options.detectsMultipleObjects`.
  package func prominence(inWidth width: Int, height: Int) -> Double {
    let (columns, rows) = (Double(width), Double(height))
    let x = frame.x + frame.width / 2 - columns / 2
    let y = frame.y + frame.height / 2 - rows / 2
    let distance = (x * x + y * y).squareRoot()
    let diagonal = (columns * columns + rows * rows).squareRoot()
    let share = frame.width * frame.height / (columns * rows)
    let certainty = Double(score) * Double(score) * Double(score)
    return certainty * (share * (1 - distance / diagonal)).squareRoot()
  }
}

extension [DetectedObject] {
  /// Only the first one of the greatest prominence; none of none.
  package func mostProminent(inWidth width: Int, height: Int) -> [DetectedObject] {
    var best: (object: DetectedObject, prominence: Double)?
    for object in self {
      let prominence = object.prominence(inWidth: width, height: height)
      if best.map({ prominence > $0.prominence }) ?? true { best = (object, prominence) }
    }
    return best.map { [$0.object] } ?? []
  }
}
