// SPDX-License-Identifier: Apache-2.0

/// How the greatest or the least element of a row is found in one number format.
protocol RowSearch: Sendable {
  /// Bytes of an element.
  var elementSize: Int { get }

  /// Where the first of a row's extreme elements is.
  func location(in row: UnsafeRawPointer, count: Int) -> Int

  /// Calls `body` with each of some rows of an input, and where its first extreme element is.
  func forEachLocation(
    in rows: Range<Int>, of input: UnsafeRawPointer, rowLength: Int,
    _ body: (_ row: Int, _ location: Int) -> Void)
}

extension RowSearch {
  func forEachLocation(
    in rows: Range<Int>, of input: UnsafeRawPointer, rowLength: Int,
    _ body: (_ row: Int, _ location: Int) -> Void
  ) {
    for row in rows {
      body(row, unsafe location(in: input + row * rowLength * elementSize, count: rowLength))
    }
  }
}

/// The search in rows of 8-bit quantized values.
///
/// Quantized value and position together are one 16-bit number, whose largest stands for the first
/// of the largest quantized values.
struct QuantizedSearch: RowSearch {
  /// Locations that 8 bits hold.
  static let longest = 256

  let elementSize = 1
  private let flip: UInt8

  /// The search for the greatest, or for the least.
  init(isMaximum: Bool, isSigned: Bool) {
    // Numbers are compared as signed: unsigned quantized values move down, and for the least all
    // turn around.
    flip = (isSigned ? 0 : 0x80) ^ (isMaximum ? 0 : 0xFF)
  }

  func location(in row: UnsafeRawPointer, count: Int) -> Int {
    typealias Lanes = SIMD8<Int16>
    let quantizedValues = unsafe row.assumingMemoryBound(to: UInt8.self)
    var best = Lanes(repeating: .min)
    var locations = Lanes(255, 254, 253, 252, 251, 250, 249, 248)
    let flips = SIMD8<UInt8>(repeating: flip)
    var index = 0
    while index + 8 <= count {
      let lanes = unsafe (row + index).loadUnaligned(as: SIMD8<UInt8>.self)
      let high = SIMD8<UInt16>(truncatingIfNeeded: lanes ^ flips) &<< 8
      let keys = Lanes(truncatingIfNeeded: high) | locations
      best.replace(with: keys, where: keys .> best)
      locations &-= 8
      index += 8
    }
    var greatest = best.max()
    while index < count {
      let high = unsafe UInt16(quantizedValues[index] ^ flip) &<< 8
      let key = Int16(bitPattern: high | UInt16(truncatingIfNeeded: 255 - index))
      greatest = max(greatest, key)
      index += 1
    }
    return 255 - Int(greatest & 255)
  }
}

/// The search in rows of floats: first for the number, then for its position.
struct FloatSearch: RowSearch {
  let elementSize = 4
  private let extremum: FloatExtremum
  private let start: Float

  /// The search for the greatest, or for the least.
  init(isMaximum: Bool) {
    extremum = FloatExtremum(isMaximum: isMaximum)
    start = isMaximum ? -.infinity : .infinity
  }

  func location(in row: UnsafeRawPointer, count: Int) -> Int {
    let elements = unsafe row.assumingMemoryBound(to: Float.self)
    let value = unsafe extremum.value(of: elements, count: count, from: start)
    // In a row of NaN alone the first one stays.
    return unsafe extremum.location(of: value, in: elements, count: count) ?? 0
  }
}
