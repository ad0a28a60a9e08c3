// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Operations on single elements.
  static let plainOperations = [
    Self("comparisons, integers, truth values and conversions", plainRows),
    Self("all float16 values as float32", halves),
    Self("floats of all magnitudes as integers", magnitudes),
  ]
}

private func plainRows(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in Array(0...40) + [1000] {
    var random = SeededRandom(seed: count)
    let floats = (0..<2).map { _ in random.floats(count, in: -3...3).map { $0.rounded() } }
    let words = floats.map { $0.map { Int32($0) &* 0x4000_0001 } }
    let bytes = words.map { $0.map { UInt8(truncatingIfNeeded: $0) } }
    let longs = words[0].map { Int64($0) << 3 }
    checkFloats(floats, set, &comparison)
    checkConversions(floats[0], words[0], longs, set, &comparison)
    checkWords(words, set, &comparison)
    checkBytes(bytes, set, &comparison)
  }
}

private func halves(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let halves = (0...UInt16.max).map { $0 }
  compare(.halfToFloat, halves, halves, set, &comparison) { half, _ -> UInt32 in
    let (exponent, fraction) = (Int(half >> 10 & 31), UInt32(half & 1023))
    let sign = UInt32(half >> 15) << 31
    // NaN becomes quiet.
    guard exponent < 31 else {
      return sign | 0x7F80_0000 | fraction << 13 | (fraction > 0 ? 0x40_0000 : 0)
    }
    let unit = Float(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
    let number = Float(exponent == 0 ? fraction : fraction + 1024) * unit
    return sign | number.bitPattern
  }
}

/// What no integer has becomes the nearest, and NaN the greatest, as the reference kernel's cast has it.
private func magnitudes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  func nearest<Integer: FixedWidthInteger>(_ value: Float) -> Integer {
    if let integer = Integer(exactly: value.rounded(.towardZero)) { return integer }
    return value < 0 ? .min : .max
  }
  let magnitudes = (-150...70).flatMap { exponent in
    [1, 1.3, 1.9999999].map { Float(sign: .plus, exponent: exponent, significand: $0) }
  }
  let floats = magnitudes + magnitudes.map { -$0 } + [0, -0.0, .infinity, -.infinity, .nan]
  compare(.floatToLong, floats, floats, set, &comparison) { (a: Float, _) -> Int64 in nearest(a) }
  compare(.floatToWord, floats, floats, set, &comparison) { (a: Float, _) -> Int32 in nearest(a) }
}

private func checkConversions(
  _ floats: [Float], _ words: [Int32], _ longs: [Int64], _ set: MicrokernelSet,
  _ comparison: inout Comparison
) {
  compare(.wordToFloat, words, words, set, &comparison) { (a: Int32, _) in Float(a) }
  compare(.wordToLong, words, words, set, &comparison) { (a: Int32, _) in Int64(a) }
  compare(.longToWord, longs, longs, set, &comparison) { (a: Int64, _) in
    Int32(truncatingIfNeeded: a)
  }
  compare(.longToFloat, longs, longs, set, &comparison) { (a: Int64, _) in Float(a) }
  let values = floats.map { $0 * 61.7 }
  compare(.floatToWord, values, values, set, &comparison) { (a: Float, _) in Int32(a) }
  compare(.floatToLong, values, values, set, &comparison) { (a: Float, _) in Int64(a) }
  compare(.floatToByte, values, values, set, &comparison) { (a: Float, _) -> UInt8 in
    a < 0 ? 0 : UInt8(a)
  }
  compare(.floatToSignedByte, values, values, set, &comparison) { (a: Float, _) -> Int8 in
    Int8(max(min(a, 127), -128))
  }
}

private func checkFloats(
  _ operands: [[Float]], _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  let relations: [(PlainOperation, (Float, Float) -> Bool)] = [
    (.floatIsLess, { $0 < $1 }), (.floatIsLessOrEqual, { $0 <= $1 }),
    (.floatIsEqual, { $0 == $1 }), (.floatIsDifferent, { $0 != $1 }),
  ]
  for (operation, holds) in relations {
    compare(operation, operands[0], operands[1], set, &comparison) { UInt8(holds($0, $1) ? 1 : 0) }
  }
  compare(.floatToTruth, operands[0], operands[0], set, &comparison) { (a: Float, _) in
    UInt8(a != 0 ? 1 : 0)
  }
}

