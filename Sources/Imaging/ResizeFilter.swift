// SPDX-License-Identifier: Apache-2.0

/// How the pixels of a resized image are computed.
///
/// All filters take pixels as squares: the middle of pixel `i` lies at `i + ½`, so that an output
/// pixel looks at the input location `(i + ½) × inputSize / outputSize`, edges meeting edges.
public enum ResizeFilter: Sendable, Hashable, CaseIterable {
  /// The input pixel under the middle of the output pixel.
  case nearest

  /// A weighted mean of the four input pixels around the middle of the output pixel.
  ///
  /// Shrinking by more than half skips pixels, as the resizing of TensorFlow (without
  /// antialiasing), TensorFlow Lite and most image processors on phones does.
  case bilinear

  /// As `bilinear`, in 8-bit fixed point with the rounding of libyuv, the library that ML Kit's
  /// kind of image processing uses.
  ///
  /// Most pixels differ from those of `bilinear` by 1 or 2. Bit for bit libyuv's `ARGBScale` with
  /// `kFilterBilinear` on x86-64; see `resizedAsLibyuv` for the exceptions.
  case libyuvBilinear

  /// A weighted mean of all input pixels under a triangle as wide as two output pixels.
  ///
  /// Bit for bit `Image.resize(size, BILINEAR)` of Pillow 13, what most Python pipelines use. As
  /// there, colors of images with alpha are premultiplied while they are mixed.
  case antialiasedBilinear

  /// A weighted mean of the four input pixels around the first corner of the output pixel, its
  /// location rounded to 1/32 pixel.
  ///
  /// The first pixel of the result is the first one of the image. With it, MediaPipe's tasks give
  /// images to models (`image_to_tensor_converter_opencv.cc`): images are turned upright before.
  /// Enlarged images become darker at their last column and row, beyond which it is black.
  case cornerBilinear
}

extension PixelBuffer {
  /// The image in another size, both directions scaled on their own.
  ///
  /// - Parameters:
  ///   - newWidth: Columns of the result, 1 or more.
  ///   - newHeight: Rows of the result, 1 or more.
  ///   - filter: How new pixels are computed.
  /// - Returns: The resized image; unchanged when it has the size already.
  /// - Throws: `ImagingError.size` when the size is impossible.
  public func resized(
    toWidth newWidth: Int, height newHeight: Int, filter: ResizeFilter
  ) throws(ImagingError) -> PixelBuffer {
    _ = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: format)
    guard newWidth != width || newHeight != height else { return self }
    return switch filter {
    case .nearest: resizedNearest(toWidth: newWidth, height: newHeight)
    case .bilinear: resizedBilinear(toWidth: newWidth, height: newHeight)
    case .libyuvBilinear: resizedAsLibyuv(toWidth: newWidth, height: newHeight)
    case .cornerBilinear:
      try resizedFromCorner(
        ImageRect(x: 0, y: 0, width: Double(width), height: Double(height)), toWidth: newWidth,
        height: newHeight)
    case .antialiasedBilinear:
      try resizedAntialiased(toWidth: newWidth, height: newHeight)
    }
  }
}
