// SPDX-License-Identifier: Apache-2.0

/// Turns rows of stored samples into red, green, blue and alpha.
struct PixelExpander {
  private let header: PNGHeader
  private let palette: PaletteTable?
  private let key: [UInt16]

  init(_ contents: PNGContents) {
    header = contents.header
    switch contents.transparency {
    case .key(let samples): key = samples
    case .none, .palette: key = []
    }
    palette = PaletteTable(contents)
  }

  /// The number of colors that indices may choose from.
  var paletteCount: Int { palette?.count ?? 0 }

  /// Expands a row of at most 8-bit samples.
  ///
  /// - Returns: The index of a pixel that the palette does not have, if there is one.
  @_lifetime(pixels: copy pixels)
  func expand(_ row: Span<UInt8>, into pixels: inout MutableSpan<UInt8>) -> Int? {
    if let palette { return palette.expand(row, into: &pixels) }
    expandSamples(row, into: &pixels)
    return nil
  }

  /// Expands a row of 16-bit samples.
  @_lifetime(pixels: copy pixels)
  func expand(_ row: Span<UInt8>, into pixels: inout MutableSpan<UInt16>) {
    expandSamples(row, into: &pixels)
  }

  @_lifetime(pixels: copy pixels)
  private func expandSamples<Sample: PNGSample>(
    _ row: Span<UInt8>, into pixels: inout MutableSpan<Sample>
  ) {
    let count = pixels.count / 4
    switch header.colorType {
    case .grey, .indexed:
      let transparent = key.first.map { Sample(truncatingIfNeeded: $0) }
      for pixel in 0..<count {
        let grey = Sample(in: row, at: pixel)
        let alpha = grey == transparent ? 0 : Sample.max
        pixels.set(pixel, red: grey, green: grey, blue: grey, alpha: alpha)
      }
    case .greyAlpha:
      for pixel in 0..<count {
        let grey = Sample(in: row, at: 2 * pixel)
        let alpha = Sample(in: row, at: 2 * pixel + 1)
        pixels.set(pixel, red: grey, green: grey, blue: grey, alpha: alpha)
      }
    case .rgb where key.isEmpty:
      for pixel in 0..<count {
        let red = Sample(in: row, at: 3 * pixel)
        let green = Sample(in: row, at: 3 * pixel + 1)
        let blue = Sample(in: row, at: 3 * pixel + 2)
        pixels.set(pixel, red: red, green: green, blue: blue, alpha: .max)
      }
    case .rgb:
      let transparent = key.map { Sample(truncatingIfNeeded: $0) }
      for pixel in 0..<count {
        let red = Sample(in: row, at: 3 * pixel)
        let green = Sample(in: row, at: 3 * pixel + 1)
        let blue = Sample(in: row, at: 3 * pixel + 2)
        let isKey = red == transparent[0] && green == transparent[1] && blue == transparent[2]
        pixels.set(pixel, red: red, green: green, blue: blue, alpha: isKey ? 0 : .max)
      }
    case .rgba:
      for index in 0..<4 * count { pixels[index] = Sample(in: row, at: index) }
    }
  }
}

/// A sample as stored in a row: one byte, or two with the most significant first.
protocol PNGSample: FixedWidthInteger {
  init(in row: Span<UInt8>, at index: Int)
}

extension UInt8: PNGSample {
  @inline(__always)
  init(in row: Span<UInt8>, at index: Int) { self = row[index] }
}

extension UInt16: PNGSample {
  @inline(__always)
  init(in row: Span<UInt8>, at index: Int) {
    self = UInt16(row[2 &* index]) << 8 | UInt16(row[2 &* index &+ 1])
  }
}

extension MutableSpan where Element: PNGSample {
  @_lifetime(self: copy self)
  @inline(__always)
  fileprivate mutating func set(
    _ pixel: Int, red: Element, green: Element, blue: Element, alpha: Element
  ) {
    self[4 &* pixel] = red
    self[4 &* pixel &+ 1] = green
    self[4 &* pixel &+ 2] = blue
    self[4 &* pixel &+ 3] = alpha
  }
}
