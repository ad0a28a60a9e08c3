// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// What lies beyond the edges of an image.
public enum ImageBorder: String, Sendable, Hashable, CaseIterable {
  /// Black.
  case zero
  /// The nearest pixel of the image.
  case replicate
}

extension PixelBuffer {
  /// A turned part of the image, in the size of a model's input.
  ///
  /// MediaPipe's `image_to_tensor` with its OpenCV converter. The top left pixel of the result is
  /// the image at the region's top left corner, and a step to the right is the region's width by
  /// `columns`. Values are bilinear, the locations rounded to 1/32 pixel, half to even, and the sum
  /// of the four weighted pixels rounded half up, as in OpenCV's fixed-point `warpPerspective`.
  ///
  /// - Parameters:
  ///   - rect: the region, in pixels; it may reach beyond the image.
  ///   - columns: columns of the result.
  ///   - rows: rows of the result.
  ///   - border: what lies beyond the image's edges.
  /// - Returns: the pixels, in the image's format.
  /// - Throws: `LandmarkError` for a region without area or an impossible size.
  public func cropped(
    to rect: RotatedRect, columns: Int, rows: Int, border: ImageBorder
  ) throws(LandmarkError) -> PixelBuffer {
    guard rect.isUsable else { throw .invalidRect("a region needs finite numbers and an area") }
    do throws(ImagingError) {
      let corners = rect.corners.map { (x: Double($0.x), y: Double($0.y)) }
      let (origin, right, down) = (corners[0], corners[1], corners[3])
      let (width, height) = (Double(columns), Double(rows))
      return try BilinearSource(self, isReplicated: border == .replicate).grid(
        from: origin, right: ((right.x - origin.x) / width, (right.y - origin.y) / width),
        down: ((down.x - origin.x) / height, (down.y - origin.y) / height), columns: columns,
        rows: rows)
    } catch {
      throw .image(error)
    }
  }
}
