// SPDX-License-Identifier: Apache-2.0

/// The weights of an 8-bit depthwise convolution, as a model has them.
@unsafe
package struct ByteDepthwiseSource {
  /// Weights of the shape `[rowCount, columnCount, channelCount]`.
  package var weights: UnsafePointer<UInt8>
  /// Whether weights are `Int8` rather than `UInt8`.
  package var isSigned: Bool
  /// The weights' zero point.
  package var zeroPoint: Int32
  /// A bias per channel, or nil for zeroes.
  package var bias: UnsafePointer<Int32>?
  /// The window.
  package var shape: DepthwiseShape
  /// Channels.
  package var channelCount: Int
  /// The zero point of the activations, made unsigned: 128 more than that of `Int8` ones.
  package var activationZeroPoint: Int32

  /// Weights of these parts.
  package init(
    weights: UnsafePointer<UInt8>, isSigned: Bool, zeroPoint: Int32,
    bias: UnsafePointer<Int32>? = nil, shape: DepthwiseShape, channelCount: Int,
    activationZeroPoint: Int32
  ) {
    unsafe self.weights = weights
    unsafe self.isSigned = isSigned
    unsafe self.zeroPoint = zeroPoint
    unsafe self.bias = bias
    unsafe self.shape = shape
    unsafe self.channelCount = channelCount
    unsafe self.activationZeroPoint = activationZeroPoint
  }

  /// A weight less its zero point.
  @inline(__always)
  func weight(_ tap: Int, _ channel: Int) -> Int32 {
    let byte = unsafe weights[tap &* channelCount &+ channel]
    return unsafe (isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) &- zeroPoint
  }
}

