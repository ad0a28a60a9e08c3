// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import ResourceLimits

/// How the pixels of raw frames lie, by ffmpeg's names: `640x480:rgb24`.
package struct FrameFormat: Equatable {
  /// The pixel formats, as ffmpeg's `-pix_fmt` calls them.
  package enum Pixels: String, CaseIterable, Sendable {
    case rgb24
    case gray
    case rgba
    case bgr24
    case bgra
    /// Planes of luma and of chroma at half the size, rounded up, of video range.
    case yuv420p
    /// The same of full range.
    case yuvj420p
  }

  /// The option that says so.
  static let option = "frames"

  package let width: Int
  package let height: Int
  package let pixels: Pixels
  /// The bytes of a frame.
  package let byteCount: Int

  /// The format that a text such as `640x480` or `640x480:gray` means; nil where it means none, or
  /// frames would be larger than images may be.
  package init?(_ text: String, limits: Limits = Limits()) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    let sides = words.compactMap { Int($0) }
    guard parts.count <= 2, words.count == 2, sides.count == 2,
      sides.allSatisfy({ $0 >= 1 && $0 <= limits.imageSide })
    else { return nil }
    guard let pixels = parts.count == 2 ? Pixels(rawValue: String(parts[1])) : .rgb24 else {
      return nil
    }
    let (count, overflows) = sides[0].multipliedReportingOverflow(by: sides[1])
    guard !overflows, count <= limits.imagePixelCount, count <= limits.imageByteCount / 4 else {
      return nil
    }
    (width, height) = (sides[0], sides[1])
    self.pixels = pixels
    byteCount =
      switch pixels {
      case .gray: count
      case .rgb24, .bgr24: count * 3
      case .rgba, .bgra: count * 4
      case .yuv420p, .yuvj420p: count + (width + 1) / 2 * ((height + 1) / 2) * 2
      }
  }

  /// The image of a frame.
  ///
  /// - Parameter bytes: the frame, as many bytes as the format has.
  /// - Returns: the image, by BT.601 where there is chroma.
  /// - Throws: `ImagingError` where there are more or fewer bytes.
  package func image(_ bytes: [UInt8]) throws(ImagingError) -> PixelBuffer {
    func plain(_ format: PixelFormat, _ bytes: [UInt8]) throws(ImagingError) -> PixelBuffer {
      try PixelBuffer(width: width, height: height, format: format, bytes: bytes)
    }
    switch pixels {
    case .gray: return try plain(.grey8, bytes)
    case .rgb24: return try plain(.rgb8, bytes)
    case .rgba: return try plain(.rgba8, bytes)
    case .bgra: return try plain(.bgra8, bytes)
    case .bgr24:
      var swapped = bytes
      for red in stride(from: 0, to: swapped.count - 2, by: 3) { swapped.swapAt(red, red + 2) }
      return try plain(.rgb8, swapped)
    case .yuv420p: return try planar(bytes, .video)
    case .yuvj420p: return try planar(bytes, .full)
    }
  }

  /// The image of a plane of luma, one of blue and one of red chroma.
  private func planar(
    _ bytes: [UInt8], _ range: BiplanarImage.Range
  ) throws(ImagingError) -> PixelBuffer {
    guard bytes.count == byteCount else { throw .byteCount(bytes.count, wanted: byteCount) }
    let (luma, columns) = (width * height, (width + 1) / 2)
    let plane = columns * ((height + 1) / 2)
    var chroma: [UInt8] = []
    chroma.reserveCapacity(2 * plane)
    for sample in 0..<plane {
      chroma.append(bytes[luma + sample])
      chroma.append(bytes[luma + plane + sample])
    }
    return try BiplanarImage(
      width: width, height: height,
      luma: BiplanarImage.Plane(bytes: Array(bytes[..<luma]), rowByteCount: width),
      chroma: BiplanarImage.Plane(bytes: chroma, rowByteCount: 2 * columns), range: range
    ).pixels
  }
}
