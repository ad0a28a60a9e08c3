// SPDX-License-Identifier: Apache-2.0

/// A number for each pixel of an image, such as how sure a model is that it shows a category.
public struct ConfidenceMask: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int
  /// Rows, 1 or more.
  public let height: Int
  /// The numbers, row by row from the top; confidences are from 0 to 1.
  public let values: [Float]

  /// Takes over numbers.
  ///
  /// - Throws: `ImagingError` when the size is impossible or differs from their number.
  public init(width: Int, height: Int, values: [Float]) throws(ImagingError) {
    let wanted = try PixelBuffer.byteCount(width: width, height: height, format: .grey8)
    guard values.count == wanted else { throw .valueCount(values.count, wanted: wanted) }
    self.init(checkedWidth: width, height: height, values: values)
  }

  init(checkedWidth width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// The numbers as bytes of a grey image: 0 is 0, 1 is 255, rounded to nearest; NaN is 0.
  public var image: PixelBuffer {
    let bytes = values.map { value in
      value.isNaN ? 0 : UInt8(min(max(value, 0), 1) * 255 + 0.5)
    }
    return PixelBuffer(checkedWidth: width, height: height, format: .grey8, bytes: bytes)
  }

  /// The mask in another size, bilinear between the middles of pixels, as OpenCV's
  /// `resize` with `INTER_LINEAR` and as `ResizeFilter.bilinear`.
  ///
  /// - Throws: `ImagingError.size` when the size is impossible.
  public func resized(
    toWidth newWidth: Int, height newHeight: Int
  ) throws(ImagingError) -> ConfidenceMask {
    guard newWidth != width || newHeight != height else { return self }
    return try placed(by: MaskPlacement(width: newWidth, height: newHeight), outside: 0)
  }

  /// The mask as it is meant to be seen, given how it is stored.
  public func upright(from orientation: ImageOrientation) -> ConfidenceMask {
    guard orientation != .up else { return self }
    let grid = TurnedGrid(width: width, height: height, orientation: orientation)
    return ConfidenceMask(
      checkedWidth: grid.columns, height: grid.rows,
      values: grid.elements(of: values.span, length: 1, fill: 0))
  }

  /// The mask of the image that this one's was prepared from, bilinear.
  ///
  /// - Parameters:
  ///   - placement: Where the mask lies in that image.
  ///   - outside: The number of pixels beside the mask.
  /// - Returns: A mask of the image's size.
  /// - Throws: `ImagingError.size` when the image's size is impossible.
  public func placed(
    by placement: MaskPlacement, outside: Float
  ) throws(ImagingError) -> ConfidenceMask {
    let (newWidth, newHeight) = (placement.width, placement.height)
    let count = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: .grey8)
    let columns = placement.columnTaps(of: width)
    var placed = [Float](repeating: outside, count: count)
    let source = values.span
    var target = placed.mutableSpan
    for (row, tap) in placement.rowTaps(of: height).enumerated() {
      guard let tap else { continue }
      let (upper, lower) = (tap.lower * width, tap.upper * width)
      for (column, tapX) in columns.enumerated() {
        guard let tapX else { continue }
        let top = tapX.mix(source[upper + tapX.lower], source[upper + tapX.upper])
        let bottom = tapX.mix(source[lower + tapX.lower], source[lower + tapX.upper])
        target[row * newWidth + column] = tap.mix(top, bottom)
      }
    }
    return ConfidenceMask(checkedWidth: newWidth, height: newHeight, values: placed)
  }
}