/// The weights of an 8-bit depthwise convolution, packed for one level.
///
/// Per tile of channels: the biases as 32-bit integers, then for every four taps the weights, in
/// the order that `ByteDepthwiseTile` gives channels. Levels that hold weights as bytes need more
/// than one *plane* where a weight less its zero point does not fit: the rows are then repeated,
/// and each plane holds the part of the weights that the ones before it could not.
package struct PackedByteDepthwise: Sendable {
  private let memory: AlignedMemory
  /// How often the window's rows are repeated.
  package let planeCount: Int
  /// The order of the taps.
  package let order: ByteTapOrder
  /// What no sum exceeds in magnitude.
  package let sumBound: Int64
  /// For each position of the packed order, its channel; nil for padding.
  package let positions: [Int?]

  /// `source`, packed.
  @unsafe
  package init(_ source: ByteDepthwiseSource, _ kernels: ByteMicrokernels) {
    let planes = unsafe Self.planeCount(source, isWide: kernels.depthwiseTiles[0].isWide)
    let canShare =
      unsafe source.shape.columnCount == 3 && source.shape.rowCount * planes <= 4
      && source.shape.tapStep == 1 && source.shape.step <= 2
    let order: ByteTapOrder =
      unsafe canShare && kernels.depthwiseTiles[0].columnSums != nil ? .columns : .flat
    let quads = unsafe order == .columns ? 3 : (source.shape.tapCount * planes + 3) / 4
    let groups = unsafe Self.groups(source.channelCount, kernels)
    let byteCount = groups.reduce(0) { $0 + $1.tile.panelByteCount(quadCount: quads) }
    memory = AlignedMemory(zeroed: byteCount)
    planeCount = planes
    self.order = order
    var positions: [Int?] = []
    var bound: Int64 = 0
    var panel = unsafe memory.address
    for group in groups {
      var part = [Int?](repeating: nil, count: group.tile.width)
      for channel in group.channels {
        let position = interleavedPosition(
          of: channel - group.channels.lowerBound, width: group.tile.width)
        part[position] = channel
        let sum = unsafe Self.packChannel(
          source, channel, group.tile, order, planes: planes, position: position, to: panel)
        bound = max(bound, sum)
      }
      positions += part
      unsafe panel += group.tile.panelByteCount(quadCount: quads)
    }
    self.positions = positions
    sumBound = bound
  }

  /// The first panel; valid while this value lives.
  @unsafe
  package var panels: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.address) }

  private struct Group {
    let tile: ByteDepthwiseKernels
    let channels: Range<Int>
  }

  private static func groups(_ channelCount: Int, _ kernels: ByteMicrokernels) -> [Group] {
    var groups: [Group] = []
    var channel = 0
    while channel < channelCount {
      let tile = kernels.depthwiseTile(remaining: channelCount - channel)
      let end = min(channel + tile.width, channelCount)
      groups.append(Group(tile: tile, channels: channel..<end))
      channel = end
    }
    return groups
  }

  /// Planes that the largest weight takes: the parts are at most 127, or -128.
  private static func planeCount(_ source: ByteDepthwiseSource, isWide: Bool) -> Int {
    guard !isWide else { return 1 }
    var lowest: Int32 = 0
    var highest: Int32 = 0
    for tap in unsafe 0..<source.shape.tapCount {
      for channel in unsafe 0..<source.channelCount {
        let weight = unsafe source.weight(tap, channel)
        lowest = min(lowest, weight)
        highest = max(highest, weight)
      }
    }
    return Int(max(1, (highest + 126) / 127, (127 - lowest) / 128))
  }

  /// Packs a channel's weights and bias; returns what its sums do not exceed in magnitude.
  private static func packChannel(
    _ source: ByteDepthwiseSource, _ channel: Int, _ tile: ByteDepthwiseKernels,
    _ order: ByteTapOrder, planes: Int, position: Int, to panel: UnsafeMutableRawPointer
  ) -> Int64 {
    let taps = unsafe source.shape.tapCount
    var sum: Int32 = 0
    var magnitude: Int64 = 0
    for tap in 0..<taps {
      let weight = unsafe source.weight(tap, channel)
      sum &+= weight
      magnitude += Int64(weight.magnitude)
      var rest = weight
      for plane in 0..<planes {
        let part = tile.isWide ? rest : min(max(rest, -128), 127)
        let packedTap =
          unsafe order == .flat
          ? plane * taps + tap
          : tap % source.shape.columnCount * 4 + plane * source.shape.rowCount + tap
            / source.shape.columnCount
        unsafe tile.store(part, tap: packedTap, position: position, in: panel)
        rest -= part
      }
    }
    let bias = unsafe source.bias?[channel] ?? 0
    let folded = unsafe bias &- source.activationZeroPoint &* sum
    unsafe panel.storeBytes(of: folded, toByteOffset: position * 4, as: Int32.self)
    // Activations are bytes: 255 bounds their distance from any zero point in their range.
    return Int64(bias.magnitude) + magnitude * 255
  }
}

extension ByteDepthwiseKernels {
  /// Bytes of the weights for four taps.
  var quadByteCount: Int { width * 4 * (isWide ? 2 : 1) }

  /// Bytes of a tile's bias and weights.
  func panelByteCount(quadCount: Int) -> Int { width * 4 + quadCount * quadByteCount }

  /// Writes the weight of a tap for the channel at `position` of the tile.
  fileprivate func store(
    _ weight: Int32, tap: Int, position: Int, in panel: UnsafeMutableRawPointer
  ) {
    let quad = unsafe panel + width * 4 + tap / 4 * quadByteCount
    guard isWide else {
      unsafe quad.storeBytes(
        of: UInt8(truncatingIfNeeded: weight), toByteOffset: position * 4 + tap % 4,
        as: UInt8.self)
      return
    }
    // Each vector of sums has two vectors of words: the even taps' and the odd taps'.
    let vector = position / (width / 4)
    let lane = position % (width / 4)
    let offset = vector * width * 2 + tap % 2 * width + lane * 4 + tap % 4 / 2 * 2
    unsafe quad.storeBytes(
      of: Int16(truncatingIfNeeded: weight), toByteOffset: offset, as: Int16.self)
  }
}
