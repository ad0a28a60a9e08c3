// SPDX-License-Identifier: Apache-2.0

/// Loops that do nothing but multiply and add in registers, or read, or copy, to measure what a
/// core can do.
@safe
package struct PeakLoops: Sendable {
  private let laneCount: Int
  /// 8-bit multiply-adds per round of `byte`.
  package let byteProducts: Int
  /// Runs rounds of float multiply-adds; the result keeps them from being dropped.
  package let float: @Sendable (_ rounds: Int) -> Float
  /// Runs rounds of byte multiply-adds.
  package let byte: @Sendable (_ rounds: Int) -> Int32
  /// Reads memory, in steps of 512 bytes; the result keeps it from being dropped.
  package let read: @Sendable (_ source: UnsafeRawPointer, _ byteCount: Int) -> Float
  /// Copies memory, in steps of 256 bytes.
  package let copy:
    @Sendable (
      _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ byteCount: Int
    ) -> Void

  /// Loops over ten vectors of `laneCount` lanes of 4 bytes; that of bytes may be another one.
  package init(
    laneCount: Int, byteProducts: Int, float: @escaping @Sendable (_ rounds: Int) -> Float,
    byte: @escaping @Sendable (_ rounds: Int) -> Int32,
    read: @escaping @Sendable (_ source: UnsafeRawPointer, _ byteCount: Int) -> Float,
    copy:
      @escaping @Sendable (
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ byteCount: Int
      ) -> Void
  ) {
    self.laneCount = laneCount
    self.byteProducts = byteProducts
    self.float = float
    self.byte = byte
    unsafe self.read = read
    unsafe self.copy = copy
  }

  /// 8-bit multiply-adds per round of a loop over ten vectors.
  package static func byteProducts(isWide: Bool, laneCount: Int) -> Int {
    (isWide ? 2 : 4) * laneCount * 10
  }

  /// Floating-point operations per round of `float`.
  package var floatOperations: Int { 2 * laneCount * 10 }

  /// The loops of `other` with another one for bytes.
  init(
    _ other: PeakLoops, byteProducts: Int, byte: @escaping @Sendable (_ rounds: Int) -> Int32
  ) {
    unsafe self.init(
      laneCount: other.laneCount, byteProducts: byteProducts, float: other.float, byte: byte,
      read: other.read, copy: other.copy)
  }
}

/// Rounds of a multiply-add in each of ten vectors: enough to hide an instruction's latency and few
/// enough for 16 registers.
@_alwaysEmitIntoClient
@inline(__always)
package func floatPeak<Level: FloatInstructions>(_ rounds: Int, _ level: Level.Type) -> Float {
  let factor = Level.broadcast(0.5)
  var sums = InlineArray<10, Level.Vector> { Level.broadcast(Float($0)) }
  var round = 0
  while round < rounds {
    for chain in 0..<10 { sums[chain] = Level.multiplyAdd(factor, sums[chain], factor) }
    round &+= 1
  }
  var total: Float = 0
  for chain in 0..<10 {
    unsafe withUnsafeBytes(of: sums[chain]) { total += unsafe $0.loadUnaligned(as: Float.self) }
  }
  return total
}

/// Rounds of a dot product in each of ten vectors.
@_alwaysEmitIntoClient
@inline(__always)
package func bytePeak<Level: ByteInstructions>(_ rounds: Int, _ level: Level.Type) -> Int32 {
  let weights = Level.broadcast(0x0102_0304)
  var sums = InlineArray<10, Level.Vector> { Level.broadcast(Int32($0)) }
  var round = 0
  while round < rounds {
    for chain in 0..<10 { sums[chain] = Level.dot(weights, sums[chain], weights) }
    round &+= 1
  }
  var total: Int32 = 0
  for chain in 0..<10 {
    unsafe withUnsafeBytes(of: sums[chain]) { total &+= unsafe $0.loadUnaligned(as: Int32.self) }
  }
  return total
}

/// Reads whole steps of eight vectors.
@_alwaysEmitIntoClient
@inline(__always)
package func readPeak<Level: FloatInstructions>(
  _ source: UnsafeRawPointer, _ byteCount: Int, _ level: Level.Type
) -> Float {
  var sums = InlineArray<8, Level.Vector> { _ in Level.broadcast(0) }
  var offset = 0
  while offset <= byteCount &- 8 &* Level.byteCount {
    for chain in 0..<8 {
      let vector = unsafe source.loadUnaligned(
        fromByteOffset: offset &+ chain &* Level.byteCount, as: Level.Vector.self)
      sums[chain] = Level.add(sums[chain], vector)
    }
    offset &+= 8 &* Level.byteCount
  }
  var total: Float = 0
  for chain in 0..<8 {
    unsafe withUnsafeBytes(of: sums[chain]) { total += unsafe $0.loadUnaligned(as: Float.self) }
  }
  return total
}

/// Copies whole steps of four vectors.
@_alwaysEmitIntoClient
@inline(__always)
package func copyPeak<Level: FloatInstructions>(
  _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ byteCount: Int,
  _ level: Level.Type
) {
  var offset = 0
  while offset <= byteCount &- 4 &* Level.byteCount {
    for chain in 0..<4 {
      let position = offset &+ chain &* Level.byteCount
      let vector = unsafe source.loadUnaligned(fromByteOffset: position, as: Level.Vector.self)
      unsafe target.storeBytes(of: vector, toByteOffset: position, as: Level.Vector.self)
    }
    offset &+= 4 &* Level.byteCount
  }
}
