// SPDX-License-Identifier: Apache-2.0

/// How many rows and words the registers of `TileInstructions` hold.
@frozen
@usableFromInline
package struct TileShape: Sendable {
  /// Rows of activations and of sums, 1 to 16.
  @usableFromInline package let rows: Int
  /// Words of activations, and rows of weights, that are left at the end of a depth: 0 to 15.
  @usableFromInline package let lastWords: Int

  @_alwaysEmitIntoClient
  @inline(__always)
  init(rows: Int, lastWords: Int) {
    self.rows = rows
    self.lastWords = lastWords
  }

  /// The most rows of a register, words of a row of activations, and sums of a row.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var side: Int { 16 }
}

/// Instructions on registers that hold matrices, as AMX has them: four of 32-bit sums, one of
/// activations and one of weights, and one of each for what is left at the end of a depth.
///
/// Rows are of 64 bytes at most, and `stride` bytes apart in memory. A row of weights has those of 16
/// columns for one word of activations.
@usableFromInline
package protocol TileInstructions {
  /// What the registers hold, where the processor has none.
  associatedtype Registers

  /// Registers of this shape.
  static func registers(_ shape: TileShape) -> Registers

  /// Loads sums.
  static func loadSums(
    _ registers: inout Registers, _ index: Int, _ rows: UnsafeRawPointer, stride: Int)

  /// Loads activations, a row for each row of sums.
  static func loadActivations(
    _ registers: inout Registers, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool)

  /// Loads weights, a row for each word of activations.
  static func loadWeights(
    _ registers: inout Registers, _ rows: UnsafeRawPointer, stride: Int, areLast: Bool)

  /// Adds the products of unsigned activations and signed weights to sums.
  static func addProducts(_ registers: inout Registers, _ index: Int, areLast: Bool)

  /// Stores sums.
  static func storeSums(
    _ registers: inout Registers, _ index: Int, _ rows: UnsafeMutableRawPointer, stride: Int)

  /// Ends the registers' use.
  static func release(_ registers: inout Registers)
}
