// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Operations on 8-bit quantized values, element by element.
  static let byteElements = [
    Self("byte sums", byteSums),
    Self("byte sums by their estimate", estimatedByteSums),
    Self("byte products, element by element", elementProducts),
    Self("greater and lesser bytes", byteExtremes),
    Self("sums of columns of bytes", columnSums),
    Self("sums of products of bytes", dots),
    Self("sums scaled by one factor", sumsByOneFactor),
    Self("tables of bytes", byteTables),
  ]
}

/// Every pair of bytes, and a few more so that the last vector is not whole.
private let pairs: (left: [UInt8], right: [UInt8]) = {
  let indices = 0..<(256 * 256 + 37)
  return (
    indices.map { UInt8(truncatingIfNeeded: $0) },
    indices.map { UInt8(truncatingIfNeeded: $0 >> 8) }
  )
}()

/// The bytes that `compute` makes of every pair.
private func results(_ compute: (PlainRow) -> Void) -> [UInt8] {
  let (left, right) = (GuardedBuffer(pairs.left), GuardedBuffer(pairs.right))
  let output = GuardedBuffer(repeating: 99 as UInt8, count: left.count)
  unsafe compute(
    PlainRow(
      left: left.rawAddress, right: right.rawAddress, output: output.rawAddress,
      count: left.count))
  return output.elements
}

/// Bytes of every pair's numbers.
private func expected(
  isSigned: Bool, _ byte: (_ left: Int32, _ right: Int32) -> UInt8
) -> [UInt8] {
  zip(pairs.left, pairs.right).map { left, right in
    byte(
      ByteTypes.value(left, isSigned: isSigned), ByteTypes.value(right, isSigned: isSigned))
  }
}

/// A sum of quantized values: the first operand has the larger scale.
private struct ByteSum: CustomStringConvertible {
  let isSigned: Bool
  let combination: ByteSumTerms.Combination
  /// The second operand's factor.
  let factor: FixedPoint
  let outputFactor: FixedPoint
  let output: ByteOutput

  private var zeroPoints: (left: Int32, right: Int32) { isSigned ? (-5, 17) : (130, 3) }

  /// Sums that round in every way.
  static func all(_ rounding: FixedPoint.Rounding) -> [ByteSum] {
    let outputs = [
      ByteOutput(zeroPoint: -3, lowest: -128, highest: 127, isSigned: true),
      ByteOutput(zeroPoint: 120, lowest: 7, highest: 255, isSigned: false),
      // As after a rectifier.
      ByteOutput(zeroPoint: -20, lowest: -20, highest: 99, isSigned: true),
    ]
    let combinations: [ByteSumTerms.Combination] = [.sum, .difference, .reverseDifference]
    let factors: [(Int32, Int32)] = [(1 << 30, 0), (0x5555_5555, -1), (0x7FFF_FFFF, -6)]
    return outputs.flatMap { output in
      zip(combinations, factors).map { combination, factor in
        ByteSum(
          isSigned: output.isSigned, combination: combination,
          factor: FixedPoint(significand: factor.0, exponent: factor.1, rounding: rounding),
          outputFactor: FixedPoint(significand: 0x6543_2100, exponent: -18, rounding: rounding),
          output: output)
      }
    }
  }

  var description: String { "\(factor), \(isSigned ? "" : "un")signed" }

  var operands: ByteOperands {
    ByteOperands(
      isSigned: isSigned, leftZeroPoint: zeroPoints.left, rightZeroPoint: zeroPoints.right)
  }

  var terms: ByteSumTerms? {
    ByteSumTerms(
      factor.byteFactor, roundsTwice: factor.rounding != .once, combination: combination)
  }

  var scaling: ByteScaling {
    ByteScaling(
      [outputFactor], positions: ByteMicrokernels.scalePositions, sumBound: 1 << 29,
      output: output)
  }

