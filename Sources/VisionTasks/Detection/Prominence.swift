// SPDX-License-Identifier: Apache-2.0

import Tracking

extension DetectedObject {
  /// How much the object matters in an image of a size.
  package func prominence(inWidth width: Int, height: Int) -> Double {
    frame.prominence(score: score, inWidth: width, height: height)
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
