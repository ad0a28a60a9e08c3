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

  /// Copies elements of `unit` bytes: tiles whose rows and columns are in the first-level cache.
  func copy(unit: Int) {
    switch unit {
    case 1: unsafe copy(ByteTile.self)
    case 4: unsafe copy(WordTile.self)
    case 2: unsafe copyRest(UInt16.self, rows: 0..<rowCount, columns: 0..<columnCount)
    default: unsafe copyRest(UInt64.self, rows: 0..<rowCount, columns: 0..<columnCount)
    }
  }

  private func copy<Tile: TransposedTile>(_: Tile.Type) {
    let (side, unit) = (Tile.side, MemoryLayout<Tile.Unit>.size)
    let wholeRows = unsafe rowCount / side * side
    let wholeColumns = unsafe columnCount / side * side
    for column in stride(from: 0, to: wholeColumns, by: side) {
      for row in stride(from: 0, to: wholeRows, by: side) {
        unsafe Tile.copy(
          input + (row &* inputStep &+ column) &* unit, inputStep &* unit,
          to: output + (column &* outputStep &+ row) &* unit, outputStep &* unit)
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

/// 4 × 4 words.
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
    for lane in 0..<4 {
      unsafe output.storeBytes(
        of: Lanes(a[lane], b[lane], c[lane], d[lane]), toByteOffset: lane &* outputStep,
        as: Lanes.self)
    }
  }
}

/// 8 × 8 bytes, each row a word of 64 bits.
private enum ByteTile: TransposedTile {
  typealias Unit = UInt8
  static var side: Int { 8 }

  @inline(__always)
  static func copy(
    _ input: UnsafeRawPointer, _ inputStep: Int, to output: UnsafeMutableRawPointer,
    _ outputStep: Int
  ) {
    var rows = InlineArray<8, UInt64> {
      unsafe input.loadUnaligned(fromByteOffset: $0 &* inputStep, as: UInt64.self)
    }
    // Quarters, then pairs, then bytes of neighboring rows change places.
    exchange(&rows, 4, 0x0000_0000_FFFF_FFFF)
    exchange(&rows, 2, 0x0000_FFFF_0000_FFFF)
    exchange(&rows, 1, 0x00FF_00FF_00FF_00FF)
    for row in 0..<8 {
      unsafe output.storeBytes(
        of: rows[row], toByteOffset: row &* outputStep, as: UInt64.self)
    }
  }

  /// Exchanges the upper bytes of each row, where `mask` is 0, with the lower ones of the row
  /// `distance` below.
  @inline(__always)
  private static func exchange(
    _ rows: inout InlineArray<8, UInt64>, _ distance: Int, _ mask: UInt64
  ) {
    let shift = UInt64(8 &* distance)
    for row in 0..<8 where row & distance == 0 {
      let difference = (rows[row] &>> shift ^ rows[row &+ distance]) & mask
      rows[row] ^= difference &<< shift
      rows[row &+ distance] ^= difference
    }
  }
}
