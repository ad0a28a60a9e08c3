// SPDX-License-Identifier: Apache-2.0

/// Rows of complex numbers in double precision, whose transforms are computed side by side.
///
/// Number `i` of the rows is two vectors, the real parts and the imaginary ones, each with a lane
/// for every row.
@unsafe
@frozen
@usableFromInline
package struct FourierRows {
  /// A number's parts for each row.
  @usableFromInline package typealias Lanes = SIMD8<Double>
  /// Bytes of a number of all rows.
  @usableFromInline package static var numberByteCount: Int { 2 &* MemoryLayout<Lanes>.stride }

  /// The numbers, in bit-reversed order; their transforms afterwards, in order.
  @usableFromInline package var numbers: UnsafeMutableRawPointer
  /// Numbers of a row, a power of two.
  @usableFromInline package var count: Int
  /// `cos(2π k / count)` for the first half of all k.
  @usableFromInline package var cosines: UnsafePointer<Double>
  /// `sin(2π k / count)` for the first half of all k.
  @usableFromInline package var sines: UnsafePointer<Double>

  /// Rows of `count` numbers.
  package init(
    numbers: UnsafeMutableRawPointer, count: Int, cosines: UnsafePointer<Double>,
    sines: UnsafePointer<Double>
  ) {
    unsafe self.numbers = numbers
    unsafe self.count = count
    unsafe self.cosines = cosines
    unsafe self.sines = sines
  }
}

/// Replaces the numbers by their transforms: those of length 2, 4, … are put together from two of
/// half the length each, with the operations of the reference kernel in its order.
///
/// Parts of a row that stay in the first-level cache are finished one after the other.
@_alwaysEmitIntoClient
@inline(__always)
package func transformRows(_ rows: FourierRows) {
  let count = unsafe rows.count
  let part = min(count, 128)
  var first = 0
  while first < count {
    var length = 2
    while length <= part {
      unsafe joinRows(rows, first, first &+ part, length: length)
      length &*= 2
    }
    first &+= part
  }
  var length = 2 &* part
  while length <= count {
    unsafe joinRows(rows, 0, count, length: length)
    length &*= 2
  }
}

/// Puts the transforms of a length together that lie from one number to another.
@_alwaysEmitIntoClient
@inline(__always)
func joinRows(_ rows: FourierRows, _ first: Int, _ end: Int, length: Int) {
  typealias Lanes = FourierRows.Lanes
  let size = MemoryLayout<Lanes>.stride
  let (half, step) = unsafe (length / 2, rows.count / length)
  var start = first
  while start < end {
    for index in 0..<half {
      let lower = unsafe rows.numbers + (start &+ index) &* FourierRows.numberByteCount
      let upper = unsafe lower + half &* FourierRows.numberByteCount
      let (c, s) = unsafe (rows.cosines[index &* step], rows.sines[index &* step])
      let odd = unsafe upper.load(as: Lanes.self)
      let oddIm = unsafe upper.load(fromByteOffset: size, as: Lanes.self)
      let (turned, turnedIm) = (odd * c + oddIm * s, oddIm * c - odd * s)
      let even = unsafe lower.load(as: Lanes.self)
      let evenIm = unsafe lower.load(fromByteOffset: size, as: Lanes.self)
      unsafe upper.storeBytes(of: even - turned, as: Lanes.self)
      unsafe upper.storeBytes(of: evenIm - turnedIm, toByteOffset: size, as: Lanes.self)
      unsafe lower.storeBytes(of: even + turned, as: Lanes.self)
      unsafe lower.storeBytes(of: evenIm + turnedIm, toByteOffset: size, as: Lanes.self)
    }
    start &+= length
  }
}
