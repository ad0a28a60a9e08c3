// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A matrix that is copied to where its rows are columns.
///
/// Element `(i, j)` lies `i · inputStep + j` elements behind the first in the input, and
/// `i + j · outputStep` in the output.
@unsafe
struct TransposedMatrix {
  let input: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let rowCount: Int
  let columnCount: Int
  let inputStep: Int
  let outputStep: Int

  /// Bytes from one row of the output to the next, of which rows at a multiple share few places in the
  /// first-level cache.
  private static let sharedStep = 1024

  /// Copies elements of `unit` bytes: tiles whose rows and columns are in the first-level cache.
  func copy(unit: Int) {
    switch unit {
    case 1: unsafe copy(ByteTile.self)
    case 2: unsafe copy(HalfWordTile.self)
    case 4: unsafe copy(WordTile.self)
    default: unsafe copy(LongWordTile.self)
    }
  }

  private func copy<Tile: TransposedTile>(_: Tile.Type) {
    let (side, unit) = (Tile.side, MemoryLayout<Tile.Unit>.size)
    let wholeRows = unsafe rowCount / side * side
    let wholeColumns = unsafe columnCount / side * side
    // As many columns as a cache line holds, so that it is read once, unless what they are written to
    // would not stay in the cache.
    let isShared = unsafe (outputStep &* unit).isMultiple(of: Self.sharedStep)
    let step = isShared ? side : 64 / unit
    for first in stride(from: 0, to: wholeColumns, by: step) {
      let end = min(first &+ step, wholeColumns)
      for row in stride(from: 0, to: wholeRows, by: side) {
        var column = first
        while column < end {
          unsafe Tile.copy(
            input + (row &* inputStep &+ column) &* unit, inputStep &* unit,
            to: output + (column &* outputStep &+ row) &* unit, outputStep &* unit)
          column &+= side
        }
      }
    }
    unsafe copyRest(Tile.Unit.self, rows: wholeRows..<rowCount, columns: 0..<columnCount)
    unsafe copyRest(Tile.Unit.self, rows: 0..<wholeRows, columns: wholeColumns..<columnCount)
  }

  /// Copies elements one by one, in runs that are read from few cache lines.
  private func copyRest<Unit: BitwiseCopyable>(
    _: Unit.Type, rows: Range<Int>, columns: Range<Int>
  ) {
    let input = unsafe input.assumingMemoryBound(to: Unit.self)
    let output = unsafe output.assumingMemoryBound(to: Unit.self)
    if rows.count < columns.count, rows.count < 8 {
      // The longer loop is the inner one.
      for row in rows {
        for column in columns {
          unsafe output[column &* outputStep &+ row] = input[row &* inputStep &+ column]
        }
      }
      return
    }
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: 64) {
      let part = first..<min(first + 64, rows.upperBound)
      for column in columns {
        for row in part {
          unsafe output[column &* outputStep &+ row] = input[row &* inputStep &+ column]
        }
      }
    }
  }
}

/// A square of elements that registers hold.
private protocol TransposedTile {
  associatedtype Unit: BitwiseCopyable
  static var side: Int { get }
  /// Copies a tile; steps are bytes from one row of the input, or the output, to the next.
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int)
}

/// 8 × 8 bytes.
private enum ByteTile: TransposedTile {
  typealias Unit = UInt8
  static var side: Int { 8 }

  @inline(__always)
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int
  ) {
    // Bytes, then pairs, then fours of neighboring rows by turns.
    let (a, b) = unsafe (pair(input, inputStep, 0), pair(input, inputStep, 2))
    let (c, d) = unsafe (pair(input, inputStep, 4), pair(input, inputStep, 6))
    let (e, f) = byTurns(pairs(a), pairs(b))
    let (g, h) = byTurns(pairs(c), pairs(d))
    let (first, second) = byTurns(fours(e), fours(g))
    let (third, fourth) = byTurns(fours(f), fours(h))
    unsafe store(first, to: output, outputStep)
    unsafe store(second, to: output + 2 &* outputStep, outputStep)
    unsafe store(third, to: output + 4 &* outputStep, outputStep)
    unsafe store(fourth, to: output + 6 &* outputStep, outputStep)
  }

  /// The bytes of two rows by turns.
  @inline(__always)
  private static func pair(
    _ input: UnsafeRawPointer, _ step: Int, _ row: Int
  ) -> SIMD16<UInt8> {
    let upper = unsafe input.loadUnaligned(fromByteOffset: row &* step, as: SIMD8<UInt8>.self)
    let lower = unsafe input.loadUnaligned(
      fromByteOffset: (row &+ 1) &* step, as: SIMD8<UInt8>.self)
    return SIMD16(
      upper[0], lower[0], upper[1], lower[1], upper[2], lower[2], upper[3], lower[3], upper[4],
      lower[4], upper[5], lower[5], upper[6], lower[6], upper[7], lower[7])
  }

  @inline(__always)
  private static func pairs(_ bytes: SIMD16<UInt8>) -> SIMD8<UInt16> {
    unsafe unsafeBitCast(bytes, to: SIMD8<UInt16>.self)
  }

  @inline(__always)
  private static func fours(_ pairs: SIMD8<UInt16>) -> SIMD4<UInt32> {
    unsafe unsafeBitCast(pairs, to: SIMD4<UInt32>.self)
  }

  /// Writes two rows.
  @inline(__always)
  private static func store(
    _ rows: SIMD4<UInt32>, to output: UnsafeMutableRawPointer, _ step: Int
  ) {
    let halves = unsafe unsafeBitCast(rows, to: SIMD2<UInt64>.self)
    unsafe output.storeBytes(of: halves[0], as: UInt64.self)
    unsafe output.storeBytes(of: halves[1], toByteOffset: step, as: UInt64.self)
  }
}

