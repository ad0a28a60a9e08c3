// SPDX-License-Identifier: Apache-2.0

internal import Tensors

extension NpyArray {
  /// Elements of the array in row-major order, as an array of one axis.
  ///
  /// - Precondition: the array has these elements.
  package func elements(_ range: Range<Int>) -> NpyArray? {
    let size = elementType.byteCount
    let part = Array(bytes[range.lowerBound * size..<range.upperBound * size])
    return try? NpyArray(elementType, Shape([range.count]), bytes: part)
  }

  /// How many of the values are real numbers and not NaN, the least and the largest of these, and
  /// their mean; nil where there are none, as among strings and complex numbers.
  ///
  /// The values are looked at part by part, which takes little memory.
  package var realRange: (count: Int, least: Double, most: Double, mean: Double)? {
    var (count, sum) = (0, 0.0)
    var (least, most) = (Double.infinity, -Double.infinity)
    let elementCount = shape.elementCount
    for start in stride(from: 0, to: elementCount, by: Self.partLength) {
      let numbers = elements(start..<min(start + Self.partLength, elementCount))?.realNumbers ?? []
      count += numbers.count
      for number in numbers {
        sum += number
        least = min(least, number)
        most = max(most, number)
      }
    }
    return count == 0 ? nil : (count, least, most, sum / Double(count))
  }

  private static let partLength = 1 << 16
}
