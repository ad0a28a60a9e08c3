// SPDX-License-Identifier: Apache-2.0

/// Bytes that are replaced by entries of a table.
@unsafe
@frozen
@usableFromInline
package struct ByteLookup {
  /// The 256 entries.
  @usableFromInline package var table: UnsafeRawPointer
  /// The bytes.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where the entries go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes.
  @usableFromInline package var count: Int

  /// A run of these parts.
  package init(
    table: UnsafeRawPointer, input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe self.table = table
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
  }
}

/// Shuffles of bytes, for tables.
@usableFromInline
package protocol ByteShuffleInstructions: ByteInstructions {
  /// The 16 bytes at `pointer` in each 128-bit lane.
  static func loadLanes(_ pointer: UnsafeRawPointer) -> Vector

  /// The table's entries at indices below 16; tables have one entry for each byte of a 128-bit
  /// lane.
  static func shuffle(_ table: Vector, _ indices: Vector) -> Vector

  /// The low four bits of each byte.
  static func lowBits(_ bytes: Vector) -> Vector

  /// The bytes of `set` where the top bits of `bits` are set, else those of `clear`.
  static func choose(_ clear: Vector, _ set: Vector, by bits: Vector) -> Vector
}

/// Looks bytes up one by one, where the level has no shuffles.
@_alwaysEmitIntoClient
@inline(__always)
package func lookUpBytes<Level: ByteInstructions>(_ task: ByteLookup, _: Level.Type) {
  unsafe lookUpBytes(task, from: 0)
}

/// Looks the bytes from `start` on up one by one.
@usableFromInline
package func lookUpBytes(_ task: ByteLookup, from start: Int) {
  for index in unsafe start..<task.count {
    let quantized = unsafe task.input.load(fromByteOffset: index, as: UInt8.self)
    unsafe task.output.storeBytes(
      of: task.table.load(fromByteOffset: Int(quantized), as: UInt8.self), toByteOffset: index,
      as: UInt8.self)
  }
}

/// Looks bytes up by shuffles of 16 entries.
@_alwaysEmitIntoClient
@inline(__always)
package func lookUpBytes<Level: ByteShuffleInstructions>(
  _ task: ByteLookup, _: Level.Type
) {
  var start = 0
  while unsafe start &+ Level.byteCount <= task.count {
    let entries = unsafe shuffled(task.table, Level.load(task.input + start), Level.self)
    unsafe task.output.storeBytes(of: entries, toByteOffset: start, as: Level.Vector.self)
    start &+= Level.byteCount
  }
  unsafe lookUpBytes(task, from: start)
}

/// The entries at each byte's low four bits of all sixteenths of the table, of which each of the
/// upper four bits, as a byte's top bit, leaves half.
@_alwaysEmitIntoClient
@inline(__always)
func shuffled<Level: ByteShuffleInstructions>(
  _ table: UnsafeRawPointer, _ bytes: Level.Vector, _: Level.Type
) -> Level.Vector {
  let low = Level.lowBits(bytes)
  // Doubling 32-bit lanes moves all bits of a byte but the top one within it.
  let third = Level.add(bytes, bytes)
  let second = Level.add(third, third)
  let first = Level.add(second, second)
  let quarters = InlineArray<4, Level.Vector> { quarter in
    let entries = InlineArray<4, Level.Vector> { part in
      unsafe Level.shuffle(Level.loadLanes(table + (quarter &* 4 &+ part) &* 16), low)
    }
    return Level.choose(
      Level.choose(entries[0], entries[1], by: first),
      Level.choose(entries[2], entries[3], by: first), by: second)
  }
  return Level.choose(
    Level.choose(quarters[0], quarters[1], by: third),
    Level.choose(quarters[2], quarters[3], by: third), by: bytes)
}
