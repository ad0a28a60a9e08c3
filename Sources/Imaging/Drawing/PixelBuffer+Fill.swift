// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The whole pixels of a rectangle that lie in the image, its edges rounded to nearest.
  ///
  /// - Parameter rect: Any rectangle, as a model may give it.
  /// - Returns: At least one pixel; nil where the rectangle is empty, lies outside, or has a NaN
  ///   for an edge.
  public func pixels(of rect: ImageRect) -> PixelRect? {
    guard let columns = Self.pixels(from: rect.x, to: rect.x + rect.width, below: width),
      let rows = Self.pixels(from: rect.y, to: rect.y + rect.height, below: height)
    else { return nil }
    return PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  private static func pixels(from start: Double, to end: Double, below count: Int) -> Range<Int>? {
    // NaN fails every comparison; the clamped edges fit into an integer.
    guard start < end else { return nil }
    let first = Int(min(max(start.rounded(), 0), Double(count)))
    let last = Int(min(max(end.rounded(), 0), Double(count)))
    return first < last ? first..<last : nil
  }

  /// Fills a rectangle with a color, mixed with what is there as far as it is translucent.
  ///
  /// - Parameters:
  ///   - rect: Any rectangle; the part in the image is filled.
  ///   - color: The color, laid over the image.
  public mutating func fill(_ rect: ImageRect, with color: PixelColor) {
    guard let part = pixels(of: rect) else { return }
    fill(part, with: color)
  }

  /// Draws a rectangle's outline, inside its edges.
  ///
  /// - Parameters:
  ///   - rect: Any rectangle; what reaches out of the image is cut off.
  ///   - thickness: Pixels; less than 1 draws nothing.
  ///   - color: The color, laid over the image.
  public mutating func stroke(_ rect: ImageRect, thickness: Int, color: PixelColor) {
    guard thickness >= 1, let left = edge(rect.x), let top = edge(rect.y),
      let right = edge(rect.x + rect.width), let bottom = edge(rect.y + rect.height)
    else { return }
    let line = min(Double(thickness), Self.farAway)
    guard right - left > 2 * line, bottom - top > 2 * line else { return fill(rect, with: color) }
    let width = right - left
    let inner = bottom - top - 2 * line
    fill(ImageRect(x: left, y: top, width: width, height: line), with: color)
    fill(ImageRect(x: left, y: bottom - line, width: width, height: line), with: color)
    fill(ImageRect(x: left, y: top + line, width: line, height: inner), with: color)
    fill(ImageRect(x: right - line, y: top + line, width: line, height: inner), with: color)
  }

  /// An edge rounded to nearest, and brought to where sums are exact; nil for NaN.
  private func edge(_ location: Double) -> Double? {
    location.isNaN ? nil : min(max(location.rounded(), -Self.farAway), Self.farAway)
  }

  private static let farAway = 0x1p40

  /// Fills whole pixels that lie in the image.
  ///
  /// - Precondition: `part` is cut to the image.
  mutating func fill(_ part: PixelRect, with color: PixelColor) {
    let step = format.channelCount
    let pixel = color.bytes(format)
    let opaque = color.alpha == 255
    let (rowByteCount, alphaOffset) = (rowByteCount, format.alphaOffset)
    var target = bytes.mutableSpan
    for row in part.y..<part.y + part.height {
      let start = row * rowByteCount + part.x * step
      for location in stride(from: start, to: start + part.width * step, by: step) {
        if opaque {
          for channel in 0..<step { target[location + channel] = pixel[channel] }
        } else {
          let backAlpha = alphaOffset.map { target[location + $0] } ?? 255
          let mixture = Mixture(front: color.alpha, back: backAlpha)
          for channel in 0..<step where channel != alphaOffset {
            target[location + channel] = mixture.of(pixel[channel], target[location + channel])
          }
          if let alphaOffset { target[location + alphaOffset] = mixture.alpha }
        }
      }
    }
  }
}

/// One translucent color over another, both with straight alpha.
///
///     a = f + b (1 - f)        c = (front f + back b (1 - f)) / a
private struct Mixture {
  // Alphas in 255ths of a 255th: at most 255 × 255 each, and together.
  let front: UInt32
  let back: UInt32

  init(front: UInt8, back: UInt8) {
    self.front = UInt32(front) * 255
    self.back = UInt32(back) * (255 - UInt32(front))
  }

  /// The alpha of both together.
  var alpha: UInt8 { UInt8(truncatingIfNeeded: (front + back + 127) / 255) }

  /// The mixed channel; the sums stay below 255³ × 2.
  func of(_ frontValue: UInt8, _ backValue: UInt8) -> UInt8 {
    let total = front + back
    guard total > 0 else { return backValue }
    let weighted = UInt32(frontValue) * front + UInt32(backValue) * back
    return UInt8(truncatingIfNeeded: (weighted + total / 2) / total)
  }
}
