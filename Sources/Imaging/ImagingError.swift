// SPDX-License-Identifier: Apache-2.0

/// Why an image cannot be made or changed as asked.
public enum ImagingError: Error, Sendable, Hashable {
  /// A width or height is less than 1 or more than 2²⁴, or the pixels would take more than 1 GiB.
  case size(width: Int, height: Int)
  /// The bytes given are not width × height × channels.
  case byteCount(Int, wanted: Int)
  /// A rectangle reaches over the image's edge.
  case outside(PixelRect, width: Int, height: Int)
  /// Means and deviations are not one for all channels or one for each.
  case normalizationCount(means: Int, deviations: Int)
  /// A mean or deviation is not finite, or a deviation is 0.
  case normalizationValue(mean: Float, deviation: Float)
  /// A scale is not a finite number above 0.
  case quantizationScale(Float)
  /// The values to write are not width × height × channels.
  case valueCount(Int, wanted: Int)
}

extension ImagingError: CustomStringConvertible {
  /// One line that says what was given and what was wanted.
  public var description: String {
    switch self {
    case .size(let width, let height): "impossible image size \(width)x\(height)"
    case .byteCount(let count, let wanted): "\(count) bytes of pixels instead of \(wanted)"
    case .outside(let rect, let width, let height):
      "rectangle \(rect.width)x\(rect.height) at (\(rect.x), \(rect.y)) outside \(width)x\(height)"
    case .normalizationCount(let means, let deviations):
      "\(means) means and \(deviations) deviations instead of one, or one per channel"
    case .normalizationValue(let mean, let deviation):
      "cannot normalize with mean \(mean) and deviation \(deviation)"
    case .quantizationScale(let scale): "impossible quantization scale \(scale)"
    case .valueCount(let count, let wanted): "room for \(count) values instead of \(wanted)"
    }
  }
}
