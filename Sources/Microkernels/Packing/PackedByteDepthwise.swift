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

  /// Weights of four channels less their zero point; zeroes from the `count`th on.
  @inline(__always)
  func weights(_ tap: Int, _ channel: Int, count: Int) -> SIMD4<Int32> {
    let first = unsafe weights + (tap &* channelCount &+ channel)
    var bytes = SIMD4<UInt8>.zero
    if count >= 4 {
      bytes = unsafe UnsafeRawPointer(first).loadUnaligned(as: SIMD4<UInt8>.self)
    } else {
      for index in 0..<count { bytes[index] = unsafe first[index] }
    }
    let values =
      unsafe isSigned
      ? SIMD4<Int32>(truncatingIfNeeded: SIMD4<Int8>(truncatingIfNeeded: bytes))
      : SIMD4<Int32>(truncatingIfNeeded: bytes)
    let beyond = SIMD4<Int32>(0, 1, 2, 3) .>= Int32(clamping: count)
    return unsafe (values &- zeroPoint).replacing(with: 0, where: beyond)
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
    let taps = (0..<quads * 4).map { position in
      unsafe order.tap(position % 4, ofQuad: position / 4, in: source.shape, planes: planes)
    }
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
      unsafe group.packWeights(source, taps, to: panel)
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

  /// Packs the weights, and adds them up where the biases belong, which are zero before:
  /// those of four taps at a time, as they are multiplied.
  func packWeights(
    _ source: ByteDepthwiseSource, _ taps: [ByteTapOrder.Tap?],
    to panel: UnsafeMutableRawPointer
  ) {
    for quad in 0..<taps.count / 4 {
      let target = unsafe panel + width * 4 * (1 + quad * (isWide ? 2 : 1))
      for first in stride(from: channels.lowerBound, to: channels.upperBound, by: 4) {
        // Four neighboring channels are neighbors in the tile as well.
        let position = position(of: first)
        var sums = unsafe (panel + position * 4).load(as: SIMD4<Int32>.self)
        let parts = unsafe (
          part(source, taps[quad * 4], first), part(source, taps[quad * 4 + 1], first),
          part(source, taps[quad * 4 + 2], first), part(source, taps[quad * 4 + 3], first)
        )
        sums &+= parts.0 &+ parts.1 &+ parts.2 &+ parts.3
        unsafe (panel + position * 4).storeBytes(of: sums, as: SIMD4<Int32>.self)
        unsafe store(parts, position: position, in: target)
      }
    }
  }

  /// What a tap's plane has of the weights of four channels from `first` on; zero where there is
  /// no tap or channel.
  @inline(__always)
  private func part(
    _ source: ByteDepthwiseSource, _ tap: ByteTapOrder.Tap?, _ first: Int
  ) -> SIMD4<Int32> {
    guard let tap else { return .zero }
    let weights = unsafe source.weights(tap.index, first, count: channels.upperBound - first)
    return isWide ? weights : Self.part(of: weights, tap.plane)
  }

  /// What a plane of bytes holds of weights: what the ones before it could not.
  @inline(__always)
  private static func part(of weights: SIMD4<Int32>, _ plane: Int) -> SIMD4<Int32> {
    let (lowest, highest) = (SIMD4<Int32>(repeating: -128), SIMD4<Int32>(repeating: 127))
    var rest = weights
    for _ in 0..<plane { rest &-= rest.clamped(lowerBound: lowest, upperBound: highest) }
    return rest.clamped(lowerBound: lowest, upperBound: highest)
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

  /// Writes the weights of a quad's four taps for the channels from `position` of the tile on.
  @inline(__always)
  private func store(
    _ parts: (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>), position: Int,
    in quad: UnsafeMutableRawPointer
  ) {
    guard isWide else {
      let low = parts.0 & 0xFF | (parts.1 & 0xFF) &<< 8
      let high = (parts.2 & 0xFF) &<< 16 | parts.3 &<< 24
      unsafe (quad + position * 4).storeBytes(of: low | high, as: SIMD4<Int32>.self)
      return
    }
    // Each vector of sums has two vectors of words: the even taps' and the odd taps'.
    let (vector, lane) = position.quotientAndRemainder(dividingBy: width / 4)
    let target = unsafe quad + vector * width * 2 + lane * 4
    unsafe target.storeBytes(
      of: parts.0 & 0xFFFF | parts.2 &<< 16, as: SIMD4<Int32>.self)
    unsafe (target + width).storeBytes(
      of: parts.1 & 0xFFFF | parts.3 &<< 16, as: SIMD4<Int32>.self)
  }
}

extension ByteTapOrder {
  /// A tap of the window, in one of the planes.
  fileprivate struct Tap {
    let index: Int
    let plane: Int
  }

  /// The tap that is one of a quad's four; nil where there are no more.
  fileprivate func tap(
    _ lane: Int, ofQuad quad: Int, in shape: DepthwiseShape, planes: Int
  ) -> Tap? {
    switch self {
    case .flat:
      let (plane, tap) = (quad * 4 + lane).quotientAndRemainder(dividingBy: shape.tapCount)
      return plane < planes ? Tap(index: tap, plane: plane) : nil
    case .columns:
      let (plane, row) = lane.quotientAndRemainder(dividingBy: shape.rowCount)
      return plane < planes ? Tap(index: row * shape.columnCount + quad, plane: plane) : nil
    }
  }
}
