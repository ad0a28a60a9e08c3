// SPDX-License-Identifier: Apache-2.0

package import Imaging

extension ImageRect {
  /// How much an object here, of which a detector is so sure, matters in an image of a size; see
  /// `ObjectDetector.Options.detectsMultipleObjects`.
  package func prominence(score: Float, inWidth imageWidth: Int, height imageHeight: Int) -> Double
  {
    let (columns, rows) = (Double(imageWidth), Double(imageHeight))
    let right = x + width / 2 - columns / 2
    let down = y + height / 2 - rows / 2
    let distance = (right * right + down * down).squareRoot()
    let diagonal = (columns * columns + rows * rows).squareRoot()
    let share = width * height / (columns * rows)
    let certainty = Double(score) * Double(score) * Double(score)
    return certainty * (share * (1 - distance / diagonal)).squareRoot()
  }
}
