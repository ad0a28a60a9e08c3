// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Colors multiplied by their alpha, rounded to nearest; images without alpha unchanged.
  func premultiplied() -> PixelBuffer {
    mappingColors { color, alpha in
      // t / 255 rounded, exact for products of two bytes.
      let product = UInt32(color) * UInt32(alpha) + 128
      return UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
    }
  }

  /// Colors divided by their alpha, rounded down, where it is neither 0 nor 255.
  func unpremultiplied() -> PixelBuffer {
    mappingColors { color, alpha in
      guard alpha != 0, alpha != 255 else { return color }
      return UInt8(clamping: 255 * UInt32(color) / UInt32(alpha))
    }
  }

  private func mappingColors(_ change: (_ color: UInt8, _ alpha: UInt8) -> UInt8) -> PixelBuffer {
    guard let alphaOffset = format.alphaOffset else { return self }
    var image = self
    for start in stride(from: 0, to: bytes.count, by: format.channelCount) {
      let alpha = bytes[start + alphaOffset]
      for channel in 0..<format.channelCount where channel != alphaOffset {
        image.bytes[start + channel] = change(bytes[start + channel], alpha)
      }
    }
    return image
  }
}
