// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Operations on floats, element by element, and images of floats.
  static let floatElements = [
    Self("operations on two floats", binaryOperations),
    Self("pooled floats", pooledLines),
    Self("maxima of floats with their places", argmaxLines),
    Self("Fourier transforms of rows", fourierRows),
    Self("resized lines of floats", resizedLines),
    Self("resized lines of integers", resizedIntegerLines),
  ]
}

private func binaryOperations(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let operations: [(FloatBinaryOperation, (Float, Float) -> Float)] = [
    (.add, { $0 + $1 }), (.subtract, { $0 - $1 }), (.multiply, { $0 * $1 }),
    (.divide, { $0 / $1 }), (.maximum, { $0 > $1 ? $0 : $1 }), (.minimum, { $0 < $1 ? $0 : $1 }),
    (.squaredDifference, { ($0 - $1) * ($0 - $1) }), (.slopeBelowZero, { $0 < 0 ? $0 * $1 : $0 }),
    (.slopeUpToZero, { $0 > 0 ? $0 : $0 * $1 }), (.slopeOfNegatives, { $0 > 0 ? 0 : $0 * $1 }),
  ]
  for (index, (operation, value)) in operations.enumerated() {
    for count in Array(1...40) + [1000] {
      var random = SeededRandom(seed: count)
      let left = random.floats(count, in: -4...4)
      let right = random.floats(count, in: -4...4)
      for repetitions in [0, count, 3] {
        let numbers =
          repetitions == 0 ? right : Array(right.prefix((count + repetitions - 1) / repetitions))
        let (first, second) = (GuardedBuffer(left), GuardedBuffer(numbers))
        let output = GuardedBuffer(repeating: 99 as Float, count: count)
        unsafe set.float.compute(
          operation,
          FloatBinaryRow(
            left: first.rawAddress, right: second.rawAddress, output: output.rawAddress,
            count: count, repetitions: repetitions, lowest: -5, highest: 7))
        let expected = left.indices.map { index in
          min(max(value(left[index], right[repetitions == 0 ? index : index / repetitions]), -5), 7)
        }
        comparison.same(
          output.elements, expected,
          "operation \(index), \(count) floats, repeated \(repetitions) times")
      }
    }
  }
}

private func pooledLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for depth in Array(1...19) + [32, 33, 64, 100] {
    for shape in PoolShape.all { checkPool(depth: depth, shape, set, &comparison) }
  }
}

private func checkPool(
  depth: Int, _ shape: PoolShape, _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  var random = SeededRandom(seed: depth)
  let pixels = random.floats(shape.pixelCount * depth, in: -2...2)
  let input = GuardedBuffer(pixels)
  for isAverage in [false, true] {
    let output = GuardedBuffer(repeating: 99 as Float, count: shape.windows * depth)
    unsafe set.float.pool(
      FloatPoolLine(
        shape.line(input.rawAddress, output.rawAddress, pixelSize: depth * 4),
        lowest: -1.5, highest: 1.5),
      isAverage: isAverage)
    let expected = shape.results(depth: depth) { elements in
      let values = elements.map { pixels[$0] }
      let value =
        isAverage
        ? values.reduce(0, +) / Float(values.count)
        : values.reduce(-.greatestFiniteMagnitude) { max($0, $1) }
      return min(max(value, -1.5), 1.5)
    }
    comparison.equal(
      output.elements, expected,
      "\(shape.windows) windows of \(depth) channels, average \(isAverage)")
  }
}

/// The pixels of a resized line of ten by one of seven.
private func columns<Fraction>(
  depth: Int, _ fraction: (_ index: Int) -> Fraction
) -> [BilinearColumn<Fraction>] {
  (0..<10).map { index in
    let left = index * 6 / 10
    return BilinearColumn(
      left: left * depth, right: min(left + 1, 6) * depth, fraction: fraction(index))
  }
}

private func resizedLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for depth in Array(1...19) + [32, 33, 64, 100] {
    var random = SeededRandom(seed: depth)
    let upper = random.floats(7 * depth, in: 0...120)
    let lower = random.floats(7 * depth, in: 0...120)
    let columns = columns(depth: depth) { Float($0) / 10 }
    func interpolated(_ upper: [Float], _ lower: [Float]) -> [Float] {
      columns.flatMap { column in
        let (after, before) = (column.fraction, 1 - column.fraction)
        return (0..<depth).map { channel in
          let (left, right) = (column.left + channel, column.right + channel)
          let sum = upper[left] * before + lower[left] * before
          return sum + upper[right] * after + lower[right] * after
        }
      }
    }
    let expected = interpolated(upper, lower)
    let (first, second) = (GuardedBuffer(upper), GuardedBuffer(lower))
    let positions = GuardedBuffer(columns)
    func run(
      _ output: UnsafeMutableRawPointer, toBytes: Bool,
      weights: (upper: Float, lower: Float)? = nil
    ) {
      unsafe set.float.interpolate(
        BilinearLine(
          upper: first.address, lower: second.address, elementCount: upper.count,
          weights: weights, columns: positions.address, count: columns.count, depth: depth,
          output: output), toBytes: toBytes)
    }
    let floats = GuardedBuffer(repeating: 99 as Float, count: expected.count)
    unsafe run(floats.rawAddress, toBytes: false)
    comparison.equal(floats.elements, expected, "\(depth) channels")
    unsafe run(floats.rawAddress, toBytes: false, weights: (0.3, 0.7))
    comparison.equal(
      floats.elements, interpolated(upper.map { $0 * 0.3 }, lower.map { $0 * 0.7 }),
      "\(depth) channels, weighted")
    let bytes = GuardedBuffer(repeating: 99 as UInt8, count: expected.count)
    unsafe run(bytes.rawAddress, toBytes: true)
    comparison.equal(bytes.elements, expected.map { UInt8($0 + 0.5) }, "\(depth) channels, bytes")
  }
}

