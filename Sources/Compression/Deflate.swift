// SPDX-License-Identifier: Apache-2.0

private import CZlib

/// Compression of data that lies in memory as a whole.
package enum Deflate {
  /// `input` compressed; `level` goes from 0, stored, to 9, smallest.
  package static func compress(
    _ input: Span<UInt8>, _ format: DeflateFormat, level: Int = 6
  ) throws(CompressionError) -> [UInt8] {
    // zlib's state refers back to the stream's address, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    let clamped = Int32(min(max(level, 0), 9))
    let status = unsafe deflateInit2_(
      stream, clamped, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
    defer { unsafe deflateEnd(stream) }

    var output: [UInt8] = []
    let finished = unsafe input.withUnsafeBufferPointer { bytes in
      unsafe compress(bytes, with: stream, to: &output)
    }
    guard finished else { throw .invalidData("inconsistent stream") }
    return output
  }

  private static func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, with stream: UnsafeMutablePointer<z_stream>,
    to output: inout [UInt8]
  ) -> Bool {
    var window = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      // zlib counts in 32 bits, and takes but never writes through a non-constant input pointer.
      let count = min(bytes.count - offset, 1 << 30)
      let isLast = offset + count == bytes.count
      unsafe stream.pointee.next_in = bytes.baseAddress.map {
        unsafe UnsafeMutablePointer(mutating: $0 + offset)
      }
      unsafe stream.pointee.avail_in = UInt32(count)
      let status = unsafe window.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        return unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      }
      offset += count - Int(unsafe stream.pointee.avail_in)
      output.append(contentsOf: window[..<(window.count - Int(unsafe stream.pointee.avail_out))])
      if status == Z_STREAM_END { return true }
      guard status == Z_OK || status == Z_BUF_ERROR else { return false }
    }
  }
}
