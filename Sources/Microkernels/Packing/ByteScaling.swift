// SPDX-License-Identifier: Apache-2.0

/// The quantized values that an 8-bit operator may yield.
package struct ByteOutput: Sendable {
  /// The zero point.
  package let zeroPoint: Int32
  /// The least quantized value.
  package let lowest: Int32
  /// The greatest quantized value.
  package let highest: Int32
  /// Whether quantized values are `Int8` rather than `UInt8`.
  package let isSigned: Bool

  /// Quantized values of this interval, which lies within that of the type.
  package init(zeroPoint: Int32, lowest: Int32, highest: Int32, isSigned: Bool) {
    self.zeroPoint = zeroPoint
    self.lowest = lowest
    self.highest = highest
    self.isSigned = isSigned
  }

  /// Whether the fast form may rely on it: damaged models may have zero points out of range.
  fileprivate var isRegular: Bool {
    let values: ClosedRange<Int32> = isSigned ? -128...127 : 0...255
    return values.contains(zeroPoint) && values.contains(lowest) && values.contains(highest)
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

  /// Whether the formula of the fast form of `ByteFinish` holds.
  fileprivate var isRegular: Bool {
    significand == 0 || (significand > 0 && (-21 ... -1).contains(exponent))
  }

  /// Whether the fast form applies to sums of up to `sumBound`: by its formula, or as all of them
  /// are rounded to 0.
  fileprivate func isFast(_ sumBound: Int64) -> Bool {
    guard !isRegular else { return true }
    guard significand > 0, (-31 ..< -21).contains(exponent), sumBound < 1 << 30 else {
      return false
    }
    return (sumBound * Int64(significand)) >> 31 + 1 < 1 << Int64(0 - exponent - 1)
  }
}

/// How a kernel's sums become its output, with the factors of all columns.
package struct ByteScaling: Sendable {
  private let memory: AlignedMemory
  private let planeStride: Int
  private let form: ByteFinish.Form
  private let roundsTwice: Bool
  private let shiftsHalvesAway: Bool
  private let output: ByteOutput
  /// The columns that the fast form leaves out, one `ByteException` behind the other.
  private let exceptions: AlignedMemory
  private let exceptionCount: Int

  /// So many columns, at least, come with each exception: one by one they take much longer.
  private static let columnsPerException = 4

  /// Quantized values by fixed-point factors: one for all columns, or one for each.
  ///
  /// The second of two roundings takes halves away from zero, or towards +∞ with `shiftsHalvesUp`.
  /// `positions` gives the column at each position of the packed order, nil for padding;
  /// `sumBound` is what no sum exceeds in magnitude.
  package init(
    factors: [ByteFactor], roundsTwice: Bool, shiftsHalvesUp: Bool = false, positions: [Int?],
    sumBound: Int64, output: ByteOutput
  ) {
    self.output = output
    self.roundsTwice = roundsTwice
    var columnCount = 0
    var slow: [ByteException] = []
    // Columns count from the operator's or group's first.
    var first = Int.max
    for (position, column) in positions.enumerated() {
      guard let column else { continue }
      columnCount += 1
      first = min(first, column)
      let factor = factors.count == 1 ? factors[0] : factors[column]
      guard !factor.isFast(sumBound) else { continue }
      slow.append(ByteException(position: position, column: column, factor: factor))
    }
    let isFast =
      output.isRegular && sumBound < 1 << 30
      && slow.count * Self.columnsPerException <= columnCount
    form = isFast ? .fast : .exact
    exceptionCount = isFast ? slow.count : 0
    exceptions = Self.stored(
      slow.prefix(exceptionCount).map {
        ByteException(position: $0.position, column: $0.column - first, factor: $0.factor)
      })
    let isRectified = isFast && output.lowest >= output.zeroPoint
    shiftsHalvesAway = roundsTwice && !shiftsHalvesUp && !isRectified
    planeStride = roundedUp(positions.count, to: 2) * 4
    memory = AlignedMemory(zeroed: planeStride * 4)
    for (position, column) in positions.enumerated() {
      let factor = column.map { factors.count == 1 ? factors[0] : factors[$0] } ?? Self.nothing
      if isFast {
        storeFast(factor.isRegular ? factor : Self.nothing, position)
      } else {
        store(factor.significand, plane: 0, position)
        store(factor.exponent, plane: 1, position)
      }
    }
  }

  /// What makes every sum the zero point.
  private static let nothing = ByteFactor(significand: 0, exponent: -1)

  private static func stored(_ exceptions: [ByteException]) -> AlignedMemory {
    let memory = AlignedMemory(
      zeroed: exceptions.count * MemoryLayout<ByteException>.stride)
    let target = unsafe memory.address.bindMemory(
      to: ByteException.self, capacity: exceptions.count)
    for (index, exception) in exceptions.enumerated() { unsafe target[index] = exception }
    return memory
  }

  private func store(_ word: Int32, plane: Int, _ position: Int) {
    unsafe memory.address.storeBytes(
      of: word, toByteOffset: plane * planeStride + position * 4, as: Int32.self)
  }

  /// Writes the constants of the fast form; see `ByteFinish` for the formula.
  private func storeFast(_ factor: ByteFactor, _ position: Int) {
    let shift = factor.significand == 0 ? 1 : 0 - factor.exponent
    let zeroPoint = Int64(output.zeroPoint - (output.isSigned ? 0 : 128))
    // Shifts are 1 to 21 here, so there is nothing to check.
    let addend = 1 &<< Int64(shift - 1) + zeroPoint &<< Int64(shift)
    let doubled = addend &<< 32 + (roundsTwice ? 1 << 31 : 0)
    store(factor.significand, plane: 0, position)
    store(shiftsHalvesAway ? shift : shift - 1, plane: 1, position)
    unsafe memory.address.storeBytes(
      of: shiftsHalvesAway ? doubled : doubled >> 1,
      toByteOffset: (2 + position % 2) * planeStride + position / 2 * 8, as: Int64.self)
  }

  /// Quantized values by `Double` factors: one for all columns, or one for each.
  package init(factors: [Double], positions: [Int?], output: ByteOutput) {
    self.output = output
    (roundsTwice, shiftsHalvesAway) = (false, false)
    (exceptions, exceptionCount) = (Self.stored([]), 0)
    planeStride = 0
    form = .real
    memory = AlignedMemory(zeroed: positions.count * 8)
    let target = unsafe memory.address.assumingMemoryBound(to: Double.self)
    for (position, column) in positions.enumerated() {
      unsafe target[position] = column.map { factors.count == 1 ? factors[0] : factors[$0] } ?? 0
    }
  }

  /// The sums themselves.
  package static let none = ByteScaling()

  private init() {
    output = ByteOutput(zeroPoint: 0, lowest: 0, highest: 0, isSigned: true)
    (roundsTwice, shiftsHalvesAway) = (false, false)
    (exceptions, exceptionCount) = (Self.stored([]), 0)
    planeStride = 0
    form = .sums
    memory = AlignedMemory(zeroed: 0)
  }

  /// Whether the fast form is used; for tests.
  package var isFast: Bool { form == .fast }

  /// What a block whose first column is at `position` needs; valid while this value lives.
  @unsafe
  package func finish(from position: Int = 0) -> ByteFinish {
    let entryByteCount = form == .real ? 8 : form == .sums ? 0 : 4
    return unsafe ByteFinish(
      form: form, roundsTwice: roundsTwice, shiftsHalvesAway: shiftsHalvesAway,
      table: UnsafeRawPointer(memory.address) + position * entryByteCount,
      planeStride: planeStride, zeroPoint: output.zeroPoint, lowest: output.lowest,
      highest: output.highest, isSigned: output.isSigned,
      exceptions: ByteExceptions(
        UnsafePointer(exceptions.address.assumingMemoryBound(to: ByteException.self)),
        count: exceptionCount, origin: position))
  }
}

extension ByteGemmLayout {
  /// The order of a product's columns, for `ByteScaling`: their own, padded to whole panels.
  package func positions(columnCount: Int) -> [Int?] {
    (0..<roundedUp(columnCount, to: panelWidth)).map { $0 < columnCount ? $0 : nil }
  }
}
