// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

/// A 3 × 3 convolution of quantized values that yields two lines of pixels.
struct ByteWinograd: CustomStringConvertible {
  private let depth: Int
  private let columns: Int
  private let tiles: Int
  private let types: ByteTypes
  private let inputZeroPoint: Int32
  private let weightZeroPoint: Int32
  private let pixels: [UInt8]
  private let weights: [UInt8]
  private let bias: [Int32]
  private let factors: [FixedPoint]

  /// Pixels of each line of the output.
  private var outputWidth: Int { 2 * tiles }
  /// Pixels of each of the four lines of the input.
  private var width: Int { outputWidth + 2 }

  init(depth: Int, columns: Int, tiles: Int, types: ByteTypes) {
    (self.depth, self.columns, self.tiles, self.types) = (depth, columns, tiles, types)
    var random = SeededRandom(seed: depth + columns)
    (inputZeroPoint, weightZeroPoint) = types.zeroPoints(using: &random)
    pixels = random.bytes(4 * (2 * tiles + 2) * depth)
    weights = random.bytes(columns * 9 * depth)
    bias = random.integers(columns, in: -50_000...50_000)
    factors = (0..<columns).map { _ in
      FixedPoint(exponents: -16 ... -6, rounding: .twice, using: &random)
    }
  }

  var description: String { "\(tiles) tiles, \(depth) to \(columns) channels, \(types)" }

  func expected() -> [UInt8] {
    var result: [UInt8] = []
    for line in 0..<2 {
      for pixel in 0..<outputWidth {
        for column in 0..<columns { result.append(value(line, pixel, column)) }
      }
    }
    return result
  }

  private func value(_ line: Int, _ pixel: Int, _ column: Int) -> UInt8 {
    var sum = bias[column]
    for tap in 0..<9 {
      let position = (line + tap / 3) * width + pixel + tap % 3
      for channel in 0..<depth {
        let activation = pixels[position * depth + channel]
        let weight = weights[(column * 9 + tap) * depth + channel]
        sum +=
          (ByteTypes.value(activation, isSigned: types.activations) - inputZeroPoint)
          * (ByteTypes.value(weight, isSigned: types.weights) - weightZeroPoint)
      }
    }
    return factors[column].quantized(sum, types.output)
  }

  func quantized(_ set: MicrokernelSet) -> [UInt8] {
    let layout = set.byte.layout
    let (weights, bias) = (GuardedBuffer(weights), GuardedBuffer(bias))
    let source = unsafe ByteMatrixSource(
      weights: weights.address, isSigned: types.weights, zeroPoint: weightZeroPoint,
      columnStride: 9 * depth, depthStride: 1, columnCount: columns, depth: 9 * depth,
      bias: bias.address, activationZeroPoint: unsignedZeroPoint)
    let filter = unsafe TransformedByteFilter(source, layout) { AlignedMemory(zeroed: $0) }
    let scaling = ByteScaling(
      factors, positions: layout.positions(columnCount: columns),
      sumBound: unsafe source.sumBound(), output: types.output)
    let stride = layout.rowStride(depth)
    let matrixStride = tiles * stride
    let inputs = transformedInputs(set, stride: stride, matrixStride: matrixStride)
    let sums = AlignedMemory(
      zeroed: TransformedByteFilter.matrixCount * tiles * layout.panelWidth * 4)
    let scratch = AlignedMemory(zeroed: 2 * layout.winogradLineByteCount)
    let output = GuardedBuffer(repeating: 99 as UInt8, count: 2 * outputWidth * columns)
    for column in Swift.stride(from: 0, to: columns, by: layout.panelWidth) {
      let product = unsafe ByteWinogradProductTask(
        left: inputs.address, leftStride: stride, leftMatrixStride: matrixStride,
        tileCount: tiles, depth: depth, column: column,
        columnCount: min(columns - column, layout.panelWidth), filter: filter,
        sums: sums.address, sumMatrixStride: tiles * layout.panelWidth * 4)
      unsafe set.byte.multiply(product)
      unsafe set.byte.finish(
        ByteWinogradOutputTask(
          product: product, firstTile: 0, tileCount: tiles, pixelCount: outputWidth,
          lineCount: 2, finish: scaling.finish(), output: output.rawAddress,
          lineStride: outputWidth * columns, columnCount: columns, scratch: scratch.address))
    }
    return output.elements
  }

  private var unsignedZeroPoint: Int32 { inputZeroPoint + (types.activations ? 128 : 0) }

  private func transformedInputs(
    _ set: MicrokernelSet, stride: Int, matrixStride: Int
  ) -> AlignedMemory {
    let pixels = GuardedBuffer(pixels)
    let memory = AlignedMemory(zeroed: TransformedByteFilter.matrixCount * matrixStride)
    for tile in 0..<tiles {
      let starts = unsafe GuardedBuffer(
        (0..<16).map { index in
          let pixel = index / 4 * width + tile * 2 + index % 4
          return unsafe UnsafeRawPointer(pixels.address + pixel * depth)
        })
      unsafe set.byte.transform(
        ByteWinogradInputTask(
          pixels: starts.address, depth: depth, flip: types.activations ? 0x80 : 0,
          zeroPoint: unsignedZeroPoint, output: memory.address + tile * stride,
          matrixStride: matrixStride))
    }
    return memory
  }
}
