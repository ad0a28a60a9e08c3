// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// A zlib stream (RFC 1950) under construction.
@safe final class DeflateStream {
  /// zlib had no memory.
  struct Failure: Error {}

  // zlib keeps a pointer back to the structure, so that it may not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init(level: Int32) throws(Failure) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // Z_FILTERED suits what PNG's filters leave: small values without long repetitions.
    let status = unsafe deflateInit2_(
      stream, level, Z_DEFLATED, MAX_WBITS, DeflateStream.memoryLevel, Z_FILTERED,
      ZLIB_VERSION, size)
    guard status == Z_OK else { throw Failure() }
  }

  private static let memoryLevel: Int32 = 8
  private static let pieceByteCount = 1 << 16

  deinit {
    // A stream that failed to initialise has no state, which `deflateEnd` notices.
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses all of `input` and appends what comes out; the rest comes with `isLast`.
  func deflate(
    _ input: Span<UInt8>, isLast: Bool, appendingTo output: inout [UInt8]
  ) throws(Failure) {
    var consumed = 0
    var status = Z_OK
    repeat {
      let pieceEnd = min(input.count, consumed + DeflateStream.pieceByteCount)
      let flush = isLast && pieceEnd == input.count ? Z_FINISH : Z_NO_FLUSH
      status = compress(input.extracting(consumed..<pieceEnd), flush: flush, &output)
      // Z_BUF_ERROR only says that there was nothing to do.
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw Failure()
      }
      consumed = unsafe pieceEnd - Int(stream.pointee.avail_in)
    } while consumed < input.count || isLast && status != Z_STREAM_END
  }

  private func compress(_ input: Span<UInt8>, flush: Int32, _ output: inout [UInt8]) -> Int32 {
    unsafe input.withUnsafeBufferPointer { source in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(source.count)
      var status = Z_OK
      output.append(addingCapacity: DeflateStream.pieceByteCount) { added in
        unsafe added.withUnsafeMutableBufferPointer { target, count in
          unsafe stream.pointee.next_out = UnsafeMutableRawPointer(target.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
          unsafe stream.pointee.avail_out = UInt32(target.count)
          status = unsafe CZlib.deflate(stream, flush)
          count = unsafe target.count - Int(stream.pointee.avail_out)
        }
      }
      return status
    }
  }
}
