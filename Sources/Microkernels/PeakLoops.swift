// SPDX-License-Identifier: Apache-2.0

/// Loops that do nothing but multiply and add in registers, to measure what a core can do.
package struct PeakLoops: Sendable {
  /// Floating-point operations per round of `float`.
  package let floatOperations: Int
  /// 8-bit multiply-adds per round of `byte`.
  package let byteProducts: Int
  /// Runs rounds of float multiply-adds; the result keeps them from being dropped.
  package let float: @Sendable (_ rounds: Int) -> Float
  /// Runs rounds of byte multiply-adds.
  package let byte: @Sendable (_ rounds: Int) -> Int32

  /// Loops over ten vectors of `laneCount` lanes of 4 bytes.
  package init(
    laneCount: Int, isWide: Bool, float: @escaping @Sendable (_ rounds: Int) -> Float,
    byte: @escaping @Sendable (_ rounds: Int) -> Int32
  ) {
    floatOperations = 2 * laneCount * 10
    byteProducts = (isWide ? 2 : 4) * laneCount * 10
    self.float = float
    self.byte = byte
  }
}

/// Rounds of a multiply-add in each of ten vectors: enough to hide an instruction's latency and few
/// enough for 16 registers.
@inlinable
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
@inlinable
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
