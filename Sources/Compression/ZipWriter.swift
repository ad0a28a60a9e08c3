// SPDX-License-Identifier: Apache-2.0

/// Writes a zip archive, entry by entry: in memory, or piece by piece to wherever `takeBytes()` is
/// put.
///
/// Equal contents give equal bytes: all entries carry the earliest date that the format has.
package struct ZipWriter: Sendable {
  /// Whether contents are compressed.
  package enum Method: UInt16, Sendable {
    case stored = 0
    case deflated = 8
  }

  private var output: [UInt8] = []
  private var directory: [UInt8] = []
  private var entryCount = 0
  /// The bytes before `output`: those of a file that the archive will be appended to, which its
  /// offsets count, and those taken already.
  private var baseOffset: Int

  /// An empty archive, to be appended to a file of `baseOffset` bytes.
  package init(baseOffset: Int = 0) { self.baseOffset = max(0, baseOffset) }

  /// Adds an entry.
  package mutating func add(
    _ name: String, _ contents: Span<UInt8>, method: Method = .deflated
  ) throws(ZipError) {
    let nameBytes = Array(name.utf8)
    guard nameBytes.count <= 0xffff else { throw .tooLarge(name: name, limit: 0xffff) }
    guard entryCount < 0xfffe else { throw .tooManyEntries(limit: 0xfffe) }
    let data: [UInt8]
    switch method {
    case .stored: data = contents.array
    case .deflated:
      do {
        data = try Deflate.compress(contents, .raw)
      } catch {
        throw .compression(error, name: name)
      }
    }
    guard let offset = UInt32(exactly: baseOffset + output.count), offset != .max,
      let size = UInt32(exactly: contents.count), size != .max,
      let compressed = UInt32(exactly: data.count), compressed != .max
    else { throw .tooLarge(name: name, limit: 0xffff_fffe) }

    let common = Self.commonHeader(
      method: method, crc32: Checksum.crc32(contents), compressed: compressed, size: size,
      nameCount: nameBytes.count)
    output += Self.bytes32(0x0403_4b50) + common + nameBytes + data
    // Version made by; then the header; comment length, disk and attributes; offset.
    directory += Self.bytes32(0x0201_4b50) + Self.bytes16(20) + common
    directory += [UInt8](repeating: 0, count: 10) + Self.bytes32(offset) + nameBytes
    entryCount += 1
  }

  /// The bytes that have come since they were last taken, which the writer then forgets.
  package mutating func takeBytes() -> [UInt8] {
    let bytes = output
    baseOffset += bytes.count
    output = []
    return bytes
  }

  /// The archive, or what is left of it behind the bytes that were taken.
  package consuming func finish() throws(ZipError) -> [UInt8] {
    guard let offset = UInt32(exactly: baseOffset + output.count), offset != .max,
      let size = UInt32(exactly: directory.count), size != .max
    else { throw .tooLarge(name: "", limit: 0xffff_fffe) }
    let count = Self.bytes16(UInt16(entryCount))
    let end = Self.bytes32(0x0605_4b50) + Self.bytes32(0) + count + count
    return output + directory + end + Self.bytes32(size) + Self.bytes32(offset) + Self.bytes16(0)
  }

  /// What local header and directory have in common: version needed to extra length.
  private static func commonHeader(
    method: Method, crc32: UInt32, compressed: UInt32, size: UInt32, nameCount: Int
  ) -> [UInt8] {
    // Bit 11 says that names are UTF-8; the date is 1 January 1980.
    bytes16(20) + bytes16(1 << 11) + bytes16(method.rawValue) + bytes16(0) + bytes16(0x21)
      + bytes32(crc32) + bytes32(compressed) + bytes32(size)
      + bytes16(UInt16(nameCount)) + bytes16(0)
  }

  private static func bytes16(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func bytes32(_ value: UInt32) -> [UInt8] {
    bytes16(UInt16(truncatingIfNeeded: value)) + bytes16(UInt16(truncatingIfNeeded: value >> 16))
  }
}
