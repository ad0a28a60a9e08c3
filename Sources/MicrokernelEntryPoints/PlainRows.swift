// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  /// A row of an operation on single elements.
  func plainRow(_ row: PlainRow, _ operation: PlainOperation) {
    switch operation {
    case .floatIsLess, .floatIsLessOrEqual, .floatIsEqual, .floatIsDifferent:
      unsafe compareFloats(row, operation)
    case .wordIsLess, .wordIsLessOrEqual, .wordIsEqual, .wordIsDifferent:
      unsafe compareWords(row, operation)
    case .wordSum, .wordDifference, .wordProduct, .wordMaximum, .wordMinimum:
      unsafe computeWords(row, operation)
    case .conjunction, .disjunction, .opposite, .byteIsLessOrEqual:
      unsafe computeBytes(row, operation)
    case .halfToFloat: unsafe widenHalves(PlainRun(row))
    case .wordToFloat, .byteToFloat, .signedByteToFloat, .truthToFloat, .floatToTruth, .longToWord,
      .wordToLong, .truthToWord, .byteToWord, .signedByteToWord, .longToFloat, .copiedByte:
      unsafe convert(PlainRun(row), operation)
    case .floatToWord, .floatToByte, .floatToSignedByte:
      unsafe truncate(PlainRun(row), operation)
    case .floatToLong: unsafe truncateToLongs(PlainRun(row))
    }
  }

  @inline(never)
  func compareFloats(_ row: PlainRow, _ operation: PlainOperation) {
    switch operation {
    case .floatIsLess: unsafe plainRow(row) { (a: Float, b: Float) in UInt8(a < b ? 1 : 0) }
    case .floatIsLessOrEqual: unsafe plainRow(row) { (a: Float, b: Float) in UInt8(a <= b ? 1 : 0) }
    case .floatIsEqual: unsafe plainRow(row) { (a: Float, b: Float) in UInt8(a == b ? 1 : 0) }
    default: unsafe plainRow(row) { (a: Float, b: Float) in UInt8(a != b ? 1 : 0) }
    }
  }

  @inline(never)
  func compareWords(_ row: PlainRow, _ operation: PlainOperation) {
    switch operation {
    case .wordIsLess: unsafe plainRow(row) { (a: Int32, b: Int32) in UInt8(a < b ? 1 : 0) }
    case .wordIsLessOrEqual: unsafe plainRow(row) { (a: Int32, b: Int32) in UInt8(a <= b ? 1 : 0) }
    case .wordIsEqual: unsafe plainRow(row) { (a: Int32, b: Int32) in UInt8(a == b ? 1 : 0) }
    default: unsafe plainRow(row) { (a: Int32, b: Int32) in UInt8(a != b ? 1 : 0) }
    }
  }

  @inline(never)
  func computeWords(_ row: PlainRow, _ operation: PlainOperation) {
    switch operation {
    case .wordSum: unsafe plainRow(row) { (a: Int32, b: Int32) in a &+ b }
    case .wordDifference: unsafe plainRow(row) { (a: Int32, b: Int32) in a &- b }
    case .wordProduct: unsafe plainRow(row) { (a: Int32, b: Int32) in a &* b }
    case .wordMaximum: unsafe plainRow(row) { (a: Int32, b: Int32) in a < b ? b : a }
    default: unsafe plainRow(row) { (a: Int32, b: Int32) in b < a ? b : a }
    }
  }

  @inline(never)
  func computeBytes(_ row: PlainRow, _ operation: PlainOperation) {
    switch operation {
    case .byteIsLessOrEqual:
      unsafe plainRow(row) { (a: UInt8, b: UInt8) in UInt8(a <= b ? 1 : 0) }
    case .conjunction:
      unsafe plainRow(row) { (a: UInt8, b: UInt8) in min(a, 1) & min(b, 1) }
    case .disjunction: unsafe plainRow(row) { (a: UInt8, b: UInt8) in min(a | b, 1) }
    default: unsafe plainRow(row) { (a: UInt8, _: UInt8) in UInt8(a == 0 ? 1 : 0) }
    }
  }

  @inline(never)
  func convert(_ run: PlainRun, _ operation: PlainOperation) {
    switch operation {
    case .wordToFloat: unsafe plainRun(run) { (a: Int32) in Float(a) }
    case .byteToFloat: unsafe plainRun(run) { (a: UInt8) in Float(a) }
    case .signedByteToFloat: unsafe plainRun(run) { (a: Int8) in Float(a) }
    case .truthToFloat: unsafe plainRun(run) { (a: UInt8) in Float(min(a, 1)) }
    case .floatToTruth: unsafe plainRun(run) { (a: Float) in UInt8(a != 0 ? 1 : 0) }
    case .longToWord: unsafe plainRun(run) { (a: Int64) in Int32(truncatingIfNeeded: a) }
    case .truthToWord: unsafe plainRun(run) { (a: UInt8) in Int32(min(a, 1)) }
    case .byteToWord: unsafe plainRun(run) { (a: UInt8) in Int32(a) }
    case .signedByteToWord: unsafe plainRun(run) { (a: Int8) in Int32(a) }
    case .longToFloat: unsafe plainRun(run) { (a: Int64) in Float(a) }
    case .copiedByte: unsafe plainRun(run) { (a: UInt8) in a }
    default: unsafe plainRun(run) { (a: Int32) in Int64(a) }
    }
  }

  @inline(never)
  func widenHalves(_ run: PlainRun) { unsafe widen(halves: run) }

  @inline(never)
  func truncate(_ run: PlainRun, _ operation: PlainOperation) {
    switch operation {
    case .floatToWord:
      unsafe plainLoop(run) { (a: Float) -> Int32 in
        // The greatest number is none that floats have.
        let number = integer(truncated(a, -0x1p31, 0x1.fffffep30))
        return a < 0x1p31 ? number : .max
      }
    case .floatToByte:
      unsafe plainLoop(run) { (a: Float) in
        UInt8(truncatingIfNeeded: smallInteger(truncated(a, 0, 255)))
      }
    default:
      unsafe plainLoop(run) { (a: Float) in
        Int8(truncatingIfNeeded: smallInteger(truncated(a, -128, 127)))
      }
    }
  }

  @inline(never)
  func truncateToLongs(_ run: PlainRun) { unsafe truncate(longs: run) }
#endif
