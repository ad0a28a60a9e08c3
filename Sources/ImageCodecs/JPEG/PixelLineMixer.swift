// SPDX-License-Identifier: Apache-2.0

/// Turns a line of samples into red, green, blue; the fourth byte of each pixel is 255.
enum PixelLineMixer {
  /// Red, green and blue all alike.
  @_lifetime(pixels: copy pixels)
  static func grey(_ samples: Span<UInt8>, to pixels: inout MutableSpan<UInt8>) {
    var location = 0
    for column in samples.indices {
      let sample = samples[column]
      pixels[location] = sample
      pixels[location &+ 1] = sample
      pixels[location &+ 2] = sample
      pixels[location &+ 3] = 255
      location &+= 4
    }
  }

  @_lifetime(pixels: copy pixels)
  static func rgb(
    _ red: Span<UInt8>, _ green: Span<UInt8>, _ blue: Span<UInt8>,
    to pixels: inout MutableSpan<UInt8>
  ) {
    var location = 0
    for column in red.indices {
      pixels[location] = red[column]
      pixels[location &+ 1] = green[column]
      pixels[location &+ 2] = blue[column]
      pixels[location &+ 3] = 255
      location &+= 4
    }
  }

  /// The colors of luminance and color differences (T.871).
  ///
  ///     R = Y + 1.402 Cr
  ///     G = Y − 0.344136 Cb − 0.714136 Cr
  ///     B = Y + 1.772 Cb
  ///
  /// Like libjpeg, with 16 fractional bits, rounded once for each color before Y is added.
  @_lifetime(pixels: copy pixels)
  static func yCbCr(
    _ luma: Span<UInt8>, _ blueness: Span<UInt8>, _ redness: Span<UInt8>,
    to pixels: inout MutableSpan<UInt8>
  ) {
    var start = 0
    while start < luma.count {
      // Pieces of a known length need no checks inside and are worked on side by side.
      guard luma.count &- start >= 16 else {
        for column in start..<luma.count {
          var pixel = pixels._mutatingExtracting(4 &* column..<4 &* column &+ 4)
          mix(luma[column], blueness[column], redness[column], to: &pixel, at: 0)
        }
        return
      }
      let piece = start..<start &+ 16
      let (luma, blueness) = (luma.extracting(piece), blueness.extracting(piece))
      let redness = redness.extracting(piece)
      var pixels = pixels._mutatingExtracting(4 &* start..<4 &* start &+ 64)
      for column in 0..<16 {
        mix(luma[column], blueness[column], redness[column], to: &pixels, at: 4 &* column)
      }
      start &+= 16
    }
  }

  @inline(__always)
  private static func mix(
    _ luma: UInt8, _ blueness: UInt8, _ redness: UInt8, to pixels: inout MutableSpan<UInt8>,
    at location: Int
  ) {
    let half: Int32 = 1 << 15
    let grey = Int32(luma)
    let blue = Int32(blueness) &- 128
    let red = Int32(redness) &- 128
    pixels[location] = clamped(grey &+ (91_881 &* red &+ half) &>> 16)
    pixels[location &+ 1] = clamped(grey &+ (-22_554 &* blue &- 46_802 &* red &+ half) &>> 16)
    pixels[location &+ 2] = clamped(grey &+ (116_130 &* blue &+ half) &>> 16)
    pixels[location &+ 3] = 255
  }

  /// Darkens colors by a line of inverted black.
  ///
  /// - Parameters:
  ///   - black: How much light the black ink lets through, 255 for all of it.
  ///   - isComplement: The pixels hold inks rather than the light that they let through.
  ///   - pixels: The pixels to change.
  @_lifetime(pixels: copy pixels)
  static func multiply(
    _ black: Span<UInt8>, isComplement: Bool, into pixels: inout MutableSpan<UInt8>
  ) {
    let mask: UInt8 = isComplement ? 255 : 0
    for column in black.indices {
      let light = Int(black[column])
      for location in 4 &* column..<4 &* column &+ 3 {
        let product = Int(pixels[location] ^ mask) &* light
        pixels[location] = UInt8(truncatingIfNeeded: (product &+ 127) / 255)
      }
    }
  }

  @inline(__always)
  private static func clamped(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, value)))
  }
}
