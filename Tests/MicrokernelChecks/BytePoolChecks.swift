// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Windows of 8-bit quantized values.
  static let bytePools = [
    Self("greatest bytes of windows", pooledBytes),
    Self("averages of bytes close to halves", averagesCloseToHalves),
  ]
}

private func pooledBytes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for depth in Array(1...19) + [31, 32, 33, 63, 64, 65, 130, 300] {
    for shape in PoolShape.all {
      var random = SeededRandom(seed: depth)
      let pixels = random.bytes(shape.pixelCount * depth)
      for isSigned in [false, true] {
        checkPools(pixels, depth: depth, isSigned: isSigned, shape, set, &comparison)
      }
    }
  }
}

/// Compares maxima and, where windows are large enough, averages.
private func checkPools(
  _ pixels: [UInt8], depth: Int, isSigned: Bool, _ shape: PoolShape, _ set: MicrokernelSet,
  _ comparison: inout Comparison
) {
  let input = GuardedBuffer(pixels)
  let output = GuardedBuffer(repeating: 99 as UInt8, count: shape.windows * depth)
  let (lowest, highest): (Int32, Int32) = isSigned ? (-100, 120) : (9, 250)
  let line = unsafe shape.line(input.rawAddress, output.rawAddress, pixelSize: depth)
  let subject = "\(shape.windows) windows of \(depth) channels, signed \(isSigned)"
  func expected(_ value: ([Int32]) -> Int32) -> [UInt8] {
    shape.results(depth: depth) { elements in
      let number = value(elements.map { ByteTypes.value(pixels[$0], isSigned: isSigned) })
      return UInt8(truncatingIfNeeded: min(max(number, lowest), highest))
    }
  }
  unsafe set.byte.pool(
    ByteMaximumLine(
      line, lowest: UInt8(truncatingIfNeeded: lowest), highest: UInt8(truncatingIfNeeded: highest),
      isSigned: isSigned))
  comparison.equal(output.elements, expected { $0.max() ?? lowest }, "maxima of \(subject)")
  let count = shape.rows * shape.columns
  guard ByteMicrokernels.averagedCounts.contains(count) else { return }
  let scaling = ByteMicrokernels.averaging(
    count, lowest: lowest, highest: highest, isSigned: isSigned)
  unsafe set.byte.pool(ByteAverageLine(line, scaling))
  comparison.equal(output.elements, expected(roundedAverage), "averages of \(subject)")
}

/// The average with halves away from zero.
private func roundedAverage(_ values: [Int32]) -> Int32 {
  let (sum, count) = (values.reduce(0, +), Int32(values.count))
  return (sum > 0 ? sum + count / 2 : sum - count / 2) / count
}

/// Sums that are a half and those next to it, from the least to the greatest.
private func averagesCloseToHalves(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in Array(3...64) + [81, 100, 127, 128, 129, 200, 255, 256] {
    let sums = (-128..<127).flatMap { number in (-1...1).map { number * count + count / 2 + $0 } }
    let shape = PoolShape(windows: 1, step: 1, rows: 1, columns: count)
    for isSigned in [false, true] {
      let pixels = (0..<count).flatMap { pixel in
        sums.map { sum in
          // The pixels of a sum differ by 1 at most.
          let (least, rest) = (sum + 128 * count).quotientAndRemainder(dividingBy: count)
          let value = min(least + (pixel < rest ? 1 : 0), 255)
          return UInt8(truncatingIfNeeded: isSigned ? value - 128 : value)
        }
      }
      checkPools(pixels, depth: sums.count, isSigned: isSigned, shape, set, &comparison)
    }
  }
}
