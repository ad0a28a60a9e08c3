// SPDX-License-Identifier: Apache-2.0

/// Operations on single elements that compilers make vectors of.
@frozen
@usableFromInline
package enum PlainOperation: Sendable, CaseIterable {
  // Comparisons, whose results are bytes of 0 and 1.
  case floatIsLess, floatIsLessOrEqual, floatIsEqual, floatIsDifferent
  case wordIsLess, wordIsLessOrEqual, wordIsEqual, wordIsDifferent
  // Arithmetic of 32-bit integers, modulo 2^32.
  case wordSum, wordDifference, wordProduct, wordMaximum, wordMinimum
  case byteMaximum, signedByteMaximum, byteIsLessOrEqual
  // Of bytes that are true unless they are 0.
  case conjunction, disjunction, opposite
  // Conversions, whose second operand does not matter.
  case wordToFloat, byteToFloat, signedByteToFloat, truthToFloat, longToFloat
  case longToWord, wordToLong, truthToWord, byteToWord, signedByteToWord, copiedByte
  case floatToTruth, floatToWord, floatToLong, floatToByte, floatToSignedByte
}

/// A row of elements of one or two operands, without repetitions.
@unsafe
@frozen
@usableFromInline
package struct PlainRow {
  /// The first operand's elements.
  @usableFromInline package var left: UnsafeRawPointer
  /// The second operand's elements; the first's where there is none.
  @usableFromInline package var right: UnsafeRawPointer
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Elements.
  @usableFromInline package var count: Int

  /// A row of these parts.
  package init(
    left: UnsafeRawPointer, right: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe self.left = left
    unsafe self.right = right
    unsafe self.output = output
    unsafe self.count = count
  }
}

/// Elements that are computed at once: read before any of the results are written, which may take
/// their place.
@usableFromInline package typealias PlainBlock<Element> = InlineArray<16, Element>

/// Computes the results of two operands' elements.
@inlinable
@inline(__always)
package func plainRow<Element: BitwiseCopyable, Result: BitwiseCopyable>(
  _ row: PlainRow, _ body: (_ left: Element, _ right: Element) -> Result
) {
  let left = unsafe row.left.assumingMemoryBound(to: Element.self)
  let right = unsafe row.right.assumingMemoryBound(to: Element.self)
  let output = unsafe row.output.assumingMemoryBound(to: Result.self)
  var start = 0
  while unsafe start &+ 16 <= row.count {
    let a = unsafe UnsafeRawPointer(left + start).loadUnaligned(as: PlainBlock<Element>.self)
    let b = unsafe UnsafeRawPointer(right + start).loadUnaligned(as: PlainBlock<Element>.self)
    let results = PlainBlock<Result> { body(a[$0], b[$0]) }
    unsafe UnsafeMutableRawPointer(output + start).storeBytes(
      of: results, as: PlainBlock<Result>.self)
    start &+= 16
  }
  for index in unsafe start..<row.count { unsafe output[index] = body(left[index], right[index]) }
}

/// A row of elements of one operand.
///
/// Functions that left a part of a row unused would be compiled to weak code.
@unsafe
@frozen
@usableFromInline
package struct PlainRun {
  /// The operand's elements.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Elements.
  @usableFromInline package var count: Int

  /// The first operand's elements of `row`.
  @inlinable
  @inline(__always)
  package init(_ row: PlainRow) {
    unsafe input = row.left
    unsafe output = row.output
    unsafe count = row.count
  }
}

/// Computes the results of one operand's elements.
@inlinable
@inline(__always)
package func plainRun<Element: BitwiseCopyable, Result: BitwiseCopyable>(
  _ run: PlainRun, _ body: (Element) -> Result
) {
  let input = unsafe run.input.assumingMemoryBound(to: Element.self)
  let output = unsafe run.output.assumingMemoryBound(to: Result.self)
  var start = 0
  while unsafe start &+ 16 <= run.count {
    let a = unsafe UnsafeRawPointer(input + start).loadUnaligned(as: PlainBlock<Element>.self)
    let results = PlainBlock<Result> { body(a[$0]) }
    unsafe UnsafeMutableRawPointer(output + start).storeBytes(
      of: results, as: PlainBlock<Result>.self)
    start &+= 16
  }
  for index in unsafe start..<run.count { unsafe output[index] = body(input[index]) }
}

extension PlainOperation {
  /// Bytes of an operand's element.
  package var operandSize: Int {
    switch self {
    case .floatIsLess, .floatIsLessOrEqual, .floatIsEqual, .floatIsDifferent, .wordIsLess,
      .wordIsLessOrEqual, .wordIsEqual, .wordIsDifferent, .wordSum, .wordDifference, .wordProduct,
      .wordMaximum, .wordMinimum, .wordToFloat, .floatToTruth, .wordToLong, .floatToWord,
      .floatToLong, .floatToByte, .floatToSignedByte:
      4
    case .conjunction, .disjunction, .opposite, .byteToFloat, .signedByteToFloat, .truthToFloat,
      .truthToWord, .byteMaximum, .signedByteMaximum, .byteIsLessOrEqual, .byteToWord,
      .signedByteToWord, .copiedByte:
      1
    case .longToWord, .longToFloat: 8
    }
  }

  /// Bytes of a result.
  package var resultSize: Int {
    switch self {
    case .floatIsLess, .floatIsLessOrEqual, .floatIsEqual, .floatIsDifferent, .wordIsLess,
      .wordIsLessOrEqual, .wordIsEqual, .wordIsDifferent, .conjunction, .disjunction, .opposite,
      .floatToTruth, .byteMaximum, .signedByteMaximum, .byteIsLessOrEqual, .floatToByte,
      .floatToSignedByte, .copiedByte:
      1
    case .wordSum, .wordDifference, .wordProduct, .wordMaximum, .wordMinimum, .wordToFloat,
      .byteToFloat, .signedByteToFloat, .truthToFloat, .longToWord, .truthToWord, .byteToWord,
      .signedByteToWord, .longToFloat, .floatToWord:
      4
    case .wordToLong, .floatToLong: 8
    }
  }
}

/// `value` without its fraction, within an interval of numbers that floats have; NaN becomes the
/// greatest.
@inlinable
@inline(__always)
package func truncated(_ value: Float, _ lowest: Float, _ highest: Float) -> Int32 {
  // Without branches: elements are hard to foresee.
  let lower = value < highest ? value : highest
  return Int32(lower > lowest ? lower : lowest)
}
