// SPDX-License-Identifier: Apache-2.0

/// Where a zip archive's table of contents lies.
struct ZipDirectory {
  /// The number of entries.
  let count: Int
  /// The first byte of the central directory.
  let start: Int
  /// The byte behind the central directory.
  private let end: Int
  /// What to add to the archive's offsets to get offsets into the bytes.
  private let base: Int

  /// Finds the end record, which lies at the end of `bytes` before a comment, and follows it.
  init(_ bytes: Span<UInt8>) throws(ZipError) {
    guard let record = Self.endRecord(bytes) else { throw .missingEndRecord }
    guard bytes.littleEndian16(at: record + 4) == 0, bytes.littleEndian16(at: record + 6) == 0
    else { throw .multipleDisks }
    count = Int(bytes.littleEndian16(at: record + 10))
    let size = Int(bytes.littleEndian32(at: record + 12))
    let offset = Int(bytes.littleEndian32(at: record + 16))
    guard count != 0xffff, size != 0xffff_ffff, offset != 0xffff_ffff else { throw .zip64 }

    // The directory ends where the end record starts; if it is not where the offset says,
    // then other data precedes the archive and the offset does not count it.
    guard size <= record, offset <= record - size else { throw .malformed(offset: record) }
    start = record - size
    end = record
    base = start - offset
  }

  /// The last end record whose comment ends with the bytes, or failing that, the last one.
  private static func endRecord(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 22 else { return nil }
    var fallback: Int?
    let last = bytes.count - 22
    for position in stride(from: last, through: max(0, last - 0xffff), by: -1)
    where bytes[position] == 0x50 && bytes.littleEndian32(at: position) == 0x0605_4b50 {
      let comment = Int(bytes.littleEndian16(at: position + 20))
      if position + 22 + comment == bytes.count { return position }
      if fallback == nil, position + 22 + comment < bytes.count { fallback = position }
    }
    return fallback
  }

  /// The entries, in order.
  func entries(_ bytes: Span<UInt8>) throws(ZipError) -> [ZipArchive.Entry] {
    var entries: [ZipArchive.Entry] = []
    var position = start
    for _ in 0..<count {
      guard end - position >= 46, bytes.littleEndian32(at: position) == 0x0201_4b50 else {
        throw .malformed(offset: position)
      }
      let nameCount = Int(bytes.littleEndian16(at: position + 28))
      let extraCount = Int(bytes.littleEndian16(at: position + 30))
      let commentCount = Int(bytes.littleEndian16(at: position + 32))
      let next = position + 46 + nameCount + extraCount + commentCount
      guard next <= end else { throw .malformed(offset: position) }
      entries.append(try entry(bytes, at: position, nameCount: nameCount))
      position = next
    }
    return entries
  }

  private func entry(
    _ bytes: Span<UInt8>, at position: Int, nameCount: Int
  ) throws(ZipError) -> ZipArchive.Entry {
    let compressed = bytes.littleEndian32(at: position + 20)
    let size = bytes.littleEndian32(at: position + 24)
    let offset = bytes.littleEndian32(at: position + 42)
    guard compressed != .max, size != .max, offset != .max else { throw .zip64 }
    let name = bytes.extracting(position + 46..<position + 46 + nameCount).array
    return ZipArchive.Entry(
      name: String(decoding: name, as: UTF8.self), byteCount: Int(size),
      compressedByteCount: Int(compressed), crc32: bytes.littleEndian32(at: position + 16),
      method: Int(bytes.littleEndian16(at: position + 10)),
      flags: bytes.littleEndian16(at: position + 8), header: base + Int(offset))
  }
}

extension Span where Element == UInt8 {
  /// Whether `size` bytes lie here from `offset` on.
  func holds(_ size: Int, at offset: Int) -> Bool {
    offset >= 0 && offset <= count && size <= count - offset
  }

  /// The 16-bit number at `offset`, which must be in bounds.
  func littleEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  /// The 32-bit number at `offset`, which must be in bounds.
  func littleEndian32(at offset: Int) -> UInt32 {
    UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
  }

  /// A copy of the bytes.
  var array: [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    for index in indices { copy.append(self[index]) }
    return copy
  }
}
