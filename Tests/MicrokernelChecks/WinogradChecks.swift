// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Transforms of convolutions by minimal filtering.
  static let winograd = [
    Self("float tiles for minimal filtering", floatInputs),
    Self("float sums of minimal filtering", floatSums),
    Self("byte convolutions by minimal filtering", byteConvolutions),
  ]
}

/// Bᵀ, which transforms inputs, and Aᵀ, which transforms sums.
private func matrices(_ size: WinogradTileSize) -> (inputs: [[Double]], sums: [[Double]]) {
  switch size {
  case .two:
    return (
      [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]],
      [[1, 1, 1, 0], [0, 1, -1, -1]]
    )
  case .four:
    let points = [0.6875, -0.6875, 1.375, -1.375]
    let (a, b) = (0.6875 * 0.6875, 1.375 * 1.375)
    // The polynomial of all points without one's factor.
    let inner = points.map { point in
      let other = abs(point) < 1 ? b : a
      return [0, -point * other, -other, point, 1, 0]
    }
    return (
      [[a * b, 0, -a - b, 0, 1, 0]] + inner + [[0, a * b, 0, -a - b, 0, 1]],
      (0..<4).map { power in
        let powers = points.map { point in (0..<power).reduce(1.0) { value, _ in value * point } }
        return [power == 0 ? 1 : 0] + powers + [power == 3 ? 1 : 0]
      }
    )
  }
}

/// M x Mᵀ, line by line.
private func transformed(_ matrix: [[Double]], _ x: [[Double]]) -> [Double] {
  let lines = matrix.map { row in
    x[0].indices.map { column in row.indices.reduce(0) { $0 + row[$1] * x[$1][column] } }
  }
  return lines.flatMap { line in
    matrix.map { row in row.indices.reduce(0) { $0 + row[$1] * line[$1] } }
  }
}

private func floatInputs(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for size in WinogradTileSize.allCases {
    let count = size.inputCount
    for depth in Array(1...19) + [32, 33, 64] {
      var random = SeededRandom(seed: depth)
      let pixels = random.floats(count * count * depth, in: -1...1)
      let input = GuardedBuffer(pixels)
      let starts = unsafe GuardedBuffer(
        (0..<count * count).map { unsafe UnsafeRawPointer(input.address + $0 * depth) })
      let stride = roundedUp(depth * 4, to: AlignedMemory.alignment)
      let output = AlignedMemory(zeroed: size.matrixCount * stride)
      unsafe set.float.winograd.transform(
        WinogradInputTask(
          pixels: starts.address, depth: depth, output: output.address, matrixStride: stride),
        size)
      for channel in 0..<depth {
        let results = (0..<size.matrixCount).map { matrix in
          unsafe output.address.load(
            fromByteOffset: matrix * stride + channel * 4, as: Float.self)
        }
        let tile = (0..<count).map { row in
          (0..<count).map { Double(pixels[(row * count + $0) * depth + channel]) }
        }
        // No row of Bᵀ has magnitudes of more than 5 together, so results are at most 25.
        comparison.close(
          results, transformed(matrices(size).inputs, tile), within: 25 * 0x1p-21,
          "channel \(channel) of \(depth), \(count) × \(count)")
      }
    }
  }
}

private func floatSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for size in WinogradTileSize.allCases {
    let (inputs, outputs) = (size.inputCount, size.outputCount)
    for depth in Array(1...19) + [32, 33, 64] {
      var random = SeededRandom(seed: depth)
      let lanes = roundedUp(depth, to: AlignedMemory.alignment / 4)
      let sums = random.floats(size.matrixCount * lanes, in: -1...1)
      let biases = random.floats(lanes, in: -1...1)
      let (input, bias) = (GuardedBuffer(sums), GuardedBuffer(biases))
      for (rows, columns) in [(outputs, outputs), (outputs - 1, outputs), (1, outputs - 1)] {
        let output = GuardedBuffer(repeating: 99 as Float, count: rows * columns * depth)
        unsafe set.float.winograd.transform(
          WinogradOutputTask(
            input: input.rawAddress, matrixStride: lanes * 4, bias: bias.rawAddress, depth: depth,
            output: output.rawAddress, rowStride: columns * depth * 4, columnStride: depth * 4,
            rowCount: rows, columnCount: columns, lowest: -4, highest: 5), size)
        var expected = [Double](repeating: 0, count: output.count)
        for channel in 0..<depth {
          let tile = (0..<inputs).map { row in
            (0..<inputs).map { Double(sums[(row * inputs + $0) * lanes + channel]) }
          }
          let values = transformed(matrices(size).sums, tile)
          for row in 0..<rows {
            for column in 0..<columns {
              let value = values[row * outputs + column] + Double(biases[channel])
              expected[(row * columns + column) * depth + channel] = min(max(value, -4), 5)
            }
          }
        }
        // No row of Aᵀ has magnitudes of more than 7 together.
        comparison.close(
          output.elements, expected, within: 50 * 0x1p-21,
          "\(rows) × \(columns) of \(outputs) × \(outputs), depth \(depth)")
      }
    }
  }
}

private func byteConvolutions(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  guard set.byte.layout.isWide else {
    comparison.equal(true, true, "a level that multiplies bytes has no such kernels")
    return
  }
  let width = set.byte.layout.panelWidth
  for depth in [width, width + 1, width + 5, 2 * width, 70] {
    for columns in [1, width / 2, width / 2 + 1, width, 2 * width + 3] {
      for types in ByteTypes.all.prefix(3) {
        for tiles in [1, 7, ByteGemmLayout.mostTiles] {
          let problem = ByteWinograd(depth: depth, columns: columns, tiles: tiles, types: types)
          comparison.equal(problem.quantized(set), problem.expected(), "\(problem)")
        }
      }
    }
  }
}

extension ByteGemmLayout {
  /// The most neighboring tiles that become quantized values at a time.
  fileprivate static var mostTiles: Int { 16 }
}
