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

  /// The least and the greatest weight less their zero point.
  func weightRange() -> ClosedRange<Int32> {
    var (least, greatest) = (UInt8.max, UInt8.min)
    // The order of signed bytes is that of unsigned ones with the top bit flipped.
    let flip: UInt8 = unsafe isSigned ? 0x80 : 0
    for index in unsafe 0..<shape.tapCount &* channelCount {
      let byte = unsafe weights[index] ^ flip
      least = min(least, byte)
      greatest = max(greatest, byte)
    }
    let offset = unsafe (isSigned ? 128 : 0) &+ zeroPoint
    let (low, high) = (Int32(least) &- offset, Int32(greatest) &- offset)
    return min(low, high)...max(low, high)
  }

  /// What no sum exceeds in magnitude.
  func sumBound() -> Int64 {
    let weights = unsafe weightRange()
    let largest = max(weights.lowerBound.magnitude, weights.upperBound.magnitude)
    // Activations are bytes: 255 bounds their distance from any zero point in their range.
    return unsafe Int64(greatestMagnitude(bias, count: channelCount)) &+ Int64(largest)
      &* Int64(shape.tapCount) &* 255
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

  /// `source`, packed into memory from `allocate`.
  @unsafe
  package init(
    _ source: ByteDepthwiseSource, _ kernels: ByteMicrokernels,
    allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    let planes = unsafe Self.planeCount(source, isWide: kernels.depthwiseTiles[0].isWide)
    let canShare =
      unsafe source.shape.columnCount == 3 && source.shape.rowCount * planes <= 4
      && source.shape.tapStep == 1 && source.shape.step <= 2
    let order: ByteTapOrder =
      unsafe canShare && kernels.depthwiseTiles[0].columnSums != nil ? .columns : .flat
    let quads = unsafe order == .columns ? 3 : (source.shape.tapCount * planes + 3) / 4
    let groups = unsafe Self.groups(source.channelCount, kernels)
    memory = allocate(groups.reduce(0) { $0 + $1.panelByteCount(quadCount: quads) })
    planeCount = planes
    self.order = order
    var positions: [Int?] = []
    var panel = unsafe memory.address
    for group in groups {
      let filled = positions.count
      positions += repeatElement(nil, count: group.width)
      for channel in group.channels {
        positions[filled + group.position(of: channel)] = channel
      }
      unsafe group.packWeights(source, order, planes: planes, to: panel)
      unsafe group.packBiases(source, to: panel)
      unsafe panel += group.panelByteCount(quadCount: quads)
    }
    self.positions = positions
    sumBound = unsafe source.sumBound()
  }

  /// The first panel; valid while this value lives.
  @unsafe
  package var panels: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.address) }

  private static func groups(_ channelCount: Int, _ kernels: ByteMicrokernels) -> [Group] {
    var groups: [Group] = []
    var channel = 0
    while channel < channelCount {
      let tile = kernels.depthwiseTile(remaining: channelCount - channel)
      let end = min(channel + tile.width, channelCount)
      groups.append(Group(width: tile.width, isWide: tile.isWide, channels: channel..<end))
      channel = end
    }
    return groups
  }

  /// Planes that the largest weight takes: the parts are at most 127, or -128.
  private static func planeCount(_ source: ByteDepthwiseSource, isWide: Bool) -> Int {
    guard !isWide else { return 1 }
    let weights = unsafe source.weightRange()
    let (lowest, highest) = (min(weights.lowerBound, 0), max(weights.upperBound, 0))
    return Int(max(1, (highest + 126) / 127, (127 - lowest) / 128))
  }
}

extension ByteDepthwiseKernels {
  /// Bytes of a tile's bias and weights.
  func panelByteCount(quadCount: Int) -> Int {
    depthwisePanelByteCount(width: width, isWide: isWide, quadCount: quadCount)
  }
}

/// Bytes of the biases of `width` channels and of their weights, for four taps at a time.
private func depthwisePanelByteCount(width: Int, isWide: Bool, quadCount: Int) -> Int {
  width * 4 * (1 + quadCount * (isWide ? 2 : 1))
}

/// The channels of one tile, as they are packed.
private struct Group {
  let width: Int
  let isWide: Bool
  let channels: Range<Int>

  func panelByteCount(quadCount: Int) -> Int {
    depthwisePanelByteCount(width: width, isWide: isWide, quadCount: quadCount)
  }

  func position(of channel: Int) -> Int {
    interleavedPosition(of: channel - channels.lowerBound, width: width)
  }

  /// Packs the weights, and adds them up where the biases belong, which are zero before.
  func packWeights(
    _ source: ByteDepthwiseSource, _ order: ByteTapOrder, planes: Int,
    to panel: UnsafeMutableRawPointer
  ) {
    let sums = unsafe panel.assumingMemoryBound(to: Int32.self)
    let (taps, columns) = unsafe (source.shape.tapCount, source.shape.columnCount)
    for tap in 0..<taps {
      for plane in 0..<planes {
        let packedTap =
          unsafe order == .flat
          ? plane * taps + tap
          : tap % columns * 4 + plane * source.shape.rowCount + tap / columns
        let quad = unsafe panel + width * 4 * (1 + packedTap / 4 * (isWide ? 2 : 1))
        // Four neighbouring channels are neighbours in the tile as well.
        for first in stride(from: channels.lowerBound, to: channels.upperBound, by: 4) {
          let position = position(of: first)
          for index in 0..<min(4, channels.upperBound - first) {
            let weight = unsafe source.weight(tap, first + index)
            let part = isWide ? weight : Self.part(of: weight, plane)
            unsafe sums[position + index] &+= part
            unsafe store(part, tap: packedTap % 4, position: position + index, in: quad)
          }
        }
      }
    }
  }

  /// What a plane of bytes holds of a weight: what the ones before it could not.
  @inline(__always)
  private static func part(of weight: Int32, _ plane: Int) -> Int32 {
    var rest = weight
    for _ in 0..<plane { rest &-= min(max(rest, -128), 127) }
    return min(max(rest, -128), 127)
  }

  /// Turns sums of weights into biases.
  func packBiases(_ source: ByteDepthwiseSource, to panel: UnsafeMutableRawPointer) {
    let biases = unsafe panel.assumingMemoryBound(to: Int32.self)
    for channel in channels {
      let position = position(of: channel)
      let sum = unsafe biases[position]
      let bias = unsafe source.bias?[channel] ?? 0
      unsafe biases[position] = bias &- source.activationZeroPoint &* sum
    }
  }

  /// Writes a weight of the channel at `position` of the tile, for one of a quad's four taps.
  @inline(__always)
  private func store(
    _ weight: Int32, tap: Int, position: Int, in quad: UnsafeMutableRawPointer
  ) {
    guard isWide else {
      unsafe quad.storeBytes(
        of: UInt8(truncatingIfNeeded: weight), toByteOffset: position * 4 + tap, as: UInt8.self)
      return
    }
    // Each vector of sums has two vectors of words: the even taps' and the odd taps'.
    let vector = position / (width / 4)
    let lane = position % (width / 4)
    let offset = vector * width * 2 + tap % 2 * width + lane * 4 + tap / 2 * 2
    unsafe quad.storeBytes(
      of: Int16(truncatingIfNeeded: weight), toByteOffset: offset, as: Int16.self)
  }
}
