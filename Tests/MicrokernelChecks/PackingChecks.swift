// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Packed weights against the definition of the layout, element by element.
  static let packing = [
    Self("float panels hold biases, then rows", floatPanels),
    Self("sums of bytes and their bound", byteSums),
    Self("deep sums of small weights have a small bound", deepSums),
    Self("matrices that are stacked are packed like one", stackedMatrices),
  ]
}

private func floatPanels(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let layout = set.float.layout
  for (columns, depth) in [(1, 1), (4, 4), (5, 16), (32, 17), (33, 3), (39, 64), (70, 21)] {
    let weights = GuardedBuffer((0..<columns * depth).map { Float($0) })
    let bias = GuardedBuffer((0..<columns).map { -Float($0) - 1 })
    for byRows in [false, true] {
      let packed = unsafe PackedFloatMatrix(
        FloatMatrixSource(
          weights: weights.address, columnStride: byRows ? 1 : depth,
          depthStride: byRows ? columns : 1, columnCount: columns, depth: depth,
          bias: bias.address), layout)
      for column in 0..<columns {
        let first = column / layout.panelWidth * layout.panelWidth
        let vectors = (columns - first + layout.laneCount - 1) / layout.laneCount
        let width = min(vectors * layout.laneCount, layout.panelWidth)
        let panel = unsafe packed.panel(from: first).assumingMemoryBound(to: Float.self)
        let elements = (0...depth).map { unsafe panel[$0 * width + column - first] }
        let expected = (0..<depth).map { row in
          Float(byRows ? row * columns + column : column * depth + row)
        }
        comparison.equal(
          elements, [-Float(column) - 1] + expected, "column \(column), by rows \(byRows)")
      }
    }
  }
}

private func byteSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for (columns, depth) in [(1, 1), (4, 16), (6, 15), (32, 64), (35, 130), (3, 1000)] {
    var random = SeededRandom(seed: depth)
    let weights = random.bytes(columns * depth)
    let biases = random.integers(columns, in: -90_000...90_000)
    let (source, bias) = (GuardedBuffer(weights), GuardedBuffer(biases))
    for isSigned in [false, true] {
      for (zeroPoint, byRows) in [(Int32(0), false), (0, true), (3, false), (-100_000, false)] {
        let packed = unsafe PackedByteMatrix(
          ByteMatrixSource(
            weights: source.address, isSigned: isSigned, zeroPoint: zeroPoint,
            columnStride: byRows ? 1 : depth, depthStride: byRows ? columns : 1,
            columnCount: columns, depth: depth, bias: bias.address, activationZeroPoint: 7),
          set.byte.layout)
        for column in 0..<columns {
          let values = (0..<depth).map { row in
            let byte = weights[byRows ? row * columns + column : column * depth + row]
            return ByteTypes.value(byte, isSigned: isSigned) - zeroPoint
          }
          comparison.equal(packed.columnSums[column], values.reduce(0, +), "column \(column)")
          let magnitude = values.reduce(Int64(biases[column].magnitude)) {
            $0 + 255 * Int64($1.magnitude)
          }
          comparison.equal(packed.sumBound >= magnitude, true, "the bound of column \(column)")
        }
      }
    }
  }
}

/// A bound from the type alone would keep sums of small weights from the fast kernels.
private func deepSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let depth = 100_000
  let weights = GuardedBuffer(repeating: 2 as UInt8, count: depth)
  let packed = unsafe PackedByteMatrix(
    ByteMatrixSource(
      weights: weights.address, isSigned: true, zeroPoint: 0, columnStride: depth,
      depthStride: 1, columnCount: 1, depth: depth, activationZeroPoint: 0), set.byte.layout)
  comparison.equal(packed.sumBound, 2 * 255 * 100_000, "the bound")
}

/// Three matrices, each with rows of zeros behind it, against one that has all of these rows.
private func stackedMatrices(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let stride = 64
  for (columns, depth) in [(1, 1), (20, 15), (33, 64), (64, 40)] {
    var random = SeededRandom(seed: columns)
    let weights = (0..<3).map { _ in random.bytes(columns * depth) }
    let biases = (0..<3).map { _ in random.integers(columns, in: -90_000...90_000) }
    let zeros = (
      weights: [UInt8](repeating: 0, count: (stride - columns) * depth), bias: stride - columns
    )
    let whole = GuardedBuffer(weights.flatMap { $0 + zeros.weights })
    let wholeBias = GuardedBuffer(biases.flatMap { $0 + [Int32](repeating: 0, count: zeros.bias) })
    let (parts, partBiases) = (weights.map { GuardedBuffer($0) }, biases.map { GuardedBuffer($0) })
    for compactCount in [Int.max, 1] {
      func source(_ weights: GuardedBuffer<UInt8>, _ bias: GuardedBuffer<Int32>, _ count: Int)
        -> ByteMatrixSource
      {
        unsafe ByteMatrixSource(
          weights: weights.address, isSigned: true, zeroPoint: 0, columnStride: depth,
          depthStride: 1, columnCount: count, depth: depth, bias: bias.address,
          activationZeroPoint: 131)
      }
      let one = unsafe PackedByteMatrix(
        source(whole, wholeBias, 3 * stride), set.byte.layout, compactCount: compactCount)
      let stacked = unsafe PackedByteMatrix(
        stacking: (0..<3).map { unsafe source(parts[$0], partBiases[$0], columns) },
        stride: stride, set.byte.layout, compactCount: compactCount)
      let byteCount = set.byte.layout.panelOffset(of: 3 * stride, depth: depth, one.form)
      func bytes(_ matrix: PackedByteMatrix) -> [UInt8] {
        let first = unsafe matrix.panels(from: 0).first
        return unsafe [UInt8](UnsafeRawBufferPointer(start: first, count: byteCount))
      }
      comparison.equal(bytes(stacked), bytes(one), "\(columns) columns of \(depth)")
      comparison.equal(stacked.columnSums, one.columnSums, "sums of \(columns) columns")
      comparison.equal(stacked.sumBound, one.sumBound, "the bound of \(columns) columns")
    }
  }
}
