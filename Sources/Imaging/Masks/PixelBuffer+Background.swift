// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// The image with what a mask leaves out made transparent.
  ///
  /// - Parameter mask: How much of each pixel belongs to the foreground, from 0 to 1; in another
  ///   size than the image it is resized to that, bilinear.
  /// - Returns: The image as `rgba8`; its alpha, where it has any, is multiplied by the mask.
  /// - Throws: `ImagingError.size` when the image is too large for that.
  public func cutOut(by mask: ConfidenceMask) throws(ImagingError) -> PixelBuffer {
    let weights = try mask.resized(toWidth: width, height: height).image.bytes
    var image = converted(to: .rgba8)
    for (pixel, weight) in weights.enumerated() {
      let alpha = UInt32(image.bytes[4 * pixel + 3]) * UInt32(weight)
      image.bytes[4 * pixel + 3] = UInt8(truncatingIfNeeded: (alpha + 127) / 255)
    }
    return image
  }

  /// The foreground of this image before another background.
  ///
  ///     pixel = (own × weight + background × (255 − weight) + 127) / 255
  ///
  /// - Parameters:
  ///   - background: What is seen elsewhere; in another size it is cropped and resized to this
  ///     image's.
  ///   - mask: How much of each pixel belongs to the foreground, from 0 to 1; in another size than
  ///     the image it is resized to that, bilinear.
  /// - Returns: The image, in the same format; its alpha is mixed as its colors are.
  /// - Throws: `ImagingError.size` when the image is too large for that.
  public func composited(
    over background: PixelBuffer, by mask: ConfidenceMask
  ) throws(ImagingError) -> PixelBuffer {
    let weights = try mask.resized(toWidth: width, height: height).image.bytes
    let back = try background.converted(to: format).fitted(
      toWidth: width, height: height, mode: .centerCrop, filter: .bilinear
    ).image
    var image = self
    let step = format.channelCount
    for (pixel, weight) in weights.enumerated() {
      for location in step * pixel..<step * (pixel + 1) {
        let sum =
          UInt32(bytes[location]) * UInt32(weight)
          + UInt32(back.bytes[location]) * (255 - UInt32(weight))
        image.bytes[location] = UInt8(truncatingIfNeeded: (sum + 127) / 255)
      }
    }
    return image
  }

  /// The image out of focus: three means over squares of `2 × radius + 1` pixels a side, which
  /// together are close to a Gaussian of the deviation `√(radius × (radius + 1))`.
  ///
  /// Beyond the edges the image is continued by its outermost pixels. The time does not depend on
  /// the radius.
  ///
  /// - Parameter radius: From 0, which changes nothing, to 4096; others are moved there.
  /// - Returns: The image, in the same format.
  public func blurred(radius: Int) -> PixelBuffer {
    let radius = min(max(radius, 0), 4096)
    guard radius > 0 else { return self }
    var image = self
    let step = format.channelCount
    for _ in 0..<3 {
      image.average(lines: height, every: rowByteCount, count: width, step: step, radius)
      image.average(lines: width, every: step, count: height, step: rowByteCount, radius)
    }
    return image
  }

  /// Replaces every value by the mean of `2 × radius + 1` values along its line.
  ///
  /// - Parameters:
  ///   - lines: How many lines there are.
  ///   - distance: From the start of a line to that of the next.
  ///   - count: Pixels of a line.
  ///   - step: From a pixel to the next in its line.
  ///   - radius: Half of the values besides the middle one.
  private mutating func average(
    lines: Int, every distance: Int, count: Int, step: Int, _ radius: Int
  ) {
    let source = bytes
    let taps = UInt32(2 * radius + 1)
    let channelCount = format.channelCount
    var target = bytes.mutableSpan
    for line in 0..<lines {
      for channel in 0..<channelCount {
        let start = line * distance + channel
        // At most 8193 × 255.
        var sum = UInt32(radius + 1) * UInt32(source[start])
        for index in 1...radius {
          sum += UInt32(source[start + min(index, count - 1) * step])
        }
        for index in 0..<count {
          target[start + index * step] = UInt8(truncatingIfNeeded: (sum + taps / 2) / taps)
          sum += UInt32(source[start + min(index + radius + 1, count - 1) * step])
          sum -= UInt32(source[start + max(index - radius, 0) * step])
        }
      }
    }
  }
}
