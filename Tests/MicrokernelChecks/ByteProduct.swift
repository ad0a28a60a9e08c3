// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

/// A product of 8-bit matrices with its operands.
struct ByteProduct: CustomStringConvertible {
  let rows: Int
  let columns: Int
  let taps: Int
  let depth: Int
  let types: ByteTypes
  let inputZeroPoint: Int32
  let weightZeroPoint: Int32
  var left: [UInt8]
  var weights: [UInt8]
  var bias: [Int32]

  init(rows: Int, columns: Int, taps: Int, depth: Int, types: ByteTypes, seed: Int) {
    (self.rows, self.columns, self.taps, self.depth) = (rows, columns, taps, depth)
    self.types = types
    var random = SeededRandom(seed: seed)
    (inputZeroPoint, weightZeroPoint) = types.zeroPoints(using: &random)
    left = random.bytes(taps * rows * depth)
    weights = random.bytes(columns * taps * depth)
    bias = random.integers(columns, in: -50_000...50_000)
  }

  /// Sums that are known: those of weights of zero are the biases.
  init(sums: [Int32], rows: Int) {
    (self.rows, columns, taps, depth) = (rows, sums.count, 1, 1)
    types = ByteTypes(activations: false, weights: true)
    (inputZeroPoint, weightZeroPoint) = (0, 0)
    left = [UInt8](repeating: 1, count: rows)
    weights = [UInt8](repeating: 0, count: sums.count)
    bias = sums
  }

  var description: String { "\(rows) × \(columns), \(taps) taps of \(depth), \(types)" }

  func expectedSums() -> [Int32] {
    var result: [Int32] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = bias[column]
        for tap in 0..<taps {
          for k in 0..<depth {
            let activation = left[(tap * rows + row) * depth + k]
            let weight = weights[(column * taps + tap) * depth + k]
            sum &+=
              (ByteTypes.value(activation, isSigned: types.activations) - inputZeroPoint)
              * (ByteTypes.value(weight, isSigned: types.weights) - weightZeroPoint)
          }
        }
        result.append(sum)
      }
    }
    return result
  }

  func expected(_ factors: [FixedPoint], _ output: ByteOutput) -> [UInt8] {
    expectedSums().enumerated().map { index, sum in
      factors[index % columns].quantized(sum, output)
    }
  }

  func scaling(
    _ factors: [FixedPoint], _ output: ByteOutput, _ set: MicrokernelSet
  ) -> ByteScaling {
    ByteScaling(
      factors, positions: set.byte.layout.positions(columnCount: columns),
      sumBound: Int64(taps * depth * 255 * 255 + 50_000), output: output)
  }

  /// Whether panels are compact in the forms of weights that a level has.
  static func forms(_ set: MicrokernelSet) -> [Bool] {
    set.byte.layout.isWide ? [false, true] : [false]
  }

  func sums(_ set: MicrokernelSet, isCompact: Bool) -> [Int32] {
    run(set, ByteScaling.none, filler: -1, isCompact: isCompact)
  }

  func quantized(
    _ set: MicrokernelSet, _ scaling: ByteScaling, isCompact: Bool
  ) -> [UInt8] {
    run(set, scaling, filler: 99, isCompact: isCompact)
  }

  private func run<Element: BitwiseCopyable>(
    _ set: MicrokernelSet, _ scaling: ByteScaling, filler: Element, isCompact: Bool
  ) -> [Element] {
    let layout = set.byte.layout
    let output = GuardedBuffer(repeating: filler, count: rows * columns)
    let left = GuardedBuffer(left)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address, isSigned: types.weights, zeroPoint: weightZeroPoint,
        columnStride: taps * depth, depthStride: 1, columnCount: columns, depth: taps * depth,
        bias: bias.address,
        activationZeroPoint: inputZeroPoint + (types.activations ? 128 : 0)),
      layout, compactCount: isCompact ? 0 : .max)
    let widened = AlignedMemory(
      zeroed: (columns + layout.panelWidth) / layout.panelWidth
        * layout.panelByteCount(depth: taps * depth))
    var panels = unsafe packed.panels(from: 0)
    if packed.form == .compact, rows > 1 {
      unsafe set.byte.widen(packed, 0..<columns, to: widened.address)
      unsafe panels = BytePanels(words: widened.address)
    }
    let starts = unsafe GuardedBuffer(
      (0..<taps * rows).map { unsafe UnsafeRawPointer(left.address + $0 * depth) })
    let scratch = GuardedBuffer(
      repeating: 0xAA as UInt8, count: layout.scratchByteCount(depth: taps * depth))
    unsafe set.byte.gemm(
      ByteGemmTask(
        rows: starts.address, rowPitch: rows, rowCount: rows, tapCount: taps, depth: depth,
        activationFlip: types.activations ? 0x80 : 0, weights: panels, columnCount: columns,
        finish: scaling.finish(), output: output.rawAddress,
        outputStride: columns * MemoryLayout<Element>.stride, scratch: scratch.rawAddress))
    return output.elements
  }
}