  /// What the operands' numbers add, with 20 more bits.
  func terms(_ left: Int32, _ right: Int32) -> (left: Int32, right: Int32) {
    let first = (left - zeroPoints.left) << 19
    let second = factor.scaled((right - zeroPoints.right) << 20)
    switch combination {
    case .sum: return (first, second)
    case .difference: return (first, 0 - second)
    case .reverseDifference: return (0 - first, second)
    }
  }

  func value(_ left: Int32, _ right: Int32) -> UInt8 {
    let terms = terms(left, right)
    return outputFactor.quantized(terms.left + terms.right, output)
  }
}

private func byteSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for sum in ByteSum.all(.once) + ByteSum.all(.twice) {
    guard let terms = sum.terms else {
      comparison.equal(false, true, "vectors have the terms of \(sum)")
      continue
    }
    let scaling = sum.scaling
    let values = unsafe results { row in
      unsafe set.byte.add(row, sum.operands, terms, scaling.finish())
    }
    comparison.equal(values, expected(isSigned: sum.isSigned, sum.value), "\(sum)")
  }
}

private func estimatedByteSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var count = 0
  for sum in ByteSum.all(.once) + ByteSum.all(.twice) {
    // Terms from the least quantized value on.
    let numbers: ClosedRange<Int32> = sum.isSigned ? -128...127 : 0...255
    let estimate = ByteSumEstimate(
      left: numbers.map { sum.terms($0, 0).left }, right: numbers.map { sum.terms(0, $0).right },
      factor: sum.outputFactor.byteFactor,
      zeroPoint: sum.output.zeroPoint - (sum.isSigned ? 0 : 128))
    guard let estimate, let terms = sum.terms else { continue }
    count += 1
    let scaling = sum.scaling
    let values = unsafe results { row in
      unsafe set.byte.add(row, sum.operands, estimate, scaling.finish()) { part in
        unsafe set.byte.add(part, sum.operands, terms, scaling.finish())
      }
    }
    comparison.equal(values, expected(isSigned: sum.isSigned, sum.value), "\(sum)")
  }
  comparison.equal(count > 0, true, "some sums have an estimate")
}

private func elementProducts(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rounding in FixedPoint.Rounding.allCases {
    for output in ByteSum.all(rounding).map({ $0.output }) {
      let zeroPoints: (Int32, Int32) = output.isSigned ? (-128, 90) : (0, 255)
      let factor = FixedPoint(significand: 0x5432_1000, exponent: -7, rounding: rounding)
      let scaling = ByteScaling(
        [factor], positions: ByteMicrokernels.scalePositions, sumBound: 255 * 255,
        output: output)
      let operands = ByteOperands(
        isSigned: output.isSigned, leftZeroPoint: zeroPoints.0, rightZeroPoint: zeroPoints.1)
      let values = unsafe results { row in
        unsafe set.byte.multiply(row, operands, scaling.finish())
      }
      let expected = expected(isSigned: output.isSigned) { left, right in
        factor.quantized((left - zeroPoints.0) * (right - zeroPoints.1), output)
      }
      comparison.equal(values, expected, "\(factor), zero point \(output.zeroPoint)")
    }
  }
}

private func byteExtremes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for isSigned in [false, true] {
    for isMaximum in [false, true] {
      let values = unsafe results { row in
        unsafe set.byte.choose(row, isMaximum: isMaximum, isSigned: isSigned)
      }
      let expected = expected(isSigned: isSigned) { left, right in
        UInt8(truncatingIfNeeded: isMaximum ? max(left, right) : min(left, right))
      }
      comparison.equal(values, expected, "maximum \(isMaximum), signed \(isSigned)")
    }
  }
}

