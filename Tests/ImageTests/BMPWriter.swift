// SPDX-License-Identifier: Apache-2.0

/// Writes BMP files, and can write wrong ones.
struct BMPWriter {
  var width = 2
  var height = 2
  var bits = 24
  var compression = 0
  /// The length of the header: 12 for OS/2's, otherwise 40 or more.
  var headerByteCount = 40
  /// Bytes behind the first 40 of the header, or behind the header: masks.
  var masks: [UInt32] = []
  /// Red, green, blue of each color.
  var palette: [[UInt8]] = []
  var declaredPaletteCount = 0
  var planes = 1
  /// Where the file says that pixels begin, if not behind the palette.
  var dataOffset: Int?
  var data: [UInt8] = []

  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private var header: [UInt8] {
    let sides = headerByteCount == 12 ? 2 : 4
    var bytes = BMPWriter.bytes(headerByteCount, 4)
    bytes += BMPWriter.bytes(width, sides) + BMPWriter.bytes(height, sides)
    bytes += BMPWriter.bytes(planes, 2) + BMPWriter.bytes(bits, 2)
    if headerByteCount > 16 {
      bytes += BMPWriter.bytes(compression, 4) + BMPWriter.bytes(0, 12)
      bytes += BMPWriter.bytes(declaredPaletteCount, 4) + BMPWriter.bytes(0, 4)
    }
    for mask in masks { bytes += BMPWriter.bytes(Int(mask), 4) }
    return bytes + Array(repeating: 0, count: max(0, headerByteCount - bytes.count))
  }

  var file: [UInt8] {
    var colors: [UInt8] = []
    for color in palette {
      colors += color.reversed()
      if headerByteCount > 12 { colors.append(0) }
    }
    let offset = dataOffset ?? 14 + header.count + colors.count
    let count = offset + data.count
    var file = Array("BM".utf8)
    file += BMPWriter.bytes(count, 4) + BMPWriter.bytes(0, 4) + BMPWriter.bytes(offset, 4)
    file += header + colors + data
    return file
  }
}
