// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging

/// An image as a model sees it, and where its pixels came from.
public struct PreparedImage: Sendable, Hashable {
  /// What the model sees: upright, in the input's size, red, green and blue.
  public let image: PixelBuffer
  /// The part of the stored image that was taken.
  public let region: PixelRect
  /// How the stored image had to be turned.
  public let orientation: ImageOrientation
  /// From the resized part, still as stored, back to the region.
  let mapping: ImageMapping

  /// A part of an image, resized as stored and then turned upright.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - region: a part of it.
  ///   - orientation: how it must be turned to be upright.
  ///   - size: columns and rows of the upright result.
  ///   - preprocessing: how the part is made to fit and resized.
  /// - Throws: `ImagingError` when the part lies outside or the size is impossible.
  package init(
    _ image: PixelBuffer, region: PixelRect, orientation: ImageOrientation,
    size: (width: Int, height: Int), _ preprocessing: Preprocessing
  ) throws(ImagingError) {
    let isWhole = region.width == image.width && region.height == image.height
    let part = isWhole ? image : try image.cropped(to: region)
    let stored = orientation.swapsAxes ? (size.height, size.width) : (size.width, size.height)
    let fitted = try part.converted(to: .rgb8).fitted(
      toWidth: stored.0, height: stored.1, mode: preprocessing.fit, filter: preprocessing.filter)
    self.image = fitted.image.upright(from: orientation)
    self.region = region
    self.orientation = orientation
    mapping = fitted.mapping
  }

  /// Where a rectangle of what the model sees lies in the stored image.
  ///
  /// - Parameter rect: a rectangle in pixels of `image`.
  /// - Returns: the rectangle in pixels of the image as stored, not turned; locations beside a
  ///   letterboxed image lie outside.
  public func sourceRect(_ rect: ImageRect) -> ImageRect {
    let width = Double(image.width)
    let height = Double(image.height)
    let stored = orientation.storedRect(
      rect, storedWidth: orientation.swapsAxes ? height : width,
      storedHeight: orientation.swapsAxes ? width : height)
    var source = mapping.sourceRect(stored)
    source.x += Double(region.x)
    source.y += Double(region.y)
    return source
  }

  /// The part of the stored image that the model sees; with letterboxing, it reaches outside.
  public var sourceRect: ImageRect {
    sourceRect(
      ImageRect(x: 0, y: 0, width: Double(image.width), height: Double(image.height)))
  }
}

extension PixelBuffer {
  /// The same pixels with their first and third channel swapped.
  package func swappingRedAndBlue() throws(ImagingError) -> PixelBuffer {
    var swapped = bytes
    for start in stride(from: 0, to: swapped.count - 2, by: format.channelCount) {
      swapped.swapAt(start, start + 2)
    }
    return try PixelBuffer(width: width, height: height, format: format, bytes: swapped)
  }
}
