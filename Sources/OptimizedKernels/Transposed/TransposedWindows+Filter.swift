// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TransposedWindows {
  /// The weights that `part` meets, for each of `columnCount` output channels behind each other.
  @unsafe
  func filter<Weight: BitwiseCopyable>(
    of part: Part, _ weights: ConstantWeights, as type: Weight.Type, _ depth: Int,
    _ columnCount: Int
  ) -> [Weight] {
    let whole = unsafe weights.filterAddress(as: Weight.self)
    var filter: [Weight] = []
    filter.reserveCapacity(columnCount * part.taps.count * depth)
    for column in 0..<columnCount {
      for tap in part.taps {
        let first = unsafe whole + (column * tapCount + tap) * depth
        unsafe filter.append(contentsOf: UnsafeBufferPointer(start: first, count: depth))
      }
    }
    return filter
  }
}
