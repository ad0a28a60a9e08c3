// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Testing

/// Packed weights against the definition of the layout, element by element.
@Suite struct MicrokernelPackingTests {
  @Test(
    arguments: MicrokernelSet.tested,
    [(1, 1), (4, 4), (5, 16), (32, 17), (33, 3), (39, 64), (70, 21)])
  func `float panels hold biases, then rows`(set: MicrokernelSet, size: (columns: Int, depth: Int))
  {
    let (columns, depth) = size
    let weights = GuardedBuffer((0..<columns * depth).map(Float.init))
    let bias = GuardedBuffer((0..<columns).map { -Float($0) - 1 })
    let layout = set.float.layout
    for byRows in [false, true] {
      let packed = unsafe PackedFloatMatrix(
        FloatMatrixSource(
          weights: weights.address, columnStride: byRows ? 1 : depth,
          depthStride: byRows ? columns : 1, columnCount: columns, depth: depth,
          bias: bias.address), layout)
      for column in 0..<columns {
        let first = column / layout.panelWidth * layout.panelWidth
        let isHalf = columns - first <= layout.panelWidth / 2
        let width = isHalf ? layout.panelWidth / 2 : layout.panelWidth
        let panel = unsafe packed.panel(from: first).assumingMemoryBound(to: Float.self)
        unsafe #expect(panel[column - first] == -Float(column) - 1)
        for row in 0..<depth {
          let weight = byRows ? row * columns + column : column * depth + row
          unsafe #expect(panel[(row + 1) * width + column - first] == Float(weight))
        }
      }
    }
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [(1, 1), (4, 16), (6, 15), (32, 64), (35, 130), (3, 1000)])
  func `sums of bytes and their bound`(set: MicrokernelSet, size: (columns: Int, depth: Int)) {
    let (columns, depth) = size
    var random = SeededRandom(seed: depth)
    let weights = (0..<columns * depth).map { _ in UInt8.random(in: 0...255, using: &random) }
    let biases = (0..<columns).map { _ in Int32.random(in: -90_000...90_000, using: &random) }
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
            return (isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) - zeroPoint
          }
          #expect(packed.columnSums[column] == values.reduce(0, +))
          let magnitude = values.reduce(Int64(biases[column].magnitude)) {
            $0 + 255 * Int64($1.magnitude)
          }
          #expect(packed.sumBound >= magnitude)
        }
      }
    }
  }

  /// A bound from the type alone would keep sums of small weights from the fast kernels.
  @Test(arguments: MicrokernelSet.tested)
  func `deep sums of small weights have a small bound`(set: MicrokernelSet) {
    let depth = 100_000
    let weights = GuardedBuffer([UInt8](repeating: 2, count: depth))
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address, isSigned: true, zeroPoint: 0, columnStride: depth,
        depthStride: 1, columnCount: 1, depth: depth, activationZeroPoint: 0), set.byte.layout)
    #expect(packed.sumBound == 2 * 255 * 100_000)
  }
}