private func checkWords(
  _ operands: [[Int32]], _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  let relations: [(PlainOperation, (Int32, Int32) -> Bool)] = [
    (.wordIsLess, { $0 < $1 }), (.wordIsLessOrEqual, { $0 <= $1 }), (.wordIsEqual, { $0 == $1 }),
    (.wordIsDifferent, { $0 != $1 }),
  ]
  for (operation, holds) in relations {
    compare(operation, operands[0], operands[1], set, &comparison) { UInt8(holds($0, $1) ? 1 : 0) }
  }
  let results: [(PlainOperation, (Int32, Int32) -> Int32)] = [
    (.wordSum, { $0 &+ $1 }), (.wordDifference, { $0 &- $1 }), (.wordProduct, { $0 &* $1 }),
    (.wordMaximum, { max($0, $1) }), (.wordMinimum, { min($0, $1) }),
  ]
  for (operation, result) in results {
    compare(operation, operands[0], operands[1], set, &comparison, result)
  }
}

private func checkBytes(
  _ operands: [[UInt8]], _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  let results: [(PlainOperation, (UInt8, UInt8) -> UInt8)] = [
    (.conjunction, { $0 != 0 && $1 != 0 ? 1 : 0 }), (.disjunction, { $0 != 0 || $1 != 0 ? 1 : 0 }),
    (.opposite, { a, _ in a == 0 ? 1 : 0 }), (.copiedByte, { a, _ in a }),
    (.byteIsLessOrEqual, { $0 <= $1 ? 1 : 0 }),
  ]
  for (operation, result) in results {
    compare(operation, operands[0], operands[1], set, &comparison, result)
  }
  let floats: [(PlainOperation, (UInt8, UInt8) -> Float)] = [
    (.byteToFloat, { a, _ in Float(a) }),
    (.signedByteToFloat, { a, _ in Float(Int8(bitPattern: a)) }),
    (.truthToFloat, { a, _ in a == 0 ? 0 : 1 }),
  ]
  for (operation, result) in floats {
    compare(operation, operands[0], operands[1], set, &comparison, result)
  }
  let integers: [(PlainOperation, (UInt8, UInt8) -> Int32)] = [
    (.byteToWord, { a, _ in Int32(a) }),
    (.signedByteToWord, { a, _ in Int32(Int8(bitPattern: a)) }),
  ]
  for (operation, result) in integers {
    compare(operation, operands[0], operands[1], set, &comparison, result)
  }
  compare(.truthToWord, operands[0], operands[1], set, &comparison) { (a: UInt8, _) -> Int32 in
    a == 0 ? 0 : 1
  }
}

private func compare<
  Element: BitwiseCopyable, Result: BitwiseCopyable & Equatable & CustomStringConvertible
>(
  _ operation: PlainOperation, _ left: [Element], _ right: [Element], _ set: MicrokernelSet,
  _ comparison: inout Comparison, _ result: (Element, Element) -> Result
) {
  let name = "operation \(PlainOperation.allCases.firstIndex(of: operation) ?? -1) of \(left.count)"
  let expected = zip(left, right).map { result($0, $1) }
  let size = MemoryLayout<Result>.stride
  comparison.equal(operation.operandSize, MemoryLayout<Element>.size, "operands of \(name)")
  comparison.equal(operation.resultSize, size, "results of \(name)")
  let (first, second) = (GuardedBuffer(left), GuardedBuffer(right))
  let output = GuardedBuffer(repeating: 0xA5 as UInt8, count: left.count * size)
  // Results of the operands' size may take the first one's place.
  let isInPlace = operation.operandSize == operation.resultSize
  for isAlone in [true, false] where isAlone || isInPlace {
    let target = unsafe isAlone ? output.rawAddress : first.rawAddress
    unsafe set.compute(
      operation,
      PlainRow(
        left: first.rawAddress, right: second.rawAddress, output: target, count: left.count))
    comparison.equal(
      expected.indices.map {
        unsafe target.loadUnaligned(fromByteOffset: $0 * size, as: Result.self)
      }, expected, name)
  }
}
