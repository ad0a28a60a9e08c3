// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TransposedWindows {
  /// What `body` gives with the weights that `part` meets, as `convert` makes them: for each of
  /// `columnCount` output channels behind each other, of one pixel after the other.
  ///
  /// They lie in scratch memory, which the next part's weights and products use as well.
  @unsafe
  func withFilter<Weight: BitwiseCopyable, Value: BitwiseCopyable, Result>(
    of part: Part, _ weights: ConstantWeights, _ depth: Int, _ columnCount: Int,
    converting convert: (Weight) -> Value, _ body: (UnsafePointer<Value>) -> Result
  ) -> Result {
    let whole = unsafe weights.filterAddress(as: Weight.self)
    let count = part.pixelCount * columnCount * part.tapCount * depth
    return unsafe ScratchMemory.use(max(count, 1) * MemoryLayout<Value>.stride) { memory in
      let filter = unsafe memory.bindMemory(to: Value.self, capacity: count)
      var target = unsafe filter
      for taps in part.taps {
        for column in 0..<columnCount {
          for tap in taps {
            let first = unsafe whole + (column * tapCount + tap) * depth
            for index in 0..<depth { unsafe target[index] = convert(first[index]) }
            unsafe target += depth
          }
        }
      }
      return unsafe body(filter)
    }
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
