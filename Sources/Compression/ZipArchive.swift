// SPDX-License-Identifier: Apache-2.0

package import ResourceLimits

/// The table of contents of a zip archive; contents are read from its bytes on demand.
///
/// The archive may follow other data, as in a model with associated files: its offsets are then
/// relative to the start of the whole file or of the archive, and both are understood.
/// Format: <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>.
package struct ZipArchive: Sendable {
  /// The entries in the order of the central directory.
  package let entries: [Entry]
  /// Where the archive begins in the bytes: at the first entry, or without any, at its end record.
  package let start: Int
  private let limits: Limits

  /// A file in an archive.
  package struct Entry: Sendable, Equatable {
    /// The name as stored, which may hold any characters; see `isSafePath`.
    package let name: String
    /// The bytes of the contents.
    package let byteCount: Int
    /// The bytes of the contents as stored.
    package let compressedByteCount: Int
    /// The checksum of the contents.
    package let crc32: UInt32
    /// 0 for stored contents, 8 for deflated ones.
    package let method: Int
    let flags: UInt16
    /// Where the local header lies in the bytes.
    let header: Int

    /// Whether the name, taken as a path, stays inside the folder that it is resolved in.
    package var isSafePath: Bool { name.isSafePath }
  }

  /// The archive at the end of `bytes`.
  package init(_ bytes: Span<UInt8>, limits: Limits = Limits()) throws(ZipError) {
    self.limits = limits
    let directory = try ZipDirectory(bytes)
    guard directory.count <= limits.archiveEntryCount else {
      throw .tooManyEntries(limit: limits.archiveEntryCount)
    }
    entries = try directory.entries(bytes)
    start = entries.map(\.header).reduce(directory.start) { min($0, $1) }
    try Self.checkOverlap(entries, in: bytes)
  }

  /// The last entry called `name`, which is the one that counts; nil if there is none.
  package func entry(named name: String) -> Entry? { entries.last { $0.name == name } }

  /// The contents of the entry called `name`, checked against its size and checksum; at most
  /// `limit` bytes, where that is less than the archive's own limit.
  package func contents(
    of name: String, in bytes: Span<UInt8>, limit: Int = .max
  ) throws(ZipError) -> [UInt8] {
    guard let entry = entry(named: name) else { throw .noSuchEntry(name: name) }
    return try contents(of: entry, in: bytes, limit: limit)
  }

  /// The contents of `entry`, checked against its size and checksum.
  package func contents(
    of entry: Entry, in bytes: Span<UInt8>, limit: Int = .max
  ) throws(ZipError) -> [UInt8] {
    guard entry.flags & 1 == 0 else { throw .encrypted(name: entry.name) }
    let limit = min(limit, limits.archiveEntryByteCount)
    guard entry.byteCount <= limit else { throw .tooLarge(name: entry.name, limit: limit) }
    guard isPlausible(entry) else {
      throw .expandsTooMuch(name: entry.name, ratio: limits.expansionRatio)
    }
    let range = try Self.data(of: entry, in: bytes)
    let contents = try Self.expand(bytes.extracting(range), of: entry)
    guard contents.count == entry.byteCount else { throw .wrongSize(name: entry.name) }
    guard Checksum.crc32(contents.span) == entry.crc32 else {
      throw .wrongChecksum(name: entry.name)
    }
    return contents
  }

  /// Whether the entry expands no more than the limits allow, or is small.
  private func isPlausible(_ entry: Entry) -> Bool {
    let (allowed, overflow) = entry.compressedByteCount
      .multipliedReportingOverflow(by: max(limits.expansionRatio, 0))
    return overflow || entry.byteCount <= max(allowed, 1 << 20)
  }

  private static func expand(
    _ data: Span<UInt8>, of entry: Entry
  ) throws(ZipError) -> [UInt8] {
    switch entry.method {
    case 0:
      guard data.count == entry.byteCount else { throw .wrongSize(name: entry.name) }
      return data.array
    case 8:
      do {
        return try Inflate.expand(data, .raw, outputLimit: entry.byteCount)
      } catch {
        throw .compression(error, name: entry.name)
      }
    default: throw .unsupportedMethod(entry.method, name: entry.name)
    }
  }

  /// Where the stored contents of `entry` lie: behind its local header.
  ///
  /// Of that header only the lengths are used. The directory gives the sizes, since writers
  /// that stream leave them open in the header.
  private static func data(of entry: Entry, in bytes: Span<UInt8>) throws(ZipError) -> Range<Int> {
    guard bytes.holds(30, at: entry.header),
      bytes.littleEndian32(at: entry.header) == 0x0403_4b50
    else { throw .malformed(offset: entry.header) }
    let nameCount = Int(bytes.littleEndian16(at: entry.header + 26))
    let extraCount = Int(bytes.littleEndian16(at: entry.header + 28))
    let start = entry.header + 30 + nameCount + extraCount
    guard bytes.holds(entry.compressedByteCount, at: start) else {
      throw .malformed(offset: entry.header)
    }
    return start..<start + entry.compressedByteCount
  }

  /// Throws where entries share bytes, the mark of an archive that is made to explode.
  private static func checkOverlap(
    _ entries: [Entry], in bytes: Span<UInt8>
  ) throws(ZipError) {
    var end = 0
    for entry in entries.sorted(by: { $0.header < $1.header }) {
      guard entry.header >= end else { throw .overlappingEntries(name: entry.name) }
      end = try data(of: entry, in: bytes).upperBound
    }
  }
}

extension String {
  /// Whether the text, taken as a path, names something inside the folder that it is resolved in.
  ///
  /// Empty parts, `.` and `..` are not allowed, nor are backslashes, which are separators
  /// elsewhere.
  package var isSafePath: Bool {
    !utf8.contains { $0 == 0 || $0 == 92 }
      && split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !["", ".", ".."].contains($0)
      }
  }
}
