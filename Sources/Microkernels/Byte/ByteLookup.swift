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

  /// The table's entries at the low four bits of each index, 0 where an index is negative; tables
  /// have one entry for each byte of a 128-bit lane.
  static func shuffle(_ table: Vector, _ indices: Vector) -> Vector

  /// The differences of signed bytes, saturated.
  static func subtractSaturated(_ left: Vector, _ right: Vector) -> Vector
}

/// Looks bytes up one by one, where the level has no shuffles.
@inlinable
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

/// Looks bytes up by shuffles of 16 entries, two vectors at a time.
///
/// Bytes below 128 get the exclusive or of `t₀`, `t₀ ⊕ t₁`, … `t_{k−1} ⊕ t_k` for their sixteenth
/// `k` of the table: all but the last cancel out. Subtracting `16k` makes an index negative, and
/// its entry 0, from the sixteenth on that lies above the byte. The others likewise, 128 lower.
@inlinable
@inline(__always)
package func lookUpBytes<Level: ByteShuffleInstructions>(
  _ task: ByteLookup, _: Level.Type
) {
  let step = 2 &* Level.byteCount
  var start = 0
  while unsafe start &+ step <= task.count {
    let input = unsafe task.input + start
    let output = unsafe task.output + start
    let first = unsafe Level.load(input)
    let second = unsafe Level.load(input + Level.byteCount)
    let results = unsafe shuffled(task.table, first, second, Level.self)
    unsafe output.storeBytes(of: results.0, as: Level.Vector.self)
    unsafe output.storeBytes(of: results.1, toByteOffset: Level.byteCount, as: Level.Vector.self)
    start &+= step
  }
  unsafe lookUpBytes(task, from: start)
}

@inlinable
@inline(__always)
func shuffled<Level: ByteShuffleInstructions>(
  _ table: UnsafeRawPointer, _ first: Level.Vector, _ second: Level.Vector, _: Level.Type
) -> (Level.Vector, Level.Vector) {
  let sixteen = Level.broadcast(byte: 16)
  let flip = Level.broadcast(byte: 0x80)
  var results = (Level.broadcast(0), Level.broadcast(0))
  for half in 0..<2 {
    var indices = half == 0 ? (first, second) : (Level.flip(first, flip), Level.flip(second, flip))
    var last = Level.broadcast(0)
    for part in 0..<8 {
      let entries = unsafe Level.loadLanes(table + (half &* 128 &+ part &* 16))
      let difference = Level.flip(entries, last)
      results.0 = Level.flip(results.0, Level.shuffle(difference, indices.0))
      results.1 = Level.flip(results.1, Level.shuffle(difference, indices.1))
      indices.0 = Level.subtractSaturated(indices.0, sixteen)
      indices.1 = Level.subtractSaturated(indices.1, sixteen)
      last = entries
    }
  }
  return results
}
