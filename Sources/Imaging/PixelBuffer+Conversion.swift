// SPDX-License-Identifier: Apache-2.0

/// What becomes of transparency where the new format has none.
public enum AlphaHandling: Sendable, Hashable {
  /// Colors stay as they are stored, as Pillow's `convert("RGB")` leaves them.
  ///
  /// This is what most training pipelines do.
  case dropped

  /// Colors are laid over a background, as a viewer shows them.
  ///
  ///     c = (color × alpha + background × (255 - alpha) + 127) / 255
  case composited(over: PixelColor)
}

extension PixelBuffer {
  /// The same image in another format.
  ///
  /// Grey becomes equal red, green and blue; colors become grey by `PixelColor.luma`; pixels
  /// that had no alpha become opaque.
  ///
  /// - Parameters:
  ///   - newFormat: The format of the result.
  ///   - alpha: What to do with alpha where `newFormat` has none.
  /// - Returns: The image, unchanged when it has the format already.
  public func converted(to newFormat: PixelFormat, alpha: AlphaHandling = .dropped) -> PixelBuffer {
    guard newFormat != format else { return self }
    var backdrop: PixelColor?
    if case .composited(let color) = alpha, newFormat.alphaOffset == nil { backdrop = color }

    var converted = [UInt8](repeating: 255, count: width * height * newFormat.channelCount)
    let source = bytes.span
    var target = converted.mutableSpan
    if format == .rgba8, newFormat == .rgb8, backdrop == nil {
      Self.dropAlpha(source, to: &target)
      return PixelBuffer(checkedWidth: width, height: height, format: newFormat, bytes: converted)
    }
    let (from, to) = (format.colorOffsets, newFormat.colorOffsets)
    let (sourceStep, targetStep) = (format.channelCount, newFormat.channelCount)
    for pixel in 0..<width * height {
      let start = pixel * sourceStep
      var color = PixelColor(
        red: source[start + from.red], green: source[start + from.green],
        blue: source[start + from.blue])
      if let offset = format.alphaOffset { color.alpha = source[start + offset] }
      if let backdrop { color = color.composited(over: backdrop) }

      let location = pixel * targetStep
      if newFormat == .grey8 {
        target[location] = color.luma
      } else {
        target[location + to.red] = color.red
        target[location + to.green] = color.green
        target[location + to.blue] = color.blue
        if let offset = newFormat.alphaOffset { target[location + offset] = color.alpha }
      }
    }
    return PixelBuffer(checkedWidth: width, height: height, format: newFormat, bytes: converted)
  }

  /// Copies red, green and blue.
  @_lifetime(target: copy target)
  private static func dropAlpha(_ source: Span<UInt8>, to target: inout MutableSpan<UInt8>) {
    var pixel = 0
    while pixel < target.count / 3 {
      // Pieces of a known length need no checks inside.
      let count = min(16, target.count / 3 &- pixel)
      let piece = source.extracting(4 &* pixel..<4 &* (pixel &+ count))
      var colors = target._mutatingExtracting(3 &* pixel..<3 &* (pixel &+ count))
      if count == 16 {
        for index in 0..<16 { copyColor(piece, &colors, index) }
      } else {
        for index in 0..<count { copyColor(piece, &colors, index) }
      }
      pixel &+= count
    }
  }

  @_lifetime(target: copy target)
  @inline(__always)
  private static func copyColor(
    _ source: Span<UInt8>, _ target: inout MutableSpan<UInt8>, _ index: Int
  ) {
    for channel in 0..<3 { target[3 &* index &+ channel] = source[4 &* index &+ channel] }
  }
}

extension PixelColor {
  /// The color seen over an opaque background.
  func composited(over background: PixelColor) -> PixelColor {
    PixelColor(
      red: mix(red, background.red), green: mix(green, background.green),
      blue: mix(blue, background.blue))
  }

  private func mix(_ front: UInt8, _ back: UInt8) -> UInt8 {
    // At most 255 × 255 + 127.
    let weighted = UInt32(front) * UInt32(alpha) + UInt32(back) * (255 - UInt32(alpha))
    return UInt8(truncatingIfNeeded: (weighted + 127) / 255)
  }
}
