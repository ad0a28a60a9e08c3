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
/// Per tile of channels: the biases as 32-bit integers, then for every group of taps the weights,
/// in the order that the tile gives channels. Levels that hold weights as bytes need more
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
    let order = unsafe Self.order(source, kernels.depthwiseTiles[0], planes: planes)
    let groupTaps = kernels.depthwiseTiles[0].groupTaps
    let groupCount = unsafe order.groupCount(
      rows: source.shape.rowCount * planes, columns: source.shape.columnCount,
      groupTaps: groupTaps)
    let panels = unsafe Self.panels(source.channelCount, kernels)
    let taps = (0..<groupCount * groupTaps).map { position in
      let (group, lane) = position.quotientAndRemainder(dividingBy: groupTaps)
      return groupTaps == 4
        ? unsafe order.tap(lane, ofQuad: group, in: source.shape, planes: planes)
        : unsafe order.tap(lane, ofPair: group, in: source.shape)
    }
    memory = allocate(panels.reduce(0) { $0 + $1.tile.panelByteCount(groupCount: groupCount) })
    planeCount = planes
    self.order = order
    var positions: [Int?] = []
    var panel = unsafe memory.address
    for part in panels {
      let filled = positions.count
      positions += repeatElement(nil, count: part.tile.width)
      for channel in part.channels {
        positions[filled + part.position(of: channel)] = channel
      }
      unsafe part.packWeights(source, taps, to: panel)
      unsafe part.packBiases(source, to: panel)
      unsafe panel += part.tile.panelByteCount(groupCount: groupCount)
    }
    self.positions = positions
    sumBound = unsafe source.sumBound()
  }

  /// The first panel; valid while this value lives.
  @unsafe
  package var panels: UnsafeRawPointer { unsafe UnsafeRawPointer(memory.address) }

  private static func order(
    _ source: ByteDepthwiseSource, _ tile: ByteDepthwiseKernels, planes: Int
  ) -> ByteTapOrder {
    let shape = unsafe source.shape
    guard shape.tapStep == 1, shape.step <= 2 else { return .flat }
    if tile.isWide {
      let isSquare = shape.rowCount == shape.columnCount && [3, 5].contains(shape.rowCount)
      return unsafe isSquare && source.channelCount >= tile.width ? .columns : .flat
    }
    let rows = shape.rowCount * planes
    if tile.layout.interleavesLines {
      let limits = ByteTapOrder.lineWindows
      return limits.contains(rows) && limits.contains(shape.columnCount) ? .columns : .flat
    }
    return shape.columnCount == 3 && rows <= 4 ? .columns : .flat
  }

  private static func panels(_ channelCount: Int, _ kernels: ByteMicrokernels) -> [Panel] {
    var panels: [Panel] = []
    var channel = 0
    while channel < channelCount {
      let tile = kernels.depthwiseTile(remaining: channelCount - channel)
      let first = tile.firstChannel(from: channel, of: channelCount)
      let end = min(channel + tile.width, channelCount)
      panels.append(Panel(tile: tile, channels: first..<end))
      channel = end
    }
    return panels
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
  /// Bytes of a tile's bias and weights: four per channel and group of taps.
  func panelByteCount(groupCount: Int) -> Int { width * 4 * (1 + groupCount) }
}

/// The channels of one tile, as they are packed.
private struct Panel {
  let tile: ByteDepthwiseKernels
  let channels: Range<Int>

  func position(of channel: Int) -> Int { tile.position(of: channel - channels.lowerBound) }

  /// Packs the weights, and adds them up where the biases belong, which are zero before: those of
  /// a group of taps at a time, as they are multiplied.
  func packWeights(
    _ source: ByteDepthwiseSource, _ taps: [ByteTapOrder.Tap?],
    to panel: UnsafeMutableRawPointer
  ) {
    let groupTaps = tile.groupTaps
    for group in 0..<taps.count / groupTaps {
      let target = unsafe panel + tile.panelByteCount(groupCount: group)
      for first in stride(from: channels.lowerBound, to: channels.upperBound, by: 4) {
        // Four neighboring channels are neighbors in the tile as well.
        let position = position(of: first) * 4
        var sums = unsafe (panel + position).load(as: SIMD4<Int32>.self)
        let parts = InlineArray<4, SIMD4<Int32>> { lane in
          guard lane < groupTaps else { return .zero }
          return unsafe part(source, taps[group * groupTaps + lane], first)
        }
        for lane in 0..<4 { sums &+= parts[lane] }
        unsafe (panel + position).storeBytes(of: sums, as: SIMD4<Int32>.self)
        unsafe (target + position).storeBytes(of: packed(parts), as: SIMD4<UInt32>.self)
      }
    }
  }

  /// The weights of a group of taps, which fill the 32 bits of each of four channels.
  @inline(__always)
  private func packed(_ parts: InlineArray<4, SIMD4<Int32>>) -> SIMD4<UInt32> {
    guard tile.groupTaps == 4 else { return tile.layout.pairOrder.pairs(parts[0], parts[1]) }
    var packed = SIMD4<Int32>.zero
    for lane in 0..<4 { packed |= (parts[lane] & 0xFF) &<< SIMD4(repeating: Int32(lane) * 8) }
    return SIMD4<UInt32>(truncatingIfNeeded: packed)
  }

  /// What a tap's plane has of the weights of four channels from `first` on; zero where there is
  /// no tap or channel.
  @inline(__always)
  private func part(
    _ source: ByteDepthwiseSource, _ tap: ByteTapOrder.Tap?, _ first: Int
  ) -> SIMD4<Int32> {
    guard let tap else { return .zero }
    let weights = unsafe source.weights(tap.index, first, count: channels.upperBound - first)
    return tile.isWide ? weights : Self.part(of: weights, tap.plane)
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
    let offset: Int32 = tile.layout.signsActivations ? 128 : 0
    for channel in channels {
      let position = position(of: channel)
      let sum = unsafe biases[position]
      let bias = unsafe source.bias?[channel] ?? 0
      unsafe biases[position] = bias &- (source.activationZeroPoint &- offset) &* sum
    }
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
      let (rows, columns) = (shape.rowCount * planes, shape.columnCount)
      let groups = ByteTapGroups(rows: rows, columns: columns)
      let isLast = quad >= groups.ofColumns
      let index = isLast ? quad - groups.ofColumns : quad / groups.perColumn
      let column = isLast ? groups.firstColumn(ofLast: index) + lane : index
      let row = isLast ? rows - 1 : quad % groups.perColumn * 4 + lane
      // The last of the last row's groups begins with columns that are in the one before.
      guard row < rows, !isLast || column >= index * 4 else { return nil }
      let (plane, ownRow) = row.quotientAndRemainder(dividingBy: shape.rowCount)
      return Tap(index: ownRow * columns + column, plane: plane)
    }
  }

  /// The tap that is one of a pair's two; nil where there are no more.
  fileprivate func tap(_ lane: Int, ofPair pair: Int, in shape: DepthwiseShape) -> Tap? {
    let index = pair * 2 + lane
    guard self == .columns else {
      return index < shape.tapCount ? Tap(index: index, plane: 0) : nil
    }
    let (rows, columns) = (shape.rowCount, shape.columnCount)
    if pair < rows / 2 * columns {
      let (column, above) = pair.quotientAndRemainder(dividingBy: rows / 2)
      return Tap(index: (above * 2 + lane) * columns + column, plane: 0)
    }
    // The last row's first pair begins before the window.
    let column = index - rows / 2 * columns * 2 - 1
    return column < 0 ? nil : Tap(index: (rows - 1) * columns + column, plane: 0)
  }
}
