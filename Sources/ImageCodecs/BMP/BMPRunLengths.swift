// SPDX-License-Identifier: Apache-2.0

/// The palette indices of an image stored in run lengths.
///
/// Two bytes say how often to repeat what, or, with a first byte of 0, something else: the end of
/// a row (0), of the image (1), a location to go on at (2), or a number of indices as they are.
struct BMPRunLengths {
  private let header: BMPHeader
  private let isPacked: Bool
  private var indices: [UInt8]
  private var row = 0
  private var column = 0
  private var position: Int

  init(_ header: BMPHeader) {
    self.header = header
    isPacked = header.compression == .runLength4
    indices = Array(repeating: 0, count: header.pixelCount)
    position = header.dataOffset
  }

  /// The indices, row by row in the file's order, up to the mark that ends the image.
  ///
  /// The mark may be missing once all rows are there.
  mutating func decode(_ file: Span<UInt8>) throws(BMPError) -> [UInt8] {
    while row < header.height {
      if row == header.height - 1, column >= header.width, position >= file.count { break }
      let count = Int(try next(file))
      let value = try next(file)
      if count > 0 {
        repeatValue(value, count: count)
        continue
      }
      switch value {
      case 0:
        row += 1
        column = 0
      case 1: return indices
      case 2:
        column += Int(try next(file))
        row += Int(try next(file))
      default: try copy(Int(value), file)
      }
    }
    return indices
  }

  private mutating func next(_ file: Span<UInt8>) throws(BMPError) -> UInt8 {
    guard position < file.count else { throw BMPError(.truncated, at: file.count) }
    position += 1
    return file[position - 1]
  }

  /// Writes an index; what does not fit into the row is dropped.
  private mutating func put(_ index: UInt8) {
    if column < header.width { indices[row * header.width + column] = index }
    column += 1
  }

  private mutating func repeatValue(_ value: UInt8, count: Int) {
    for location in 0..<count { put(isPacked ? half(value, location) : value) }
  }

  /// Takes indices as they are; an even number of bytes holds them.
  private mutating func copy(_ count: Int, _ file: Span<UInt8>) throws(BMPError) {
    let byteCount = isPacked ? (count + 1) / 2 : count
    for location in 0..<byteCount {
      let value = try next(file)
      guard isPacked else {
        put(value)
        continue
      }
      put(half(value, 0))
      if 2 * location + 1 < count { put(half(value, 1)) }
    }
    if !byteCount.isMultiple(of: 2), position < file.count { position += 1 }
  }

  /// The first or second index of a byte, in turn.
  private func half(_ value: UInt8, _ location: Int) -> UInt8 {
    location.isMultiple(of: 2) ? value >> 4 : value & 15
  }
}
