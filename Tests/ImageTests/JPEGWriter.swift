// SPDX-License-Identifier: Apache-2.0

/// Writes JPEG files whose pixels are known without a transform.
///
/// All quantization steps are 8, so that a first coefficient of `d` alone means 64 samples of
/// 128 + d. First coefficients have 4-bit codes that equal their size; other symbols have 8-bit
/// codes that equal the symbol.
struct JPEGWriter {
  struct Component {
    var identifier: UInt8
    var horizontal = 1
    var vertical = 1
  }

  var width = 8
  var height = 8
  var components = [Component(identifier: 1)]
  /// The number of the start-of-frame marker.
  var process = 0
  var precision = 8

  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]

  static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, code] + short(data.count + 2) + data
  }

  static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

  static let quantization = segment(0xDB, [0] + Array(repeating: 8, count: 64))

  static let dcTable: [UInt8] = [0x00, 0, 0, 0, 12] + Array(repeating: 0, count: 12) + (0...11)
  static let acTable: [UInt8] =
    [0x10, 0, 0, 0, 0, 0, 0, 0, 255] + Array(repeating: 0, count: 8) + (0...254)
  static let huffman = segment(0xC4, dcTable + acTable)
  static let tables = quantization + huffman

  var frame: [UInt8] {
    var data = [UInt8(precision)] + JPEGWriter.short(height) + JPEGWriter.short(width)
    data.append(UInt8(components.count))
    for component in components {
      let factors = component.horizontal << 4 | component.vertical
      data += [component.identifier, UInt8(factors), 0]
    }
    return JPEGWriter.segment(0xC0 | UInt8(process), data)
  }

  /// The `SOS` segment; all components unless told otherwise.
  func scan(
    _ identifiers: [UInt8]? = nil, first: UInt8 = 0, last: UInt8 = 63, bits: UInt8 = 0
  ) -> [UInt8] {
    let identifiers = identifiers ?? components.map(\.identifier)
    var data = [UInt8(identifiers.count)]
    for identifier in identifiers { data += [identifier, 0] }
    return JPEGWriter.segment(0xDA, data + [first, last, bits])
  }

  /// A file of one scan with these differences of first coefficients, a block each.
  func file(_ differences: [Int]) -> [UInt8] {
    file(data: JPEGWriter.blocks(differences))
  }

  /// A file of one scan with this compressed data.
  func file(data: [UInt8]) -> [UInt8] {
    JPEGWriter.start + JPEGWriter.tables + frame + scan() + data + JPEGWriter.end
  }

  static func blocks(_ differences: [Int]) -> [UInt8] {
    var bits = JPEGBits()
    for difference in differences {
      bits.first(difference)
      bits.symbol(0)
    }
    return bits.bytes
  }
}

/// Compressed data, the tables being those of `JPEGWriter`.
struct JPEGBits {
  private var bits: [Bool] = []

  mutating func put(_ value: Int, count: Int) {
    for location in (0..<count).reversed() { bits.append(value >> location & 1 == 1) }
  }

  /// A difference of first coefficients.
  mutating func first(_ difference: Int) {
    let count = Int.bitWidth - abs(difference).leadingZeroBitCount
    put(count, count: 4)
    number(difference, count: count)
  }

  /// The symbol of another coefficient: zeros before it × 16 + its bits.
  mutating func symbol(_ value: Int) { put(value, count: 8) }

  mutating func number(_ value: Int, count: Int) {
    put(value < 0 ? value + 1 << count - 1 : value, count: count)
  }

  /// Filled up with ones, a zero behind each byte of 0xFF.
  var bytes: [UInt8] {
    let padded = bits + Array(repeating: true, count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).flatMap { start -> [UInt8] in
      let byte = padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      return byte == 0xFF ? [0xFF, 0] : [byte]
    }
  }
}

extension JPEGWriter {
  static let grey = JPEGWriter()

  /// Three blocks of samples side by side, of one, two and three samples to a pixel's width.
  static let rgb = JPEGWriter(
    width: 24, height: 8,
    components: [
      Component(identifier: UInt8(ascii: "R"), horizontal: 3),
      Component(identifier: UInt8(ascii: "G"), horizontal: 2),
      Component(identifier: UInt8(ascii: "B")),
    ])
}
