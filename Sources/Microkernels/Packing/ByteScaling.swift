// SPDX-License-Identifier: Apache-2.0

/// The codes that an 8-bit operator may yield.
package struct ByteOutput: Sendable {
  /// The zero point.
  package let zeroPoint: Int32
  /// The least code.
  package let lowest: Int32
  /// The greatest code.
  package let highest: Int32
  /// Whether codes are `Int8` rather than `UInt8`.
  package let isSigned: Bool

  /// Codes of this interval, which lies within that of the type.
  package init(zeroPoint: Int32, lowest: Int32, highest: Int32, isSigned: Bool) {
    self.zeroPoint = zeroPoint
    self.lowest = lowest
    self.highest = highest
    self.isSigned = isSigned
  }

  /// Whether the fast form may rely on it: damaged models may have zero points out of range.
  fileprivate var isRegular: Bool {
    let codes: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
    return codes.contains(zeroPoint) && codes.contains(lowest) && codes.contains(highest)
  }
}

/// A fixed-point factor: `significand · 2^(exponent − 31)`.
package struct ByteFactor: Sendable, Equatable {
  /// The leading 31 bits.
  package let significand: Int32
  /// The power of two.
  package let exponent: Int32

  /// The factor of these parts.
  package init(significand: Int32, exponent: Int32) {
    self.significand = significand
    self.exponent = exponent
  }

  /// Whether the fast form of `ByteFinish` applies.
  fileprivate var isFast: Bool {
    significand == 0 || (significand > 0 && (-21 ... -1).contains(exponent))
  }
}

/// How a kernel's sums become its output, with the factors of all columns.
package struct ByteScaling: Sendable {
  private let memory: AlignedMemory
  private let positionCount: Int
  private let form: ByteFinish.Form
  private let roundsTwice: Bool
  private let output: ByteOutput

  /// Codes by fixed-point factors: one for all columns, or one for each.
  ///
  /// `positions` gives the column at each position of the packed order, nil for padding;
  /// `sumBound` is what no sum exceeds in magnitude.
  package init(
    factors: [ByteFactor], roundsTwice: Bool, positions: [Int?], sumBound: Int64,
    output: ByteOutput
  ) {
    self.output = output
    self.roundsTwice = roundsTwice
    positionCount = positions.count
    let isFast = output.isRegular && sumBound < 1 << 30 && factors.allSatisfy(\.isFast)
    form = isFast ? .fast : .exact
    memory = AlignedMemory(zeroed: positions.count * 8)
    let significands = unsafe memory.address.assumingMemoryBound(to: Int32.self)
    let exponents = unsafe significands + positions.count
    for (position, column) in positions.enumerated() {
      let factor = column.map { factors.count == 1 ? factors[0] : factors[$0] }
      let significand = factor?.significand ?? 0
      unsafe significands[position] = significand
      unsafe exponents[position] =
        isFast && significand == 0 ? -1 : factor?.exponent ?? -1
    }
  }

  /// Codes by `Double` factors: one for all columns, or one for each.
  package init(factors: [Double], positions: [Int?], output: ByteOutput) {
    self.output = output
    roundsTwice = false
    positionCount = positions.count
    form = .real
    memory = AlignedMemory(zeroed: positions.count * 8)
    let target = unsafe memory.address.assumingMemoryBound(to: Double.self)
    for (position, column) in positions.enumerated() {
      unsafe target[position] = column.map { factors.count == 1 ? factors[0] : factors[$0] } ?? 0
    }
  }

  /// The sums themselves.
  package init() {
    output = ByteOutput(zeroPoint: 0, lowest: 0, highest: 0, isSigned: true)
    roundsTwice = false
    positionCount = 0
    form = .sums
    memory = AlignedMemory(zeroed: 0)
  }

  /// Whether the fast form is used; for tests.
  package var isFast: Bool { form == .fast }

  /// What a block whose first column is at `position` needs; valid while this value lives.
  @unsafe
  package func finish(from position: Int = 0) -> ByteFinish {
    let words = unsafe UnsafePointer(memory.address.assumingMemoryBound(to: Int32.self))
    let doubles = unsafe UnsafePointer(memory.address.assumingMemoryBound(to: Double.self))
    // Only the pointers that the form uses are inside the allocation.
    let isFixedPoint = form == .fast || form == .exact
    return unsafe ByteFinish(
      form: form, roundsTwice: roundsTwice, significands: isFixedPoint ? words + position : words,
      exponents: isFixedPoint ? words + positionCount + position : words,
      factors: form == .real ? doubles + position : doubles, zeroPoint: output.zeroPoint,
      lowest: output.lowest, highest: output.highest, isSigned: output.isSigned)
  }
}

extension ByteGemmLayout {
  /// The order of a product's columns, for `ByteScaling`: their own, padded to whole panels.
  package func positions(columnCount: Int) -> [Int?] {
    (0..<roundedUp(columnCount, to: panelWidth)).map { $0 < columnCount ? $0 : nil }
  }
}
