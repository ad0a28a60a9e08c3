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
}

/// How a kernel's sums become its output, with the factors of all columns.
package struct ByteScaling: Sendable {
  private let memory: AlignedMemory
  private let planeStride: Int
  private let form: ByteFinish.Form
  private let roundsTwice: Bool
  private let shiftsHalvesAway: Bool
  private let scalesInSteps: Bool
  private let takesRoundedProducts: Bool
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
  /// `sumBound` is what no sum exceeds in magnitude. `sumRange` gives the least and the greatest sum
  /// of a column: it is asked for columns that the fast form may not take otherwise. Trained
  /// networks have channels with tiny weights and a large bias, whose quantized values are all the
  /// same.
  package init(
    factors: [ByteFactor], roundsTwice: Bool, shiftsHalvesUp: Bool = false, positions: [Int?],
    sumBound: Int64, sumRange: ByteSumRange? = nil, output: ByteOutput
  ) {
    self.output = output
    self.roundsTwice = roundsTwice
    let rule = ByteColumnRule(
      roundsTwice: roundsTwice, shiftsHalvesAway: !shiftsHalvesUp, sumBound: sumBound,
      output: output)
    func factor(_ column: Int) -> ByteFactor { factors.count == 1 ? factors[0] : factors[column] }
    let columns = positions.map { column in
      column.map { rule.column(factor($0), $0, sumRange) } ?? .constant(output.zeroPoint)
    }
    let facts = ColumnFacts(columns, at: positions)
    let isFast =
      output.isRegular
      && facts.exceptionCount * Self.columnsPerException <= facts.columnCount
    form = isFast ? .fast : .exact
    exceptionCount = isFast ? facts.exceptionCount : 0
    exceptions = Self.stored(
      exceptionCount == 0
        ? []
        : positions.indices.compactMap { position in
          guard case .exception = columns[position], let column = positions[position] else {
            return nil
          }
          // Columns count from the operator's or group's first.
          return ByteException(
            position: position, column: column - facts.first, factor: factor(column))
        })
    let isRectified = isFast && output.lowest >= output.zeroPoint
    shiftsHalvesAway = roundsTwice && !shiftsHalvesUp && !isRectified
    scalesInSteps = isFast && (shiftsHalvesAway || facts.isLifted)
    takesRoundedProducts = isFast && roundsTwice && !facts.isLifted
    planeStride = roundedUp(positions.count, to: 2) * 4
    memory = AlignedMemory(zeroed: planeStride * 10)
    if isFast {
      storeFast(columns)
    } else {
      for (position, column) in positions.enumerated() {
        guard let column else { continue }
        store(factor(column).significand, plane: 0, position)
        store(factor(column).exponent, plane: 1, position)
      }
    }
  }

  /// What is to be known of all columns before any is stored.
  private struct ColumnFacts {
    /// Columns but for padding.
    var columnCount = 0
    /// The least of them.
    var first = Int.max
    /// Columns that the fast form leaves out.
    var exceptionCount = 0
    /// Whether sums of any column are shifted left before they are scaled.
    var isLifted = false

    init(_ columns: [ByteColumnRule.Column], at positions: [Int?]) {
      for (position, column) in positions.enumerated() {
        guard let column else { continue }
        columnCount &+= 1
        first = min(first, column)
        if case .exception = columns[position] { exceptionCount &+= 1 }
        isLifted = isLifted || columns[position].lift != nil
      }
    }
  }

  private static func stored(_ exceptions: [ByteException]) -> AlignedMemory {
    let memory = AlignedMemory(
      zeroed: exceptions.count * MemoryLayout<ByteException>.stride)
    let target = unsafe memory.address.bindMemory(
      to: ByteException.self, capacity: exceptions.count)
    for (index, exception) in exceptions.enumerated() { unsafe target[index] = exception }
    return memory
  }

  @inline(__always)
  private func store(_ word: Int32, plane: Int, _ position: Int) {
    unsafe memory.address.storeBytes(
      of: word, toByteOffset: plane &* planeStride &+ position &* 4, as: Int32.self)
  }

  private func store(number: Float, plane: Int, _ position: Int) {
    store(Int32(bitPattern: number.bitPattern), plane: plane, position)
  }

  private static func powerOfTwo(_ exponent: Int32) -> Float {
    Float(sign: .plus, exponent: Int(exponent), significand: 1)
  }

  /// Writes the constants of the fast form; see `ByteFinish` for the formula.
  private func storeFast(_ columns: [ByteColumnRule.Column]) {
    // Values are stored as signed bytes.
    let bias: Int32 = output.isSigned ? 0 : 128
    let rounding: Int64 = roundsTwice ? 1 << 31 : 0
    let excess: Int32 = scalesInSteps ? 0 : 1
    for (position, column) in columns.enumerated() {
      var (significand, shift, addedValue) = (0 as Int32, 1 as Int32, output.zeroPoint)
      switch column {
      case .factor(let factor):
        (significand, shift) = (factor.significand, max(0 &- factor.exponent, 0))
      case .constant(let value): addedValue = value
      case .exception: break
      }
      // Shifts are 0 to 21 here, so there is nothing to check.
      let addend = (1 &<< Int64(shift)) >> 1 &+ Int64(addedValue &- bias) &<< Int64(shift)
      let doubled = addend &<< 32 &+ rounding
      store(significand, plane: 0, position)
      store(shift &- excess, plane: 1, position)
      unsafe memory.address.storeBytes(
        of: doubled &>> Int64(excess),
        toByteOffset: (2 &+ position & 1) &* planeStride &+ position / 2 &* 8, as: Int64.self)
      let lift = 1 &+ (column.lift ?? 0)
      let losesSign = shiftsHalvesAway && shift > 0
      store(lift, plane: 4, position)
      store(losesSign ? 31 : 32, plane: 5, position)
      store(Int32(truncatingIfNeeded: addend), plane: 6, position)
      let unit = Self.powerOfTwo(0 &- shift)
      store(number: Float(significand) * Self.powerOfTwo(lift &- 32) * unit, plane: 7, position)
      store(number: Float(doubled) * Self.powerOfTwo(-32) * unit - 0.5, plane: 8, position)
      store(number: losesSign ? unit : 0, plane: 9, position)
    }
  }

  /// Quantized values by `Double` factors: one for all columns, or one for each.
  package init(factors: [Double], positions: [Int?], output: ByteOutput) {
    self.output = output
    (roundsTwice, shiftsHalvesAway) = (false, false)
    (scalesInSteps, takesRoundedProducts) = (false, false)
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
  /// What blocks need for the sums themselves; valid for ever.
  package nonisolated(unsafe) static let sums = unsafe none.finish()

  private init() {
    output = ByteOutput(zeroPoint: 0, lowest: 0, highest: 0, isSigned: true)
    (roundsTwice, shiftsHalvesAway) = (false, false)
    (scalesInSteps, takesRoundedProducts) = (false, false)
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
    let whole = unsafe ByteFinish(
      form: form, roundsTwice: roundsTwice, shiftsHalvesAway: shiftsHalvesAway,
      scalesInSteps: scalesInSteps, takesRoundedProducts: takesRoundedProducts,
      table: UnsafeRawPointer(memory.address),
      planeStride: planeStride, zeroPoint: output.zeroPoint, lowest: output.lowest,
      highest: output.highest, isSigned: output.isSigned,
      exceptions: ByteExceptions(
        UnsafePointer(exceptions.address.assumingMemoryBound(to: ByteException.self)),
        count: exceptionCount))
    return unsafe whole.advanced(to: position)
  }
}

extension ByteFinish {
  /// What a block needs whose first column is at `position`, where this is what the block needs whose
  /// first is at 0.
  package func advanced(to position: Int) -> ByteFinish {
    let entryByteCount = unsafe form == .real ? 8 : form == .sums ? 0 : 4
    var finish = unsafe self
    unsafe finish.table += position * entryByteCount
    unsafe finish.exceptions.origin = position
    return unsafe finish
  }
}

extension ByteGemmLayout {
  /// The order of a product's columns, for `ByteScaling`: their own, padded to whole panels.
  package func positions(columnCount: Int) -> [Int?] {
    (0..<roundedUp(columnCount, to: panelWidth)).map { $0 < columnCount ? $0 : nil }
  }
}
