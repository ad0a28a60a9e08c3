// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Conversions between floats and quantized values.
  static let conversions = [
    Self("floats to bytes", quantizedFloats),
    Self("bytes to floats", dequantizedBytes),
    Self("ranges of floats", rangesOfFloats),
    Self("floats to bytes by their range", hybridValues),
    Self("sums of hybrid products to floats", hybridSums),
  ]
}

/// Floats of every size, with ties, NaN and infinities among them.
private func operands(_ count: Int, _ random: inout SeededRandom) -> [Float] {
  let special: [Float] = [
    .nan, .infinity, -.infinity, 0.49999997, -0.49999997, 0.5, -0.5, 1.5, 2.5, -2.5, 0, -0.0, 1e30,
    -1e30, 2_147_483_648, -2_147_483_648, 2_147_483_520, 1.5e9, -1.5e9, 127.5, -128.5,
  ]
  let floats = random.floats(count, in: -200...200)
  return (0..<count).map { $0 % 3 == 1 ? special[$0 / 3 % special.count] : floats[$0] }
}

private func quantizedFloats(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in Array(0...40) + [1000] {
    var random = SeededRandom(seed: count)
    let values = operands(count, &random)
    for (scale, zeroPoint, isSigned) in [
      (1 as Float, 0 as Int32, true), (1, 0, false), (0.37, -17, true), (0.5, 128, false),
    ] {
      let (input, output) = (
        GuardedBuffer(values), GuardedBuffer(repeating: 99 as UInt8, count: count)
      )
      unsafe set.byte.quantize(
        ByteConversion(
          input: input.rawAddress, output: output.rawAddress, count: count, scale: scale,
          zeroPoint: zeroPoint, isSigned: isSigned))
      let (lowest, highest): (Int32, Int32) = isSigned ? (-128, 127) : (0, 255)
      let expected = values.map { value in
        let rounded = (value / scale).rounded(.toNearestOrAwayFromZero)
        let steps = (Int32(exactly: rounded) ?? .min) &+ zeroPoint
        return UInt8(truncatingIfNeeded: min(max(steps, lowest), highest))
      }
      comparison.equal(output.elements, expected, "\(count) floats, scale \(scale)")
    }
  }
}

private func dequantizedBytes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in Array(0...40) + [256, 1000] {
    var random = SeededRandom(seed: count)
    let bytes = count == 256 ? (0...255).map { UInt8($0) } : random.bytes(count)
    for (scale, zeroPoint, isSigned) in [(0.37 as Float, -17 as Int32, true), (0.1, 200, false)] {
      let (input, output) = (
        GuardedBuffer(bytes), GuardedBuffer(repeating: 99 as Float, count: count)
      )
      unsafe set.byte.dequantize(
        ByteConversion(
          input: input.rawAddress, output: output.rawAddress, count: count, scale: scale,
          zeroPoint: zeroPoint, isSigned: isSigned))
      let expected = bytes.map {
        scale * Float(ByteTypes.value($0, isSigned: isSigned) - zeroPoint)
      }
      comparison.equal(output.elements, expected, "\(count) bytes, signed \(isSigned)")
    }
  }
}

private func rangesOfFloats(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in Array(0...70) + [1000] {
    var random = SeededRandom(seed: count)
    for range in [-3...5, 1...2, -2 ... -1] as [ClosedRange<Float>] {
      var values = random.floats(count, in: range)
      if count > 3 { values[count / 2] = .nan }
      let input = GuardedBuffer(values)
      let limits = unsafe set.byte.hybrid.limits(of: input.address, count: count)
      let numbers = values.filter { !$0.isNaN } + [0]
      comparison.equal(
        [limits.lowest, limits.highest], [numbers.min() ?? 0, numbers.max() ?? 0],
        "\(count) floats from \(range.lowerBound)")
    }
  }
}

private func hybridValues(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in [8, 16, 24, 40, 64, 72, 1000] {
    var random = SeededRandom(seed: count)
    let values = operands(count, &random)
    for (factor, zeroPoint, least) in [
      (1 as Float, 0 as Int32, -127 as Int32), (0.6, 23, -128), (0.6, -128, -128), (2.7, 127, -128),
    ] {
      let (input, output) = (
        GuardedBuffer(values), GuardedBuffer(repeating: 99 as Int8, count: count)
      )
      unsafe set.byte.hybrid.quantize(
        HybridConversion(
          values: input.address, quantizedValues: output.address, count: count, factor: factor,
          zeroPoint: zeroPoint, least: least))
      let expected = values.map { value in
        let exact = value * factor
        let steps = exact + (exact < 0 ? -0.5 : 0.5)
        guard !steps.isNaN else { return Int8(least) }
        let total = Double(zeroPoint) + Double(steps.rounded(.towardZero))
        return Int8(min(max(total, Double(least)), 127))
      }
      comparison.equal(output.elements, expected, "\(count) floats, zero point \(zeroPoint)")
    }
  }
}

private func hybridSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let rows = 3
  for columns in Array(1...40) + [100] {
    var random = SeededRandom(seed: columns)
    let sums = random.integers(rows * columns, in: -0x4000_0000...0x4000_0000)
    let columnSums = random.integers(columns, in: -30_000_000...30_000_000)
    let scales = random.floats(columns, in: 0.001...0.1)
    let biases = random.floats(columns, in: -1...1)
    let (weights, added) = (GuardedBuffer(scales), GuardedBuffer(biases))
    let totals = GuardedBuffer(columnSums)
    let affines = [(0.02, 117), (0.5, -128), (0.003, 0)].map { scale, zeroPoint in
      HybridAffine(scale: scale, zeroPoint: zeroPoint)
    }
    let inputs = GuardedBuffer(affines)
    for kind in 0..<8 {
      let (inTurn, rounds, isByRow) = (kind & 1 != 0, kind & 2 != 0, kind & 4 != 0)
      let buffer = GuardedBuffer(sums)
      unsafe set.byte.hybrid.finish(
        HybridFinish(
          sums: buffer.rawAddress, stride: columns * 4, rowCount: rows, columnCount: columns,
          scales: weights.address, biases: added.address, columnSums: totals.address,
          inputs: inputs.address, hasInputPerRow: isByRow, scalesInTurn: inTurn,
          roundsSums: rounds, lowest: -50_000, highest: 60_000))
      let expected = sums.enumerated().map { index, sum in
        let column = index % columns
        let (scale, columnSum) = (scales[column], columnSums[column])
        let input = affines[isByRow ? index / columns : 0]
        let rounded = Float(sum) - Float(columnSum) * Float(input.zeroPoint)
        let inRange = rounded >= -0x1p31 && rounded < 0x1p31
        let wrapped = Float(sum &- input.zeroPoint &* columnSum)
        let difference = rounds ? (inRange ? rounded : -0x1p31) : wrapped
        let product =
          inTurn ? difference * scale * input.scale : difference * (input.scale * scale)
        return min(max(product + biases[column], -50_000), 60_000)
      }
      let results = buffer.elements.map { Float(bitPattern: UInt32(bitPattern: $0)) }
      comparison.equal(
        results, expected,
        "\(columns) columns, in turn \(inTurn), rounded \(rounds), by row \(isByRow)")
    }
  }
}
