// SPDX-License-Identifier: Apache-2.0

/// A column whose factor the fast form of `ByteFinish` does not take: trained networks have some
/// channels with factors close to zero.
@usableFromInline
package struct ByteException: Sendable {
  /// Its position in the packed order.
  let position: Int
  /// Its index among the columns of the output.
  let column: Int
  /// The factor.
  let factor: ByteFactor
}

/// Such columns of a block, by position.
@unsafe
@frozen
@usableFromInline
package struct ByteExceptions {
  private let first: UnsafePointer<ByteException>?
  private let count: Int
  /// The position of the block's first column.
  var origin: Int

  /// Those of `count` exceptions of a whole operator that are asked for by a block whose first
  /// column is at `origin`.
  init(_ first: UnsafePointer<ByteException>? = nil, count: Int = 0, origin: Int = 0) {
    unsafe self.first = first
    unsafe self.count = count
    unsafe self.origin = origin
  }

  /// Whether any column in `range`, counted from the block's first, is one.
  func isEmpty(in range: Range<Int>) -> Bool {
    unsafe count == 0 || lowerBound(range.lowerBound) == lowerBound(range.upperBound)
  }

  /// The position of the first one from `position` on, counted from the block's first column; `end`
  /// if none is before it.
  func first(from position: Int, before end: Int) -> Int {
    guard let first = unsafe first else { return end }
    let index = unsafe lowerBound(position)
    return unsafe index < count ? min(first[index].position &- origin, end) : end
  }

  /// Calls `body` for each column in `range` that is one: with its position in the range and, from
  /// the block's first column on, in the output.
  func forEach(
    in range: Range<Int>, _ body: (_ position: Int, _ column: Int, _ factor: ByteFactor) -> Void
  ) {
    guard let first = unsafe first else { return }
    var index = unsafe lowerBound(range.lowerBound)
    while unsafe index < count {
      let exception = unsafe first[index]
      let position = unsafe exception.position &- origin
      guard position < range.upperBound else { return }
      unsafe body(position &- range.lowerBound, exception.column &- origin, exception.factor)
      index &+= 1
    }
  }

  /// How many lie before a position of the block.
  private func lowerBound(_ position: Int) -> Int {
    guard let first = unsafe first else { return 0 }
    var range = unsafe 0..<count
    while !range.isEmpty {
      let middle = (range.lowerBound &+ range.upperBound) / 2
      if unsafe first[middle].position &- origin < position {
        range = middle &+ 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

extension ByteFinish {
  /// Writes the quantized value of the sum at `sums`, whose column is an exception with this
  /// factor.
  func finishException(
    _ factor: ByteFactor, _ sums: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let scaled = unsafe exactlyScaled(
      sums.load(as: Int32.self), significand: factor.significand, exponent: factor.exponent,
      roundsTwice: roundsTwice, shiftsHalvesAway: shiftsHalvesAway)
    let quantized = unsafe min(max(scaled &+ zeroPoint, lowest), highest)
    unsafe output.storeBytes(of: UInt8(truncatingIfNeeded: quantized), as: UInt8.self)
  }
}
