// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

/// A line of windows that overlap, by a filter of bytes.
///
/// The windows of the line are the rows of `product`.
struct ByteLines: CustomStringConvertible {
  let product: ByteProduct
  /// The line's activations, tap by tap.
  private let line: [UInt8]

  /// Activations from one window to the next: those of whole words.
  private static var step: Int { 4 }

  init(rows: Int, columns: Int, depth: Int, types: ByteTypes, seed: Int) {
    var product = ByteProduct(
      rows: rows, columns: columns, taps: 3, depth: depth, types: types, seed: seed)
    let length = (rows - 1) * Self.step + product.depth
    line = (0..<product.taps * length).map { UInt8(truncatingIfNeeded: $0 &* 113 &+ seed) }
    for tap in 0..<product.taps {
      for row in 0..<rows {
        for k in 0..<product.depth {
          product.left[(tap * rows + row) * product.depth + k] =
            line[tap * length + row * Self.step + k]
        }
      }
    }
    self.product = product
  }

  var description: String { "a line of \(product)" }

  func sums(_ set: MicrokernelSet) -> [Int32] { run(set, ByteScaling.none, filler: -1) }

  func quantized(_ set: MicrokernelSet, _ factors: [FixedPoint]) -> [UInt8] {
    run(set, product.scaling(factors, product.types.output, set), filler: 99)
  }

  private func run<Element: BitwiseCopyable>(
    _ set: MicrokernelSet, _ scaling: ByteScaling, filler: Element
  ) -> [Element] {
    let (layout, types) = (set.byte.layout, product.types)
    let wordCount = layout.wordCount(product.depth)
    let tapDepth = wordCount * layout.wordDepth
    let (weights, bias) = (GuardedBuffer(paddedWeights(tapDepth)), GuardedBuffer(product.bias))
    let output = GuardedBuffer(repeating: filler, count: product.rows * product.columns)
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address, isSigned: types.weights, zeroPoint: product.weightZeroPoint,
        columnStride: product.taps * tapDepth, depthStride: 1, columnCount: product.columns,
        depth: product.taps * tapDepth, bias: bias.address,
        activationZeroPoint: product.inputZeroPoint + (types.activations ? 128 : 0)),
      layout, compactCount: .max)
    // What lies behind a window's last activation is read, too.
    let tapLength = (product.rows - 1) * Self.step + tapDepth
    let left = copied(tapLength, layout)
    let scratch = AlignedMemory(zeroed: layout.lineScratchByteCount)
    let byteCount = 4 / layout.wordDepth
    let stride = product.columns * MemoryLayout<Element>.stride
    unsafe set.byte.multiply(
      ByteLineTask(
        left: left.address, stride: Self.step * byteCount, rowCount: product.rows,
        lineStride: 0, lineCount: 1, tapCount: product.taps, tapStride: tapLength * byteCount,
        wordCount: wordCount, weights: packed.panels(from: 0), columnCount: product.columns,
        finish: scaling.finish(), output: output.rawAddress, outputStride: stride,
        outputLineStride: 0, scratch: scratch.address))
    return output.elements
  }

  /// The weights with as many for each tap as whole words hold; those beyond the window count as
  /// zero.
  private func paddedWeights(_ tapDepth: Int) -> [UInt8] {
    let padding = [UInt8](
      repeating: UInt8(truncatingIfNeeded: product.weightZeroPoint),
      count: tapDepth - product.depth)
    return (0..<product.columns * product.taps).flatMap {
      product.weights[$0 * product.depth..<($0 + 1) * product.depth] + padding
    }
  }

  /// The line as the level reads it, as words on wide levels.
  private func copied(_ tapLength: Int, _ layout: ByteGemmLayout) -> AlignedMemory {
    let memory = AlignedMemory(zeroed: product.taps * tapLength * 4 / layout.wordDepth)
    let length = line.count / product.taps
    let flip = (product.types.activations ? 0x80 : 0) ^ layout.activationFlip
    for tap in 0..<product.taps {
      for index in 0..<length {
        let byte = line[tap * length + index] ^ flip
        let position = tap * tapLength + index
        if layout.isWide {
          unsafe memory.address.storeBytes(
            of: UInt16(byte), toByteOffset: position * 2, as: UInt16.self)
        } else {
          unsafe memory.address.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
        }
      }
    }
    return memory
  }
}
