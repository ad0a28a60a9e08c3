// SPDX-License-Identifier: Apache-2.0

/// The category of each pixel of an image, as a segmentation model tells them.
public struct CategoryMask: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int
  /// Rows, 1 or more.
  public let height: Int
  /// The category of each pixel, row by row from the top.
  public internal(set) var categories: [UInt8]

  /// The category of pixels that belong to none, as MediaPipe has it: 255.
  public static let unlabeled: UInt8 = 255

  /// Takes over categories.
  ///
  /// - Throws: `ImagingError` when the size is impossible or differs from their number.
  public init(width: Int, height: Int, categories: [UInt8]) throws(ImagingError) {
    let wanted = try PixelBuffer.byteCount(width: width, height: height, format: .grey8)
    guard categories.count == wanted else { throw .byteCount(categories.count, wanted: wanted) }
    self.init(checkedWidth: width, height: height, categories: categories)
  }

  init(checkedWidth width: Int, height: Int, categories: [UInt8]) {
    self.width = width
    self.height = height
    self.categories = categories
  }

  /// The category of a pixel.
  ///
  /// - Precondition: The pixel lies in the mask.
  public func category(column: Int, row: Int) -> UInt8 {
    precondition(column >= 0 && column < width && row >= 0 && row < height)
    return categories[row * width + column]
  }

  /// How many pixels each of the 256 categories has.
  public var pixelCounts: [Int] {
    var counts = [Int](repeating: 0, count: 256)
    for category in categories { counts[Int(category)] += 1 }
    return counts
  }

  /// The categories as bytes of a grey image.
  public var image: PixelBuffer {
    PixelBuffer(checkedWidth: width, height: height, format: .grey8, bytes: categories)
  }

  /// The mask in another size: the category under the middle of each new pixel.
  ///
  /// - Throws: `ImagingError.size` when the size is impossible.
  public func resized(
    toWidth newWidth: Int, height newHeight: Int
  ) throws(ImagingError) -> CategoryMask {
    let resized = try image.resized(toWidth: newWidth, height: newHeight, filter: .nearest)
    return CategoryMask(checkedWidth: newWidth, height: newHeight, categories: resized.bytes)
  }

  /// The mask as it is meant to be seen, given how it is stored.
  public func upright(from orientation: ImageOrientation) -> CategoryMask {
    let turned = image.upright(from: orientation)
    return CategoryMask(
      checkedWidth: turned.width, height: turned.height, categories: turned.bytes)
  }

  /// The mask of the image that this one's was prepared from, each pixel's category being that
  /// under its middle.
  ///
  /// - Parameters:
  ///   - placement: Where the mask lies in that image.
  ///   - outside: The category of pixels beside the mask.
  /// - Returns: A mask of the image's size.
  /// - Throws: `ImagingError.size` when the image's size is impossible.
  public func placed(
    by placement: MaskPlacement, outside: UInt8 = CategoryMask.unlabeled
  ) throws(ImagingError) -> CategoryMask {
    let (newWidth, newHeight) = (placement.width, placement.height)
    let count = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: .grey8)
    let columns = (0..<newWidth).map { placement.nearestColumn($0, of: width) }
    var placed = [UInt8](repeating: outside, count: count)
    for row in 0..<newHeight {
      guard let source = placement.nearestRow(row, of: height) else { continue }
      for (column, position) in columns.enumerated() {
        guard let position else { continue }
        placed[row * newWidth + column] = categories[source * width + position]
      }
    }
    return CategoryMask(checkedWidth: newWidth, height: newHeight, categories: placed)
  }
}
