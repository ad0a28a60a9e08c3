// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

/// A float product with its operands.
struct FloatProduct: CustomStringConvertible {
  let rows: Int
  let columns: Int
  let taps: Int
  let depth: Int
  var left: [Float]
  var weights: [Float]
  let bias: [Float]
  /// Factors of products that are scaled: one for each column.
  let scales: [Float]
  var lowest: Float = -60
  var highest: Float = 60
  private var random: SeededRandom

  init(rows: Int, columns: Int, taps: Int, depth: Int, seed: Int) {
    (self.rows, self.columns, self.taps, self.depth) = (rows, columns, taps, depth)
    var random = SeededRandom(seed: seed)
    left = random.wholeFloats(taps * rows * depth, in: -4...4)
    weights = random.wholeFloats(columns * taps * depth, in: -4...4)
    bias = random.wholeFloats(columns, in: -9...9)
    scales = random.floats(columns, in: 0.1...2)
    self.random = random
  }

  var description: String { "\(rows) × \(columns), \(taps) taps of \(depth)" }

  mutating func makeFractional() {
    left = random.floats(left.count, in: -1...1)
    weights = random.floats(weights.count, in: -1...1)
  }

  func expected() -> [Float] {
    elements { row, column in
      var sum = bias[column]
      for tap in 0..<taps {
        for k in 0..<depth { sum += activation(row, tap, k) * weight(column, tap, k) }
      }
      return sum
    }
  }

  /// The factor of all products that are scaled.
  private var common: Float { 0.3 }

  func expectedScaled() -> [Float] {
    elements { row, column in
      var sum: Float = 0
      for tap in 0..<taps {
        for k in 0..<depth {
          let product = activation(row, tap, k) * weight(column, tap, k)
          sum += product * scales[column] * common
        }
      }
      return sum + bias[column]
    }
  }

  private func elements(_ sum: (_ row: Int, _ column: Int) -> Float) -> [Float] {
    var result: [Float] = []
    for row in 0..<rows {
      for column in 0..<columns { result.append(min(max(sum(row, column), lowest), highest)) }
    }
    return result
  }

  private func activation(_ row: Int, _ tap: Int, _ k: Int) -> Float {
    left[(tap * rows + row) * depth + k]
  }

  private func weight(_ column: Int, _ tap: Int, _ k: Int) -> Float {
    weights[(column * taps + tap) * depth + k]
  }

  func result(_ set: MicrokernelSet, copies: Bool, rowsAtOnce: Int? = nil) -> [Float] {
    let scratch = AlignedMemory(
      zeroed: set.float.layout.scratchByteCount(depth: taps * depth))
    return unsafe run(set, rowsAtOnce: rowsAtOnce ?? rows) { block in
      if copies { unsafe block.scratch = scratch.address }
      unsafe set.float.gemm(block)
    }
  }

  func scaledResult(_ set: MicrokernelSet) -> [Float] {
    let padded = roundedUp(columns, to: set.float.layout.panelWidth)
    let factors = GuardedBuffer(scales + [Float](repeating: 0, count: padded - columns))
    return unsafe run(set, rowsAtOnce: rows) { block in
      unsafe set.float.gemm(
        block, FloatProductScaling(columns: UnsafePointer(factors.address), common: common))
    }
  }

  private func run(
    _ set: MicrokernelSet, rowsAtOnce: Int, _ multiply: (_ block: inout FloatGemmTask) -> Void
  ) -> [Float] {
    let left = GuardedBuffer(left)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let output = GuardedBuffer(repeating: -1 as Float, count: rows * columns)
    let packed = unsafe PackedFloatMatrix(
      FloatMatrixSource(
        weights: weights.address, columnStride: taps * depth, depthStride: 1,
        columnCount: columns, depth: taps * depth, bias: bias.address), set.float.layout)
    let starts = unsafe GuardedBuffer(
      (0..<taps * rows).map { unsafe UnsafePointer(left.address + $0 * depth) })
    for first in stride(from: 0, to: rows, by: rowsAtOnce) {
      var block = unsafe FloatGemmTask(
        rows: starts.address + first, rowPitch: rows, rowCount: min(rowsAtOnce, rows - first),
        tapCount: taps, depth: depth, weights: packed.panel(from: 0), columnCount: columns,
        output: output.address + first * columns, outputStride: columns, lowest: lowest,
        highest: highest)
      unsafe multiply(&block)
    }
    return output.elements
  }
}

/// Two lines of windows that overlap, by a filter.
struct FloatLines: CustomStringConvertible {
  let rows: Int
  let columns: Int
  let taps: Int
  let depth: Int
  private let left: [Float]
  private let weights: [Float]
  private let bias: [Float]

  private static var lineCount: Int { 2 }
  /// Floats from one window to the next, fewer than a tap has.
  private var step: Int { 2 }
  private var tapStride: Int { (rows - 1) * step + depth }
  private var lineStride: Int { taps * tapStride }

  init(rows: Int, columns: Int, taps: Int, depth: Int, seed: Int) {
    (self.rows, self.columns, self.taps, self.depth) = (rows, columns, taps, depth)
    var random = SeededRandom(seed: seed)
    left = random.wholeFloats(
      Self.lineCount * taps * ((rows - 1) * 2 + depth), in: -4...4)
    weights = random.wholeFloats(columns * taps * depth, in: -4...4)
    bias = random.wholeFloats(columns, in: -9...9)
  }

  var description: String { "lines of \(rows) × \(columns), \(taps) taps of \(depth)" }

  func expected() -> [Float] {
    var result: [Float] = []
    for line in 0..<Self.lineCount {
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = bias[column]
          for tap in 0..<taps {
            for k in 0..<depth {
              sum +=
                left[line * lineStride + row * step + tap * tapStride + k]
                * weights[(column * taps + tap) * depth + k]
            }
          }
          result.append(min(max(sum, -60), 60))
        }
      }
    }
    return result
  }

  func result(_ set: MicrokernelSet) -> [Float] {
    let left = GuardedBuffer(left)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let output = GuardedBuffer(repeating: -1 as Float, count: Self.lineCount * rows * columns)
    let packed = unsafe PackedFloatMatrix(
      FloatMatrixSource(
        weights: weights.address, columnStride: taps * depth, depthStride: 1,
        columnCount: columns, depth: taps * depth, bias: bias.address), set.float.layout)
    unsafe set.float.multiply(
      FloatLineTask(
        left: left.address, stride: step, rowCount: rows, lineStride: lineStride,
        lineCount: Self.lineCount, tapCount: taps, tapStride: tapStride, depth: depth,
        weights: packed.panel(from: 0), columnCount: columns, output: output.address,
        outputStride: columns, outputLineStride: rows * columns, lowest: -60, highest: 60))
    return output.elements
  }
}
