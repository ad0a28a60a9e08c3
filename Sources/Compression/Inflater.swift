// SPDX-License-Identifier: Apache-2.0

private import CZlib

/// Expands deflated data that arrives in pieces, up to a limit.
///
/// Output grows only as data is expanded, never by what the data claims, and never beyond the
/// limit.
@safe
package final class Inflater {
  /// zlib's state refers back to the stream's address, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let outputLimit: Int
  /// Expanded bytes on their way to the output.
  private var window = [UInt8](repeating: 0, count: 1 << 16)
  /// The bytes expanded so far.
  package private(set) var outputCount = 0
  /// The bytes of input that belonged to the stream so far.
  package private(set) var inputCount = 0
  /// Whether the end of the stream has been reached and its checksum verified.
  package private(set) var isFinished = false

  /// An expander of `format` that refuses to expand to more than `outputLimit` bytes.
  package init(_ format: DeflateFormat, outputLimit: Int) throws(CompressionError) {
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    self.outputLimit = max(0, outputLimit)
    let status = unsafe inflateInit2_(
      stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Expands `input`, the next piece of the stream, and appends the result to `output`.
  ///
  /// Bytes after the end of the stream are ignored.
  package func append(
    _ input: Span<UInt8>, to output: inout [UInt8]
  ) throws(CompressionError) {
    let outcome = unsafe input.withUnsafeBufferPointer { piece in
      unsafe expand(piece, to: &output)
    }
    if let outcome { throw outcome }
  }

  /// Throws unless the end of the stream has been reached.
  package func finish() throws(CompressionError) {
    guard isFinished else { throw .truncated }
  }

  private func expand(
    _ piece: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) -> CompressionError? {
    var offset = 0
    while !isFinished {
      // zlib counts in 32 bits, and takes but never writes through a non-constant input pointer.
      let count = min(piece.count - offset, 1 << 30)
      unsafe stream.pointee.next_in = piece.baseAddress.map {
        unsafe UnsafeMutablePointer(mutating: $0 + offset)
      }
      unsafe stream.pointee.avail_in = UInt32(count)
      // One byte beyond the limit shows that there is more, yet is never handed out.
      let room = outputLimit == .max ? .max : outputLimit + 1 - outputCount
      let windowCount = min(window.count, room)
      let status = unsafe window.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(windowCount)
        return unsafe inflate(stream, Z_NO_FLUSH)
      }
      let consumed = count - Int(unsafe stream.pointee.avail_in)
      let produced = windowCount - Int(unsafe stream.pointee.avail_out)
      unsafe stream.pointee.next_in = nil
      unsafe stream.pointee.next_out = nil
      offset += consumed
      inputCount += consumed
      guard produced <= outputLimit - outputCount else { return .tooLarge(limit: outputLimit) }
      outputCount += produced
      output.append(contentsOf: window[..<produced])

      switch status {
      case Z_STREAM_END: isFinished = true
      case Z_OK: break
      case Z_BUF_ERROR: return nil
      case Z_NEED_DICT: return .needsDictionary
      case Z_MEM_ERROR: return .outOfMemory
      default: return .invalidData(message)
      }
      if offset == piece.count, produced < windowCount { return nil }
    }
    return nil
  }

  private var message: String {
    unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "inconsistent stream"
  }
}

/// Expansion of data that lies in memory as a whole.
package enum Inflate {
  /// The bytes that `input` expands to, refusing more than `outputLimit`.
  package static func expand(
    _ input: Span<UInt8>, _ format: DeflateFormat, outputLimit: Int
  ) throws(CompressionError) -> [UInt8] {
    let inflater = try Inflater(format, outputLimit: outputLimit)
    var output: [UInt8] = []
    try inflater.append(input, to: &output)
    try inflater.finish()
    return output
  }
}
