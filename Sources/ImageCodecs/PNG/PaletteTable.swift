// SPDX-License-Identifier: Apache-2.0

/// The color of every value that a pixel of one sample, of at most 8 bits, can have.
struct PaletteTable {
  private let bitDepth: Int
  /// Red, green, blue and alpha of each value, one after the other.
  private let colors: [UInt8]

  /// Nil where pixels have more samples or deeper ones.
  init?(_ contents: PNGContents) {
    bitDepth = contents.header.bitDepth
    switch contents.header.colorType {
    case .indexed: colors = PaletteTable.indexed(contents)
    case .grey where bitDepth <= 8: colors = PaletteTable.grey(contents)
    case .grey, .greyAlpha, .rgb, .rgba: return nil
    }
  }

  private static func indexed(_ contents: PNGContents) -> [UInt8] {
    let palette = contents.palette
    var alphas: [UInt8] = []
    if case .palette(let listed) = contents.transparency { alphas = listed }
    var colors: [UInt8] = []
    for index in 0..<palette.count / 3 {
      colors += palette[3 * index..<3 * index + 3]
      colors.append(index < alphas.count ? alphas[index] : 255)
    }
    return colors
  }

  /// All shades from black to white, evenly; the divisions leave no remainder.
  private static func grey(_ contents: PNGContents) -> [UInt8] {
    let greatest = (1 << contents.header.bitDepth) - 1
    var transparent: Int?
    if case .key(let samples) = contents.transparency { transparent = samples.first.map(Int.init) }
    var colors: [UInt8] = []
    for value in 0...greatest {
      let shade = UInt8(value * 255 / greatest)
      colors += [shade, shade, shade, value == transparent ? 0 : 255]
    }
    return colors
  }

  /// Looks up the pixels of a row, which lie from the high bits of each byte to the low ones.
  ///
  /// - Returns: The value of a pixel that the table does not have, if there is one.
  @_lifetime(pixels: copy pixels)
  func expand(_ row: Span<UInt8>, into pixels: inout MutableSpan<UInt8>) -> Int? {
    let colors = self.colors.span
    let pixelsPerByte = 8 / bitDepth
    let mask = UInt8.max >> (8 - bitDepth)
    let count = pixels.count / 4
    var pixel = 0
    for byte in row.indices {
      var samples = row[byte]
      for _ in 0..<min(pixelsPerByte, count - pixel) {
        // The leftmost pixel is in the high bits: turn them round to the low end.
        samples = samples << bitDepth | samples >> (8 - bitDepth)
        let value = Int(samples & mask)
        guard 4 * value < colors.count else { return value }
        for channel in 0..<4 { pixels[4 * pixel + channel] = colors[4 * value + channel] }
        pixel += 1
      }
    }
    return nil
  }

  /// The number of values that have a color.
  var count: Int { colors.count / 4 }
}
