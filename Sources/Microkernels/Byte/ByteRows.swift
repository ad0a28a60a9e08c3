// SPDX-License-Identifier: Apache-2.0

/// Copies one row's taps behind each other, unsigned, padded with zeroes to whole words.
///
/// Wide levels get a 16-bit word per activation.
@inlinable
@inline(__always)
package func copyByteRow<Level: ByteInstructions>(
  _ task: ByteGemmTask, row: Int, to destination: UnsafeMutableRawPointer,
  _ level: Level.Type
) {
  let size = Level.isWide ? 2 : 1
  let depth = unsafe task.depth
  var destination = unsafe destination
  var pointer = unsafe task.rows + row
  var tap = 0
  while unsafe tap < task.tapCount {
    let source = unsafe pointer.pointee
    if Level.isWide {
      unsafe widenBytes(source, to: destination, count: depth, flip: task.activationFlip)
    } else {
      unsafe flipBytes(source, to: destination, count: depth, flip: task.activationFlip)
    }
    unsafe destination += depth &* size
    unsafe pointer += task.rowPitch
    tap &+= 1
  }
  // At most three activations are missing in the last word; the row's stride has room for four.
  let missing = unsafe (0 &- task.tapCount &* depth) & (4 / size &- 1)
  for index in 0..<missing {
    unsafe destination.storeBytes(of: 0, toByteOffset: index &* size, as: UInt8.self)
    if Level.isWide {
      unsafe destination.storeBytes(of: 0, toByteOffset: index &* size &+ 1, as: UInt8.self)
    }
  }
}

/// `count` bytes from `source`, each combined with `flip`.
@inlinable
@inline(__always)
package func flipBytes(
  _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int, flip: UInt8
) {
  let wide = UInt64(flip) &* 0x0101_0101_0101_0101
  var index = 0
  while index &+ 64 <= count {
    for part in 0..<8 {
      let offset = index &+ part &* 8
      let bytes = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      unsafe destination.storeBytes(of: bytes ^ wide, toByteOffset: offset, as: UInt64.self)
    }
    index &+= 64
  }
  while index &+ 8 <= count {
    let bytes = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    unsafe destination.storeBytes(of: bytes ^ wide, toByteOffset: index, as: UInt64.self)
    index &+= 8
  }
  while index < count {
    let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
    unsafe destination.storeBytes(of: byte ^ flip, toByteOffset: index, as: UInt8.self)
    index &+= 1
  }
}

/// `count` bytes from `source`, each combined with `flip` and widened to 16 bits.
@inlinable
@inline(__always)
package func widenBytes(
  _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int, flip: UInt8
) {
  for index in 0..<count {
    let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
    unsafe destination.storeBytes(
      of: UInt16(byte ^ flip), toByteOffset: index &* 2, as: UInt16.self)
  }
}

/// The sum of `count` bytes.
@inlinable
@inline(__always)
package func byteSum(_ source: UnsafeRawPointer, count: Int) -> Int32 {
  var sum: Int32 = 0
  for index in 0..<count {
    sum &+= Int32(unsafe source.load(fromByteOffset: index, as: UInt8.self))
  }
  return sum
}
