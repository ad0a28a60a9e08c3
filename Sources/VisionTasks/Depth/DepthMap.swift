// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// How far what an image shows is, pixel by pixel.
public struct DepthMap: Sendable, Hashable {
  /// The model's numbers; for most models larger ones are nearer, up to an unknown scale and shift.
  public let values: ConfidenceMask

  /// A map of these numbers.
  public init(values: ConfidenceMask) { self.values = values }

  /// The least and the greatest number; nil where none is finite.
  public var range: ClosedRange<Float>? {
    var range: ClosedRange<Float>?
    for value in values.values where value.isFinite {
      range = min(range?.lowerBound ?? value, value)...max(range?.upperBound ?? value, value)
    }
    return range
  }

  /// The numbers stretched to 0 for the least and 1 for the greatest; 0 for what is not finite, and
  /// everywhere where all are equal.
  public var normalized: ConfidenceMask {
    let range = range ?? 0...0
    let extent = range.upperBound - range.lowerBound
    let stretched = values.values.map { value in
      value.isFinite && extent > 0 && extent.isFinite ? (value - range.lowerBound) / extent : 0
    }
    // As many as before.
    return (try? ConfidenceMask(width: values.width, height: values.height, values: stretched))
      ?? values
  }

  /// The map as a grey image, the greatest number being white.
  public var grayImage: PixelBuffer { normalized.image }

  /// The map in the colors of Turbo: the greatest number is dark red, the least dark blue.
  public var coloredImage: PixelBuffer { grayImage.coloredByTurbo }
}