/// 8 × 8 elements of two bytes.
private enum HalfWordTile: TransposedTile {
  typealias Unit = UInt16
  private typealias Lanes = SIMD8<UInt16>
  static var side: Int { 8 }

  @inline(__always)
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int
  ) {
    let (a, b) = unsafe pair(input, inputStep, 0)
    let (c, d) = unsafe pair(input, inputStep, 2)
    let (e, f) = unsafe pair(input, inputStep, 4)
    let (g, h) = unsafe pair(input, inputStep, 6)
    unsafe storeColumns(a, c, e, g, to: output, outputStep)
    unsafe storeColumns(b, d, f, h, to: output + 4 &* outputStep, outputStep)
  }

  /// The elements of two rows by turns.
  @inline(__always)
  private static func pair(
    _ input: UnsafeRawPointer, _ step: Int, _ row: Int
  ) -> (SIMD4<UInt32>, SIMD4<UInt32>) {
    let (low, high) = unsafe byTurns(
      input.loadUnaligned(fromByteOffset: row &* step, as: Lanes.self),
      input.loadUnaligned(fromByteOffset: (row &+ 1) &* step, as: Lanes.self))
    return unsafe (
      unsafeBitCast(low, to: SIMD4<UInt32>.self), unsafeBitCast(high, to: SIMD4<UInt32>.self)
    )
  }
}

/// 4 × 4 elements of four bytes.
private enum WordTile: TransposedTile {
  typealias Unit = UInt32
  private typealias Lanes = SIMD4<UInt32>
  static var side: Int { 4 }

  @inline(__always)
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int
  ) {
    let a = unsafe input.loadUnaligned(as: Lanes.self)
    let b = unsafe input.loadUnaligned(fromByteOffset: inputStep, as: Lanes.self)
    let c = unsafe input.loadUnaligned(fromByteOffset: 2 &* inputStep, as: Lanes.self)
    let d = unsafe input.loadUnaligned(fromByteOffset: 3 &* inputStep, as: Lanes.self)
    unsafe storeColumns(a, b, c, d, to: output, outputStep)
  }
}

/// 2 × 2 elements of eight bytes.
private enum LongWordTile: TransposedTile {
  typealias Unit = UInt64
  private typealias Lanes = SIMD2<UInt64>
  static var side: Int { 2 }

  @inline(__always)
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int
  ) {
    let a = unsafe input.loadUnaligned(as: Lanes.self)
    let b = unsafe input.loadUnaligned(fromByteOffset: inputStep, as: Lanes.self)
    for lane in 0..<2 {
      unsafe output.storeBytes(
        of: Lanes(a[lane], b[lane]), toByteOffset: lane &* outputStep, as: Lanes.self)
    }
  }
}

/// Writes the columns of four rows of words, `step` bytes apart.
@inline(__always)
private func storeColumns(
  _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>,
  to output: UnsafeMutableRawPointer, _ step: Int
) {
  for lane in 0..<4 {
    unsafe output.storeBytes(
      of: SIMD4(a[lane], b[lane], c[lane], d[lane]), toByteOffset: lane &* step,
      as: SIMD4<UInt32>.self)
  }
}

/// The lanes of the lower and of the upper halves of two vectors by turns.
@inline(__always)
private func byTurns<Lanes: SIMD>(_ left: Lanes, _ right: Lanes) -> (low: Lanes, high: Lanes) {
  let half = Lanes.scalarCount / 2
  var (low, high) = (Lanes(), Lanes())
  for lane in 0..<half {
    (low[2 &* lane], low[2 &* lane &+ 1]) = (left[lane], right[lane])
    (high[2 &* lane], high[2 &* lane &+ 1]) = (left[half &+ lane], right[half &+ lane])
  }
  return (low, high)
}
