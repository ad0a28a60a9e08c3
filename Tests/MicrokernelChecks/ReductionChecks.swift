// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Reductions of columns and of rows.
  static let reductions = [Self("reductions of columns and rows", plainReductions)]
}

private func plainReductions(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for columnCount in [1, 3, 15, 16, 17, 48, 63, 64, 65, 130] {
    for rowCount in [1, 2, 7] {
      let shape = Shape(rowCount: rowCount, columnCount: columnCount, padding: columnCount % 3)
      check(shape, set, &comparison)
    }
  }
}

/// Rows with some elements between them.
private struct Shape {
  let rowCount: Int
  let columnCount: Int
  let padding: Int

  var stride: Int { columnCount + padding }
}

private func check(_ shape: Shape, _ set: MicrokernelSet, _ comparison: inout Comparison) {
  var random = SeededRandom(seed: shape.stride * 8 + shape.rowCount)
  let reals = random.floats(shape.rowCount * shape.stride, in: -3...3)
  let bytes = reals.map { UInt8(truncatingIfNeeded: Int($0 * 1000)) }
  let shorts = reals.map { Int16($0 * 10_000) }
  let words = reals.map { Int32($0 * 700_000_000) }
  // Sums are exact, so that their order does not matter.
  let floats = reals.map { ($0 * 8).rounded() == 2 ? Float.nan : ($0 * 8).rounded() }
  let whole = floats.map { $0.isNaN ? 0 : $0 }
  compare(.floatSum, whole, from: 4, shape, set, &comparison) { (a: Float, b: Float) in a + b }
  compare(.floatMaximum, floats, from: -100, shape, set, &comparison) { (a: Float, b: Float) in
    a < b ? b : a
  }
  compare(.floatMinimum, floats, from: 100, shape, set, &comparison) { (a: Float, b: Float) in
    b < a ? b : a
  }
  checkBytes(bytes, shape, set, &comparison)
  compare(.shortMaximum, shorts, from: .min, shape, set, &comparison) { (a: Int16, b: Int16) in
    max(a, b)
  }
  compare(.shortMinimum, shorts, from: .max, shape, set, &comparison) { (a: Int16, b: Int16) in
    min(a, b)
  }
  compare(.shortSum, shorts, from: 5, shape, set, &comparison) { (a: Int32, b: Int16) in
    a &+ Int32(b)
  }
  compare(.wordMaximum, words, from: .min, shape, set, &comparison) { (a: Int32, b: Int32) in
    max(a, b)
  }
  compare(.wordMinimum, words, from: .max, shape, set, &comparison) { (a: Int32, b: Int32) in
    min(a, b)
  }
  compare(.wordSum, words, from: 5, shape, set, &comparison) { (a: Int32, b: Int32) in a &+ b }
}

private func checkBytes(
  _ bytes: [UInt8], _ shape: Shape, _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  let signed = bytes.map { Int8(bitPattern: $0) }
  compare(.byteMaximum, bytes, from: 3, shape, set, &comparison) { (a: UInt8, b: UInt8) in
    max(a, b)
  }
  compare(.byteMinimum, bytes, from: 200, shape, set, &comparison) { (a: UInt8, b: UInt8) in
    min(a, b)
  }
  compare(.signedByteMaximum, signed, from: -100, shape, set, &comparison) { (a: Int8, b: Int8) in
    max(a, b)
  }
  compare(.signedByteMinimum, signed, from: 100, shape, set, &comparison) { (a: Int8, b: Int8) in
    min(a, b)
  }
  compare(.byteSum, bytes, from: -9, shape, set, &comparison) { (a: Int32, b: UInt8) in
    a &+ Int32(b)
  }
  compare(.signedByteSum, signed, from: -9, shape, set, &comparison) { (a: Int32, b: Int8) in
    a &+ Int32(b)
  }
}

private func compare<
  Element: BitwiseCopyable, Total: BitwiseCopyable & Equatable & CustomStringConvertible
>(
  _ reduction: PlainReduction, _ elements: [Element], from start: Total, _ shape: Shape,
  _ set: MicrokernelSet, _ comparison: inout Comparison, _ body: (Total, Element) -> Total
) {
  let number = PlainReduction.allCases.firstIndex(of: reduction) ?? -1
  let name = "reduction \(number) of \(shape.rowCount) rows of \(shape.columnCount)"
  let size = MemoryLayout<Total>.stride
  comparison.equal(reduction.elementSize, MemoryLayout<Element>.size, "elements of \(name)")
  comparison.equal(reduction.totalSize, size, "results of \(name)")
  let input = GuardedBuffer(elements)
  for reducesRows in [false, true] {
    let count = reducesRows ? shape.rowCount : shape.columnCount
    var expected = [Total](repeating: start, count: count)
    for row in 0..<shape.rowCount {
      for column in 0..<shape.columnCount {
        let index = reducesRows ? row : column
        expected[index] = body(expected[index], elements[row * shape.stride + column])
      }
    }
    let totals = GuardedBuffer([Total](repeating: start, count: count))
    let rows = unsafe ReducedRows(
      input: input.rawAddress, stride: shape.stride * MemoryLayout<Element>.stride,
      rowCount: shape.rowCount, columnCount: shape.columnCount, totals: totals.rawAddress)
    if reducesRows {
      unsafe set.reduceRows(rows, reduction)
    } else {
      unsafe set.reduceColumns(rows, reduction)
    }
    comparison.equal(
      expected.indices.map {
        unsafe totals.rawAddress.loadUnaligned(fromByteOffset: $0 * size, as: Total.self)
      }, expected, reducesRows ? "\(name), to the side" : name)
  }
}
