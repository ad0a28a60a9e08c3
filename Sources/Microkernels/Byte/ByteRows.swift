// SPDX-License-Identifier: Apache-2.0

/// Rows of a product to be copied to where the tile reads them.
@unsafe
@frozen
@usableFromInline
package struct ByteRowsTask {
  /// Pointers to the rows of the first tap.
  @usableFromInline package var pointers: UnsafePointer<UnsafeRawPointer>
  /// Pointers from one tap to the next.
  @usableFromInline package var pitch: Int
  /// Taps.
  @usableFromInline package var tapCount: Int
  /// Bytes of each row of a tap.
  @usableFromInline package var depth: Int
  /// What makes activations unsigned: 0x80 for `Int8`, 0 for `UInt8`.
  @usableFromInline package var activationFlip: UInt8
  /// Rows.
  @usableFromInline package var rows: Int
  /// Where the first row goes.
  @usableFromInline package var destination: UnsafeMutableRawPointer
  /// Bytes from one copied row to the next.
  @usableFromInline package var stride: Int
  /// Whether the rows, whose number is a multiple of four, are to be interleaved instead.
  @usableFromInline package var areInterleaved: Bool
}

/// Copies rows: taps behind each other, unsigned or as the level takes bytes; wide levels get a 16-bit
/// word per activation.
///
/// What the last 32-bit word of a row lacks stays as it is: the weights for it are zero.
@_alwaysEmitIntoClient
@inline(__always)
package func copyRows<Level: ByteInstructions>(_ task: ByteRowsTask, _ level: Level.Type) {
  if unsafe Level.interleavesRows && task.areInterleaved {
    unsafe interleaveRows(task, level)
    return
  }
  let size = Level.isWide ? 2 : 1
  let flip = unsafe task.activationFlip ^ (Level.signsActivations ? 0x80 : 0)
  let depth = unsafe task.depth
  var pointers = unsafe task.pointers
  var offset = 0
  for _ in unsafe 0..<task.tapCount {
    var destination = unsafe task.destination + offset
    for row in unsafe 0..<task.rows {
      if Level.isWide {
        unsafe widenBytes(pointers[row], to: destination, count: depth, flip: flip)
      } else {
        unsafe flipBytes(pointers[row], to: destination, count: depth, flip: flip)
      }
      unsafe destination += task.stride
    }
    unsafe pointers += task.pitch
    offset &+= depth &* size
  }
}

/// `count` bytes from `source`, each combined with `flip`.
///
/// What is left behind the last whole vector is covered by one that ends with the last byte.
@_alwaysEmitIntoClient
@inline(__always)
package func flipBytes(
  _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int, flip: UInt8
) {
  let word = UInt64(flip) &* 0x0101_0101_0101_0101
  if count == 16 {
    // First, so that loops over many of them look once: groups most often have 16 channels.
    unsafe flipVector(source, to: destination, at: 0, word)
  } else if count >= 64 {
    let wide = SIMD8<UInt64>(repeating: word)
    var index = 0
    while index < count {
      let start = min(index, count &- 64)
      let bytes = unsafe source.loadUnaligned(fromByteOffset: start, as: SIMD8<UInt64>.self)
      unsafe destination.storeBytes(of: bytes ^ wide, toByteOffset: start, as: SIMD8<UInt64>.self)
      index &+= 64
    }
  } else if count >= 16 {
    unsafe flipVector(source, to: destination, at: 0, word)
    if count > 32 { unsafe flipVector(source, to: destination, at: 16, word) }
    if count > 48 { unsafe flipVector(source, to: destination, at: 32, word) }
    unsafe flipVector(source, to: destination, at: count &- 16, word)
  } else if count >= 8 {
    let low = unsafe source.loadUnaligned(as: UInt64.self)
    let high = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    unsafe destination.storeBytes(of: low ^ word, as: UInt64.self)
    unsafe destination.storeBytes(of: high ^ word, toByteOffset: count &- 8, as: UInt64.self)
  } else {
    var index = 0
    while index < count {
      let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
      unsafe destination.storeBytes(of: byte ^ flip, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
  }
}

/// 16 bytes at `offset`, each half combined with `word`.
@_alwaysEmitIntoClient
@inline(__always)
func flipVector(
  _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, at offset: Int,
  _ word: UInt64
) {
  let bytes = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
  unsafe destination.storeBytes(
    of: bytes ^ SIMD2(repeating: word), toByteOffset: offset, as: SIMD2<UInt64>.self)
}

/// `count` bytes from `source`, each combined with `flip` and widened to 16 bits.
@_alwaysEmitIntoClient
@inline(__always)
package func widenBytes(
  _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int, flip: UInt8
) {
  var index = 0
  while index < count {
    let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
    unsafe destination.storeBytes(
      of: UInt16(byte ^ flip), toByteOffset: index &* 2, as: UInt16.self)
    index &+= 1
  }
}
