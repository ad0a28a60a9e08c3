// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import VisionTasks

extension VisionInput {
  /// The image turned upright and in another size, with the values that MediaPipe gives a model.
  ///
  /// Unlike the filters of `ResizeFilter`, MediaPipe's puts the middle of the first pixel of the
  /// result on that of the image's first. Source: `image_to_tensor_converter_opencv.cc`.
  ///
  /// - Parameters:
  ///   - columns: columns of the result; nil for those of the image.
  ///   - rows: rows of the result; nil for those of the image.
  /// - Returns: red, green and blue.
  /// - Throws: `VisionError` for a size that is impossible.
  func resampled(columns: Int?, rows: Int?) throws(VisionError) -> PixelBuffer {
    let upright = pixels.converted(to: .rgb8).upright(from: orientation)
    return try VisionError.wrapping { () throws(LandmarkError) in
      try upright.cropped(
        to: NormalizedRect.whole.inPixels(columns: upright.width, rows: upright.height),
        columns: columns ?? upright.width, rows: rows ?? upright.height, border: .zero)
    }
  }

  /// Where a rectangle of a resampled image lies in the image as stored.
  func storedRect(_ rect: ImageRect, in resampled: PixelBuffer) -> ImageRect {
    let (width, height) = (Double(pixels.width), Double(pixels.height))
    let (columns, rows) = orientation.swapsAxes ? (height, width) : (width, height)
    let across = columns / Double(resampled.width)
    let down = rows / Double(resampled.height)
    return orientation.storedRect(
      ImageRect(
        x: rect.x * across, y: rect.y * down, width: rect.width * across,
        height: rect.height * down), storedWidth: width, storedHeight: height)
  }
}
