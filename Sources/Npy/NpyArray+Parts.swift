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

  /// Gives `body` the values as real numbers, without NaN, part by part, so that they take little
  /// memory; none of strings and complex numbers.
  package func forEachPartOfRealNumbers(_ body: ([Double]) -> Void) {
    let count = shape.elementCount
    for start in stride(from: 0, to: count, by: Self.partLength) {
      if let part = elements(start..<min(start + Self.partLength, count)) { body(part.realNumbers) }
    }
  }

  private static let partLength = 1 << 16
}