private func resizedIntegerLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for depth in Array(1...19) + [32, 33, 64, 100] {
    var random = SeededRandom(seed: depth)
    let upper = random.integers(7 * depth, in: -128...127).map { Int8($0) }
    let lower = random.integers(7 * depth, in: -128...127).map { Int8($0) }
    let fraction = random.integers(1, in: 0...1024)[0]
    let line = zip(upper, lower).map { Int32($0) * (1024 - fraction) + Int32($1) * fraction }
    let columns = columns(depth: depth) { Int32($0 * 1024 / 9) }
    let (first, second) = (GuardedBuffer(upper), GuardedBuffer(lower))
    let joined = GuardedBuffer(repeating: 99 as Int32, count: line.count)
    let positions = GuardedBuffer(columns)
    for roundsAway in [false, true] {
      let output = GuardedBuffer(repeating: 99 as Int8, count: columns.count * depth)
      unsafe set.float.interpolate(
        IntegerBilinearLine(
          upper: first.address, lower: second.address, fraction: fraction, line: joined.address,
          elementCount: line.count, columns: positions.address, count: columns.count, depth: depth,
          roundsAway: roundsAway, output: output.address))
      let expected = columns.flatMap { column in
        (0..<depth).map { channel in
          let sum =
            line[column.left + channel] * (1024 - column.fraction)
            + line[column.right + channel] * column.fraction
          let value = Double(sum) / 0x1p20
          return Int8(
            roundsAway ? value.rounded(.toNearestOrAwayFromZero) : (value + 0.5).rounded(.down))
        }
      }
      comparison.equal(output.elements, expected, "\(depth) channels, away \(roundsAway)")
    }
  }
}

private func argmaxLines(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let shape = PoolShape(windows: 5, step: 2, rows: 3, columns: 4)
  for depth in Array(1...19) + [32, 33, 64] {
    var random = SeededRandom(seed: depth)
    // Few different numbers: of equal ones the first counts.
    let pixels = random.floats(shape.pixelCount * depth, in: -2...2).map { $0.rounded() }
    let input = GuardedBuffer(pixels)
    let maxima = GuardedBuffer(repeating: 99 as Float, count: shape.windows * depth)
    let places = GuardedBuffer(repeating: 99 as Float, count: shape.windows * depth)
    let line = unsafe FloatPoolLine(
      shape.line(input.rawAddress, maxima.rawAddress, pixelSize: depth * 4), lowest: -1.5,
      highest: 1.5)
    unsafe set.float.findMaxima(
      FloatArgmaxLine(line: line, places: places.rawAddress, firstPlace: 7, placeStep: 9))
    let expected = shape.results(depth: depth) { elements in
      var (maximum, place) = (-Float.greatestFiniteMagnitude, 0)
      for (tap, element) in elements.enumerated() where pixels[element] > maximum {
        let (row, column) = tap.quotientAndRemainder(dividingBy: shape.columns)
        (maximum, place) = (pixels[element], 7 + row * 9 + column)
      }
      return (maximum: min(max(maximum, -1.5), 1.5), place: Float(place) + 0.1)
    }
    comparison.same(maxima.elements, expected.map { $0.maximum }, "maxima of \(depth) channels")
    comparison.same(places.elements, expected.map { $0.place }, "places of \(depth) channels")
  }
}

private func fourierRows(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  typealias Lanes = FourierRows.Lanes
  for count in [1, 2, 4, 64, 256, 1024] {
    var random = SeededRandom(seed: count)
    let rows = (0..<Lanes.scalarCount).map { _ in random.floats(count, in: -1...1).map(Double.init)
    }
    var places = [0]
    while places.count < count { places = places.map { 2 * $0 } + places.map { 2 * $0 + 1 } }
    let memory = unsafe AlignedMemory(zeroed: count * FourierRows.numberByteCount)
    for index in 0..<count {
      var lanes = Lanes.zero
      for lane in rows.indices { lanes[lane] = rows[lane][index] }
      unsafe memory.address.storeBytes(
        of: lanes, toByteOffset: places[index] * FourierRows.numberByteCount, as: Lanes.self)
    }
    let angles = (0..<max(count / 2, 1)).map { 2 * Double.pi * Double($0) / Double(count) }
    let (cosines, sines) = (
      GuardedBuffer(angles.map { cos($0) }), GuardedBuffer(angles.map { sin($0) })
    )
    unsafe set.float.transform(
      FourierRows(
        numbers: memory.address, count: count, cosines: UnsafePointer(cosines.address),
        sines: UnsafePointer(sines.address)))
    for frequency in [0, count / 3, count - 1] {
      let number = unsafe memory.address + frequency * FourierRows.numberByteCount
      let real = unsafe number.load(as: Lanes.self)
      let imaginary = unsafe number.load(
        fromByteOffset: MemoryLayout<Lanes>.stride, as: Lanes.self)
      let turns = (0..<count).map { 2 * Double.pi * Double($0 * frequency % count) / Double(count) }
      comparison.close(
        rows.indices.map { Float(real[$0]) },
        rows.map { row in zip(row, turns).reduce(0) { $0 + $1.0 * cos($1.1) } }, within: 1e-4,
        "real part \(frequency) of \(count)")
      comparison.close(
        rows.indices.map { Float(imaginary[$0]) },
        rows.map { row in zip(row, turns).reduce(0) { $0 - $1.0 * sin($1.1) } }, within: 1e-4,
        "imaginary part \(frequency) of \(count)")
    }
  }
}
