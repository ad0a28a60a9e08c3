// SPDX-License-Identifier: Apache-2.0

/// The orientation in a block of Exif data, which is laid out as a TIFF file, or nil.
///
/// Only the first directory is looked at. Whatever is malformed gives nil: a wrong note about a
/// image is no reason to refuse its pixels.
func exifOrientation(_ data: Span<UInt8>) -> ImageOrientation? {
  TIFFReader(data)?.orientation(in: data)
}

private struct TIFFReader {
  private let start: Int
  private let isLittleEndian: Bool

  /// Reads the byte order.
  ///
  /// The six bytes `Exif\0\0`, which belong to JPEG, may stand before it.
  init?(_ data: Span<UInt8>) {
    let jpegPrefix = Array("Exif\0\0".utf8)
    let hasPrefix =
      data.count >= jpegPrefix.count
      && jpegPrefix.indices.allSatisfy { data[$0] == jpegPrefix[$0] }
    start = hasPrefix ? jpegPrefix.count : 0
    guard data.count - start >= 8, data[start] == data[start + 1] else { return nil }
    switch data[start] {
    case UInt8(ascii: "I"): isLittleEndian = true
    case UInt8(ascii: "M"): isLittleEndian = false
    default: return nil
    }
    guard integer(at: 2, byteCount: 2, in: data) == 42 else { return nil }
  }

  func orientation(in data: Span<UInt8>) -> ImageOrientation? {
    let orientationTag = 0x0112
    let shortType = 3
    guard let directory = integer(at: 4, byteCount: 4, in: data),
      let entryCount = integer(at: directory, byteCount: 2, in: data)
    else { return nil }
    for index in 0..<entryCount {
      let entry = directory + 2 + 12 * index
      guard let tag = integer(at: entry, byteCount: 2, in: data) else { return nil }
      if tag == orientationTag {
        guard integer(at: entry + 2, byteCount: 2, in: data) == shortType,
          let value = integer(at: entry + 8, byteCount: 2, in: data)
        else { return nil }
        return ImageOrientation(rawValue: value)
      }
    }
    return nil
  }

  /// An unsigned integer of 2 or 4 bytes at an offset from the start of the TIFF data.
  private func integer(at offset: Int, byteCount: Int, in data: Span<UInt8>) -> Int? {
    guard offset <= data.count - start - byteCount else { return nil }
    var value = 0
    for index in 0..<byteCount {
      let location = isLittleEndian ? byteCount - 1 - index : index
      value = value << 8 | Int(data[start + offset + location])
    }
    return value
  }
}
