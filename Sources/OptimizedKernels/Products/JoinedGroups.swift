// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension Conv2DNest {
  /// Groups of channels.
  var groupCount: Int { inputDepth / max(groupDepth, 1) }

  /// How many neighboring groups are computed fastest as one, if vectors have `laneCount` columns: the
  /// most whose output channels one vector holds.
  ///
  /// Products with the channels of other groups are added, with weights of zero, in lanes that would
  /// be empty.
  func groupsOfVector(laneCount: Int) -> Int {
    let (groupCount, most) = (groupCount, laneCount / max(filtersPerGroup, 1))
    return (1...max(min(most, groupCount), 1)).last { groupCount.isMultiple(of: $0) } ?? 1
  }

  /// The convolution whose groups are `count` groups of this one each.
  ///
  /// It has the weights of `weights(_:joiningGroups:…)`, and the same output.
  func joiningGroups(_ count: Int) -> Conv2DNest {
    Conv2DNest(
      geometry: geometry, batchCount: batchCount, inputDepth: inputDepth,
      groupDepth: count * groupDepth, outputDepth: outputDepth)
  }

  /// Weights of the filter.
  var weightCount: Int {
    outputDepth * geometry.rows.window * geometry.columns.window * groupDepth
  }

  /// The weights of `joiningGroups(count)`, of `elementByteCount` bytes each, where `weights` are those
  /// of this convolution.
  ///
  /// `filler` are the bytes of a weight that contributes nothing.
  func weights(
    _ weights: ConstantWeights, joiningGroups count: Int, elementByteCount: Int, filler: UInt8
  ) -> ConstantWeights {
    guard count > 1 else { return weights }
    let filter = filter(
      weights.filter, joiningGroups: count, byteCount: groupDepth * elementByteCount,
      filler: filler)
    return weights.joiningGroups(count, filter: filter)
  }

  /// The filter of `joiningGroups(count)`, whose taps have `byteCount` bytes for a group.
  private func filter(
    _ filter: TensorBytes, joiningGroups count: Int, byteCount: Int, filler: UInt8
  ) -> TensorBytes {
    let tapCount = geometry.rows.window * geometry.columns.window
    let joined = TensorBytes(zeroed: outputDepth * tapCount * byteCount * count)
    precondition(filter.byteCount * count >= joined.byteCount)
    var target = unsafe joined.address
    if filler != 0 {
      unsafe target.initializeMemory(as: UInt8.self, repeating: filler, count: joined.byteCount)
    }
    var source = unsafe UnsafeRawPointer(filter.address)
    for channel in 0..<outputDepth {
      let offset = channel / filtersPerGroup % count * byteCount
      for _ in 0..<tapCount {
        unsafe (target + offset).copyMemory(from: source, byteCount: byteCount)
        unsafe source += byteCount
        unsafe target += byteCount * count
      }
    }
    return joined
  }
}
