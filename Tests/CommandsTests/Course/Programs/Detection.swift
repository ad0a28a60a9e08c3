// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CourseProgram {
  @Sendable static func boxDecoding(_ print: (String) -> Void) {
    // Row 68 of the tensors 168 and 174: encodings and anchor, each y, x, height, width.
    let encoding: [Float] = [1.9284654, -2.4105816, 3.3748145, 4.339047]
    let anchor: [Float] = [0.45833334, 0.7083333, 0.22, 0.22]

    let centerY = encoding[0] / 10 * anchor[2] + anchor[0]
    let centerX = encoding[1] / 10 * anchor[3] + anchor[1]
    let height = exp(encoding[2] / 5) * anchor[2]
    let width = exp(encoding[3] / 5) * anchor[3]
    let (left, top) = (centerX - width / 2, centerY - height / 2)

    func pixels(_ part: Float) -> Float { (part * 192 * 10).rounded() / 10 }
    print("at (\(pixels(left)), \(pixels(top))), \(pixels(width)) x \(pixels(height))")
  }

  @Sendable static func boxSuppression(_ print: (String) -> Void) {
    // Anchor, score, and left, top, right, bottom in pixels; best first.
    let boxes: [(Int, Float, [Float])] = [
      (68, 0.6367, [75.5, 54.7, 176.1, 137.6]),
      (79, 0.6367, [78.4, 54.2, 169.8, 145.6]),
      (78, 0.6094, [78.6, 52.2, 153.9, 143.6]),
      (80, 0.6094, [75.5, 56.4, 176.1, 139.4]),
      (67, 0.5820, [75.8, 50.5, 176.4, 141.8]),
      (91, 0.5820, [76.5, 51.9, 159.4, 143.3]),
      (98, 0.5820, [24.6, 86.6, 75.8, 148.7]),
      (66, 0.5547, [78.6, 47.9, 153.9, 148.5]),
      (86, 0.5547, [24.6, 88.9, 75.8, 151.1]),
    ]
    func area(_ box: [Float]) -> Float { max(0, box[2] - box[0]) * max(0, box[3] - box[1]) }
    func overlap(_ a: [Float], _ b: [Float]) -> Float {
      let common = area([max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])])
      return common / (area(a) + area(b) - common)
    }

    var kept: [(Int, Float, [Float])] = []
    for box in boxes {
      if let better = kept.first(where: { overlap($0.2, box.2) > 0.5 }) {
        let percent = Int((overlap(better.2, box.2) * 100).rounded())
        print("anchor \(box.0) overlaps \(better.0) by \(percent) %: dropped")
      } else {
        kept.append(box)
        print("anchor \(box.0), score \(box.1): kept")
      }
    }
  }
}
