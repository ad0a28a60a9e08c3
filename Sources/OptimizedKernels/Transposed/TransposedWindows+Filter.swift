// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TransposedWindows {
  /// The weights that `part` meets, for each of `columnCount` output channels behind each other,
  /// of one pixel after the other.
  @unsafe
  func filter<Weight: BitwiseCopyable>(
    of part: Part, _ weights: ConstantWeights, as type: Weight.Type, _ depth: Int,
    _ columnCount: Int
  ) -> [Weight] {
    let whole = unsafe weights.filterAddress(as: Weight.self)
    var filter: [Weight] = []
    filter.reserveCapacity(part.pixelCount * columnCount * part.tapCount * depth)
    for taps in part.taps {
      for column in 0..<columnCount {
        for tap in taps {
          let first = unsafe whole + (column * tapCount + tap) * depth
          unsafe filter.append(contentsOf: UnsafeBufferPointer(start: first, count: depth))
        }
      }
    }
    return filter
  }

  /// The bias of `columnCount` output channels, for each pixel of `part`; empty where there is
  /// none.
  @unsafe
  func bias<Element: BitwiseCopyable>(
    of part: Part, _ weights: ConstantWeights, as type: Element.Type, _ columnCount: Int
  ) -> [Element] {
    guard let first = unsafe weights.biasAddress(as: Element.self) else { return [] }
    let bias = unsafe UnsafeBufferPointer(start: first, count: columnCount)
    return unsafe Array(repeatElement(bias, count: part.pixelCount).joined())
  }
}
