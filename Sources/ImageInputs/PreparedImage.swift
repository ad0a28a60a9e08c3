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
  /// From the resized part back to the region; both as stored, or both upright.
  private let mapping: ImageMapping
  /// Whether the part was turned before it was resized.
  private let turnsFirst: Bool

  /// A part of an image, resized as stored and then turned upright.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - region: a part of it.
  ///   - orientation: how it must be turned to be upright.
  ///   - size: columns and rows of the upright result.
  ///   - preprocessing: how the part is made to fit and resized.
  ///   - exact: the part with edges within pixels, for filters that begin at a corner.
  ///   - format: the channels that the model sees.
  /// - Throws: `ImagingError` when the part lies outside or the size is impossible.
  package init(
    _ image: PixelBuffer, region: PixelRect, orientation: ImageOrientation,
    size: (width: Int, height: Int), _ preprocessing: Preprocessing, exact: ImageRect? = nil,
    format: PixelFormat = .rgb8
  ) throws(ImagingError) {
    self.region = region
    self.orientation = orientation
    // Where channels do not mix, of few pixels alpha is dropped.
    let isLate = Self.dropsAlphaLast(image.format, format, preprocessing.filter)
    let source = isLate ? image.format : format
    // A filter that begins at a corner begins at that of the upright image.
    turnsFirst = preprocessing.filter == .cornerBilinear
    if turnsFirst, preprocessing.fit == .stretch {
      let whole = ImageRect(
        x: Double(region.x), y: Double(region.y), width: Double(region.width),
        height: Double(region.height))
      let (width, height) = (Double(image.width), Double(image.height))
      let outer = orientation.uprightRect(whole, storedWidth: width, storedHeight: height)
      let part = orientation.uprightRect(
        exact ?? whole, storedWidth: width, storedHeight: height)
      self.image = try image.converted(to: source).upright(from: orientation).resizedFromCorner(
        part, toWidth: size.width, height: size.height
      ).converted(to: format)
      mapping = ImageMapping(
        scaleX: part.width / Double(size.width), scaleY: part.height / Double(size.height),
        offsetX: part.x - outer.x, offsetY: part.y - outer.y)
      return
    }
    let isWhole = region.width == image.width && region.height == image.height
    let part = isWhole ? image : try image.cropped(to: region)
    let isSwapped = !turnsFirst && orientation.swapsAxes
    let fitted = try part.converted(to: source).upright(from: turnsFirst ? orientation : .up)
      .fitted(
        toWidth: isSwapped ? size.height : size.width,
        height: isSwapped ? size.width : size.height, mode: preprocessing.fit,
        filter: preprocessing.filter, rounding: preprocessing.rounding)
    let resized = fitted.image.converted(to: format)
    self.image = turnsFirst ? resized : resized.upright(from: orientation)
    mapping = fitted.mapping
  }

  /// Whether an image may be resized before its alpha is dropped, with the same result.
  private static func dropsAlphaLast(
    _ stored: PixelFormat, _ wanted: PixelFormat, _ filter: ResizeFilter
  ) -> Bool {
    // Pillow's filter weighs colors by alpha.
    stored == .rgba8 && wanted == .rgb8 && filter != .antialiasedBilinear
  }

  /// Where a rectangle of what the model sees lies in the stored image.
  ///
  /// - Parameter rect: a rectangle in pixels of `image`.
  /// - Returns: the rectangle in pixels of the image as stored, not turned; locations beside a
  ///   letterboxed image lie outside.
  public func sourceRect(_ rect: ImageRect) -> ImageRect {
    var source: ImageRect
    if turnsFirst {
      source = orientation.storedRect(
        mapping.sourceRect(rect), storedWidth: Double(region.width),
        storedHeight: Double(region.height))
    } else {
      let (width, height) = (Double(image.width), Double(image.height))
      source = mapping.sourceRect(
        orientation.storedRect(
          rect, storedWidth: orientation.swapsAxes ? height : width,
          storedHeight: orientation.swapsAxes ? width : height))
    }
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

  /// The same pixels of four channels with other values of the fourth; missing ones are 0.
  package func replacingAlpha(by alpha: [UInt8]) throws(ImagingError) -> PixelBuffer {
    var replaced = bytes
    for (pixel, index) in stride(from: 3, to: bytes.count, by: 4).enumerated() {
      replaced[index] = pixel < alpha.count ? alpha[pixel] : 0
    }
    return try PixelBuffer(width: width, height: height, format: format, bytes: replaced)
  }
}
