// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Reads a node's record: little-endian 32-bit words, and bytes that fill up whole words.
struct RecordReader: ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0

  /// A reader of `bytes` from their start.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// The next word.
  ///
  /// - Throws: `KernelError` where the record ends before.
  @_lifetime(self: copy self)
  mutating func word() throws(KernelError) -> Int32 {
    guard bytes.count - position >= 4 else { throw .invalid("the record ends early") }
    var bits: UInt32 = 0
    for byte in 0..<4 { bits |= UInt32(bytes[position + byte]) << UInt32(8 * byte) }
    position += 4
    return Int32(bitPattern: bits)
  }

  /// The next word, as a number from 0 on.
  ///
  /// - Throws: `KernelError` where it is negative, or the record ends before.
  @_lifetime(self: copy self)
  mutating func count() throws(KernelError) -> Int {
    let count = Int(try word())
    guard count >= 0 else { throw .invalid("the record counts \(count) of something") }
    return count
  }

  /// As many words as the next one says.
  ///
  /// - Throws: `KernelError` where the record ends before.
  @_lifetime(self: copy self)
  mutating func words(_ count: Int) throws(KernelError) -> [Int32] {
    guard count <= (bytes.count - position) / 4 else { throw .invalid("the record ends early") }
    var words: [Int32] = []
    words.reserveCapacity(count)
    for _ in 0..<count { words.append(try word()) }
    return words
  }

  /// Bytes, their number in front of them.
  ///
  /// - Throws: `KernelError` where the record ends before.
  @_lifetime(self: copy self)
  mutating func byteString() throws(KernelError) -> [UInt8] {
    let count = try count()
    guard count <= bytes.count - position else { throw .invalid("the record ends early") }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for index in position..<position + count { result.append(bytes[index]) }
    position += count + RecordWriter.padding(count)
    return result
  }
}

/// Writes a node's record, or an answer: what `RecordReader` reads.
struct RecordWriter {
  /// What is written.
  private(set) var bytes: [UInt8] = []

  /// How many bytes fill up the last word behind `count` bytes.
  static func padding(_ count: Int) -> Int { (4 - count % 4) % 4 }

  /// Writes a word.
  mutating func append(_ word: Int32) {
    for shift in stride(from: Int32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// Writes a number that fits a word.
  mutating func append(count: Int) { append(Int32(clamping: count)) }

  /// Writes bytes, their number in front of them.
  mutating func append(byteString: [UInt8]) {
    append(count: byteString.count)
    bytes += byteString
    for _ in 0..<Self.padding(byteString.count) { bytes.append(0) }
  }
}
