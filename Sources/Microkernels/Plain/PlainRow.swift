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
  case byteIsLessOrEqual
  // Of bytes that are true unless they are 0.
  case conjunction, disjunction, opposite
  // Conversions, whose second operand does not matter.
  case halfToFloat, wordToFloat, byteToFloat, signedByteToFloat, truthToFloat, longToFloat
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
  @_alwaysEmitIntoClient
  @inline(__always)
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
///
/// As arrays they would be elements of a loop to the compiler, which with AVX-512 takes each from
/// sixteen blocks by itself.
@usableFromInline package typealias PlainBlock<Element: SIMDScalar> = SIMD16<Element>

extension SIMD16 {
  /// The vector of what `element` gives for each location.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ element: (Int) -> Scalar) {
    self.init(
      element(0), element(1), element(2), element(3), element(4), element(5), element(6),
      element(7), element(8), element(9), element(10), element(11), element(12), element(13),
      element(14), element(15))
  }
}

/// Computes the results of two operands' elements.
@_alwaysEmitIntoClient
@inline(__always)
package func plainRow<Element: SIMDScalar & BitwiseCopyable, Result: SIMDScalar & BitwiseCopyable>(
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

  /// A run of these parts.
  package init(input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
  }

  /// The first operand's elements of `row`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ row: PlainRow) {
    unsafe input = row.left
    unsafe output = row.output
    unsafe count = row.count
  }
}

/// Computes the results of one operand's elements.
@_alwaysEmitIntoClient
@inline(__always)
package func plainRun<Element: SIMDScalar & BitwiseCopyable, Result: SIMDScalar & BitwiseCopyable>(
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

/// The same by a loop, of which the compiler makes vectors where it would not of 16 elements written
/// out: where `body` chooses between numbers.
@_alwaysEmitIntoClient
@inline(__always)
package func plainLoop<Element: BitwiseCopyable, Result: BitwiseCopyable>(
  _ run: PlainRun, _ body: (Element) -> Result
) {
  // Results go elsewhere first, 1 KiB of them at most, which is on the stack: where they may replace
  // elements, no vectors are made.
  let most = 128
  unsafe withUnsafeTemporaryAllocation(of: Result.self, capacity: most) { results in
    guard let base = results.baseAddress else { return }
    var start = 0
    while unsafe start < run.count {
      let count = unsafe min(run.count &- start, most)
      let input = unsafe run.input.assumingMemoryBound(to: Element.self) + start
      var index = 0
      while index < count {
        unsafe base[index] = body(input[index])
        index &+= 1
      }
      let size = MemoryLayout<Result>.size
      unsafe (run.output + start &* size).copyMemory(from: base, byteCount: count &* size)
      start &+= count
    }
  }
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
      .truthToWord, .byteIsLessOrEqual, .byteToWord,
      .signedByteToWord, .copiedByte:
      1
    case .halfToFloat: 2
    case .longToWord, .longToFloat: 8
    }
  }

  /// Bytes of a result.
  package var resultSize: Int {
    switch self {
    case .floatIsLess, .floatIsLessOrEqual, .floatIsEqual, .floatIsDifferent, .wordIsLess,
      .wordIsLessOrEqual, .wordIsEqual, .wordIsDifferent, .conjunction, .disjunction, .opposite,
      .floatToTruth, .byteIsLessOrEqual, .floatToByte,
      .floatToSignedByte, .copiedByte:
      1
    case .wordSum, .wordDifference, .wordProduct, .wordMaximum, .wordMinimum, .wordToFloat,
      .byteToFloat, .signedByteToFloat, .truthToFloat, .longToWord, .truthToWord, .byteToWord,
      .signedByteToWord, .longToFloat, .floatToWord, .halfToFloat:
      4
    case .wordToLong, .floatToLong: 8
    }
  }
}

/// `value` within an interval of numbers that floats have; NaN becomes the greatest.
///
/// Without branches: elements are hard to foresee, and compilers multiply branches of several elements.
@_alwaysEmitIntoClient
@inline(__always)
package func limited(_ value: Float, _ lowest: Float, _ highest: Float) -> Float {
  let lower = value < highest ? value : highest
  return lower > lowest ? lower : lowest
}

/// The same without its fraction.
@_alwaysEmitIntoClient
@inline(__always)
package func truncated(_ value: Float, _ lowest: Float, _ highest: Float) -> Float {
  limited(value, lowest, highest).rounded(.towardZero)
}

/// A whole number of at most 2²² as an integer: what it changes of the bits of 1.5 · 2²³.
///
/// A conversion looks whether the number fits, each one by itself.
@_alwaysEmitIntoClient
@inline(__always)
package func smallInteger(_ whole: Float) -> Int32 {
  Int32(bitPattern: (whole + 0x1.8p23).bitPattern) &- 0x4B40_0000
}

/// A whole number from -2³¹ to less than 2³¹ as an integer.
@_alwaysEmitIntoClient
@inline(__always)
package func integer(_ whole: Float) -> Int32 {
  let high = (whole * 0x1p-16).rounded(.towardZero)
  return smallInteger(high) << 16 &+ smallInteger(whole - high * 0x1p16)
}

/// Floats without their fractions as 64-bit integers, the nearest where none has the number; NaN becomes
/// the greatest.
///
/// Vectors can be made of it where lanes can be shifted apart.
@_alwaysEmitIntoClient
@inline(__always)
package func truncate(longs run: PlainRun) {
  unsafe plainLoop(run) { (value: Float) -> Int64 in
    let number = longInteger(limited(value, -0x1p63, 0x1.fffffep62))
    return value < 0x1p63 ? number : .max
  }
}

/// A number from -2⁶³ to less than 2⁶³ without its fraction: its digits shifted by its exponent.
@_alwaysEmitIntoClient
@inline(__always)
package func longInteger(_ value: Float) -> Int64 {
  let bits = value.bitPattern
  let digits = UInt64(bits & 0x7F_FFFF | 0x80_0000)
  let exponent = Int64(bits >> 23 & 0xFF) &- 150
  let (left, right) = (max(exponent, 0), min(max(0 &- exponent, 0), 63))
  let shifted = (digits &<< UInt64(bitPattern: left)) &>> UInt64(bitPattern: right)
  let sign = Int64(Int32(bitPattern: bits) >> 31)
  return (Int64(bitPattern: shifted) ^ sign) &- sign
}
