// SPDX-License-Identifier: Apache-2.0

/// How an image is made to fill a size of other proportions.
public enum FitMode: Sendable, Hashable {
  /// Scales both directions on their own; proportions change.
  case stretch

  /// Cuts the largest centered part of the right proportions out, then scales it.
  ///
  /// The longer direction keeps `⌊other × newLonger / newOther⌋` pixels, and where the rest is
  /// odd, one more is cut off behind than in front.
  case centerCrop

  /// Scales all of the image into the size and fills what remains on both sides with a color.
  ///
  /// The shorter direction gets `round(size × scale)` pixels, and where the rest is odd, one more
  /// is filled behind than in front.
  case letterbox(fill: PixelColor)
}

/// An image made to fit, and where its pixels came from.
public struct FittedImage: Sendable, Hashable {
  /// The image in the size that was asked for.
  public let image: PixelBuffer

  /// From the fitted image back to the one it was made of.
  public let mapping: ImageMapping
}

/// The positions of one image in another, each direction scaled and moved on its own.
///
///     source = fitted × scale + offset
///
/// in pixels from the top left corners. Fitted positions beside a letterboxed image map outside.
public struct ImageMapping: Sendable, Hashable {
  /// Source pixels per fitted pixel, left to right.
  public let scaleX: Double
  /// Source pixels per fitted pixel, top to bottom.
  public let scaleY: Double
  /// The position in the source of the fitted image's left edge.
  public let offsetX: Double
  /// The position in the source of the fitted image's top edge.
  public let offsetY: Double

  /// A mapping from its scales and offsets.
  ///
  /// - Parameters:
  ///   - scaleX: Source pixels per fitted pixel, left to right.
  ///   - scaleY: Source pixels per fitted pixel, top to bottom.
  ///   - offsetX: The position in the source of the fitted image's left edge.
  ///   - offsetY: The position in the source of the fitted image's top edge.
  public init(scaleX: Double, scaleY: Double, offsetX: Double, offsetY: Double) {
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.offsetX = offsetX
    self.offsetY = offsetY
  }

  /// Where a rectangle of the fitted image lies in the source.
  ///
  /// - Parameter rect: A rectangle in pixels of the fitted image.
  /// - Returns: The rectangle in pixels of the source.
  public func sourceRect(_ rect: ImageRect) -> ImageRect {
    ImageRect(
      x: rect.x * scaleX + offsetX, y: rect.y * scaleY + offsetY, width: rect.width * scaleX,
      height: rect.height * scaleY)
  }

  /// Where a rectangle of the source lies in the fitted image.
  ///
  /// - Parameter rect: A rectangle in pixels of the source.
  /// - Returns: The rectangle in pixels of the fitted image.
  public func fittedRect(_ rect: ImageRect) -> ImageRect {
    ImageRect(
      x: (rect.x - offsetX) / scaleX, y: (rect.y - offsetY) / scaleY, width: rect.width / scaleX,
      height: rect.height / scaleY)
  }
}