private func columnSums(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for columns in [1, 3, 8, 15, 16, 17, 31, 33, 64, 65, 100] {
    for rows in [1, 2, 255, 256, 257, 600] {
      var random = SeededRandom(seed: columns)
      // Of the greatest bytes alone, too.
      let bytes =
        rows == 600
        ? [UInt8](repeating: 0xFF, count: rows * columns)
        : random.bytes(rows * columns)
      let input = GuardedBuffer(bytes)
      for isSigned in [false, true] {
        for first in [0, columns / 2] {
          let output = GuardedBuffer(repeating: 7 as Int32, count: columns - first)
          unsafe set.byte.sumColumns(
            ByteColumns(
              input: input.rawAddress, stride: columns, rowCount: rows, columnCount: columns,
              isSigned: isSigned), first..<columns, to: output.address)
          let expected = (first..<columns).map { column in
            (0..<rows).reduce(0 as Int32) { sum, row in
              sum + ByteTypes.value(bytes[row * columns + column], isSigned: isSigned)
            }
          }
          comparison.equal(
            output.elements, expected, "\(rows) × \(columns) from \(first), signed \(isSigned)")
        }
      }
    }
  }
}

private func dots(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for count in [0, 1, 7, 8, 16, 31, 32, 33, 63, 64, 65, 128, 200, 7104] {
    var random = SeededRandom(seed: count)
    let isExtreme = count == 7104
    let left = isExtreme ? [UInt8](repeating: 0x80, count: count) : random.bytes(count)
    let right = isExtreme ? [UInt8](repeating: 0x80, count: count) : random.bytes(count)
    let (first, second) = (GuardedBuffer(left), GuardedBuffer(right))
    for areSigned in [false, true] {
      for zeroPoint in areSigned ? [-128, 0, 127] as [Int32] : [0, 121, 255] {
        let rightZeroPoint = areSigned ? 0 : 255 - zeroPoint
        let sum = unsafe set.byte.dot(
          ByteDot(
            left: first.rawAddress, right: second.rawAddress, count: count, areSigned: areSigned,
            leftZeroPoint: zeroPoint, rightZeroPoint: rightZeroPoint))
        let expected = (0..<count).reduce(0 as Int32) { sum, index in
          sum &+ (ByteTypes.value(left[index], isSigned: areSigned) - zeroPoint)
            &* (ByteTypes.value(right[index], isSigned: areSigned) - rightZeroPoint)
        }
        comparison.equal([sum], [expected], "\(count) from \(zeroPoint), signed \(areSigned)")
      }
    }
  }
}

private func sumsByOneFactor(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rounding in FixedPoint.Rounding.allCases {
    for exponent in [-30, -9, 3] as [Int32] {
      for count in [1, 16, 63, 64, 200] {
        var random = SeededRandom(seed: count)
        let factor = FixedPoint(
          significand: 0x5432_1001, exponent: exponent, rounding: rounding)
        let sums = random.integers(count, in: -60_000...60_000)
        let output = ByteOutput(zeroPoint: 4, lowest: -120, highest: 127, isSigned: true)
        let scaling = ByteScaling(
          [factor], positions: ByteMicrokernels.scalePositions, sumBound: 60_000,
          output: output)
        let padded = roundedUp(count, to: ByteMicrokernels.scaleStep)
        let input = GuardedBuffer(sums + [Int32](repeating: 0, count: padded - count))
        let values = GuardedBuffer(repeating: 99 as UInt8, count: padded)
        unsafe set.byte.scaleAll(
          scaling.finish(), sums: input.rawAddress, count: count, to: values.rawAddress)
        comparison.equal(
          Array(values.elements.prefix(count)), sums.map { factor.quantized($0, output) },
          "\(count) sums by \(factor)")
      }
    }
  }
}

private func byteTables(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  var random = SeededRandom(seed: 1)
  let table = random.bytes(256)
  for count in Array(0...70) + [256, 1000] {
    let bytes = count == 256 ? (0...255).map { UInt8($0) } : random.bytes(count)
    let (entries, input) = (GuardedBuffer(table), GuardedBuffer(bytes))
    let output = GuardedBuffer(repeating: 99 as UInt8, count: count)
    unsafe set.byte.lookUp(
      ByteLookup(
        table: entries.rawAddress, input: input.rawAddress, output: output.rawAddress,
        count: count))
    comparison.equal(output.elements, bytes.map { table[Int($0)] }, "\(count) bytes")
  }
}
