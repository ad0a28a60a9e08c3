// SPDX-License-Identifier: Apache-2.0

/// The weights of a float depthwise convolution, packed for one level.
///
/// Per vector of channels: the biases, then tap after tap the weights; the last vector is filled
/// up with zeroes.
package struct PackedFloatDepthwise: Sendable {
  private let memory: AlignedMemory

  /// Weights of the shape `[tapCount, channelCount]`, and a bias per channel or nil for zeroes,
  /// packed into memory from `allocate`.
  @unsafe
  package init(
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?, tapCount: Int, channelCount: Int,
    _ layout: FloatGemmLayout,
    allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    let lanes = layout.laneCount
    let groupCount = roundedUp(channelCount, to: lanes) / lanes
    memory = allocate(groupCount * (tapCount + 1) * lanes * 4)
    let target = unsafe memory.address.assumingMemoryBound(to: Float.self)
    for channel in 0..<channelCount {
      let lane =
        unsafe target
        + (channel / lanes * (tapCount + 1) * lanes + channel % lanes)
      unsafe lane.pointee = bias?[channel] ?? 0
      for tap in 0..<tapCount {
        unsafe lane[(tap + 1) * lanes] = weights[tap * channelCount + channel]
      }
    }
  }

  /// The first panel; valid while this value lives.
  @unsafe
  package var panels: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.address) }
}
