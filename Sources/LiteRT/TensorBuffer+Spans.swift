// SPDX-License-Identifier: Apache-2.0

extension TensorBuffer {
  /// Gives `body` the values as elements, where they lie; a rest that fills no element is left out (an
  /// addition).
  ///
  /// - Throws: `LiteRtError.runtimeFailure` while the buffer is locked, as it is for `body`, and what
  ///   `body` throws.
  public func withSpan<Element: BitwiseCopyable, Result>(
    as type: Element.Type = Element.self, _ body: (Span<Element>) throws -> Result
  ) throws -> Result {
    let address = try unsafe lock(mode: .read)
    defer { try? unlock() }
    let count = size / MemoryLayout<Element>.stride
    let start = unsafe UnsafePointer(address.bindMemory(to: Element.self, capacity: count))
    return try body(unsafe Span(_unsafeStart: start, count: count))
  }

  /// Gives `body` the values as elements to be written, where they lie; a rest that fills no element is
  /// left out (an addition).
  ///
  /// - Throws: as `withSpan` does.
  public func withMutableSpan<Element: BitwiseCopyable, Result>(
    as type: Element.Type = Element.self, _ body: (inout MutableSpan<Element>) throws -> Result
  ) throws -> Result {
    let address = try unsafe lock(mode: .readWrite)
    defer { try? unlock() }
    let count = size / MemoryLayout<Element>.stride
    let start = unsafe address.bindMemory(to: Element.self, capacity: count)
    var span = unsafe MutableSpan(_unsafeStart: start, count: count)
    return try body(&span)
  }
}
