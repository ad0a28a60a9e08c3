// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// A zlib stream (RFC 1950) inflated piece by piece, no further than its reader asks.
///
/// zlib checks the header, every block and, at the end, the Adler-32 checksum.
@safe final class InflateStream {
  /// How far one call came.
  struct Progress {
    var consumed: Int
    var produced: Int
    /// The stream's end was reached and its checksum agreed.
    var ended: Bool
  }

  /// What is wrong with the compressed bytes, in zlib's words.
  struct Failure: Error {
    var message: String
  }

  // zlib keeps a pointer back to the structure, so that it may not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(Failure) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(stream, MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
      throw Failure(message: "out of memory")
    }
  }

  deinit {
    // A stream that failed to initialise has no state, which `inflateEnd` notices.
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Inflates from `input` into `range` of `output` until one of them is used up or the stream
  /// ends.
  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, range: Range<Int>
  ) throws(Failure) -> Progress {
    precondition(range.lowerBound >= 0 && range.upperBound <= output.count)
    let inputCount = min(input.count, Int(UInt32.max))
    let room = min(range.count, Int(UInt32.max))
    let status = unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(inputCount)
        unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + range.lowerBound }
        unsafe stream.pointee.avail_out = UInt32(room)
        return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      }
    }
    // Z_BUF_ERROR only says that no progress was possible, which the counts tell as well.
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw Failure(message: failureMessage(status))
    }
    return unsafe Progress(
      consumed: inputCount - Int(stream.pointee.avail_in),
      produced: room - Int(stream.pointee.avail_out),
      ended: status == Z_STREAM_END)
  }

  private func failureMessage(_ status: Int32) -> String {
    switch status {
    case Z_NEED_DICT: return "preset dictionary"
    case Z_MEM_ERROR: return "out of memory"
    default:
      guard let text = unsafe stream.pointee.msg else { return "broken stream" }
      return unsafe String(cString: text)
    }
  }
}

/// The CRC-32 (ISO 3309) that PNG chunks and zip entries carry.
func crc32(of bytes: Span<UInt8>) -> UInt32 {
  unsafe bytes.withUnsafeBufferPointer { buffer in
    UInt32(truncatingIfNeeded: unsafe crc32_z(0, buffer.baseAddress, buffer.count))
  }
}
