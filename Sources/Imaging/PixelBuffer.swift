// SPDX-License-Identifier: Apache-2.0

/// An image in memory: 8-bit channels, row by row from the top, without gaps.
public struct PixelBuffer: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int

  /// Rows, 1 or more.
  public let height: Int

  /// The order of a pixel's bytes.
  public let format: PixelFormat

  /// The channels of all pixels: width × height × channels bytes.
  public internal(set) var bytes: [UInt8]

  /// Bytes per row.
  public var rowByteCount: Int { width * format.channelCount }

  /// Takes over pixels.
  ///
  /// - Parameters:
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - format: The order of a pixel's bytes.
  ///   - bytes: The channels of all pixels, row by row from the top, without gaps.
  /// - Throws: `ImagingError` when the size is impossible or differs from the number of bytes.
  public init(
    width: Int, height: Int, format: PixelFormat, bytes: [UInt8]
  ) throws(ImagingError) {
    let wanted = try PixelBuffer.byteCount(width: width, height: height, format: format)
    guard bytes.count == wanted else { throw .byteCount(bytes.count, wanted: wanted) }
    self.init(checkedWidth: width, height: height, format: format, bytes: bytes)
  }

  /// Takes pixels whose rows may be followed by padding.
  ///
  /// - Parameters:
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - format: The order of a pixel's bytes.
  ///   - bytes: The channels of all pixels, row by row from the top; the last row may lack its
  ///     padding.
  ///   - rowByteCount: Bytes from the start of a row to that of the next.
  /// - Throws: `ImagingError` when the size is impossible or the bytes are too few for it.
  public init(
    width: Int, height: Int, format: PixelFormat, bytes: [UInt8], rowByteCount: Int
  ) throws(ImagingError) {
    let wanted = try PixelBuffer.byteCount(width: width, height: height, format: format)
    let row = width * format.channelCount
    let (skipped, overflow) = rowByteCount.multipliedReportingOverflow(by: height - 1)
    guard rowByteCount >= row, !overflow, bytes.count >= row, bytes.count - row >= skipped else {
      throw .byteCount(bytes.count, wanted: wanted)
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(wanted)
    for start in stride(from: 0, through: skipped, by: rowByteCount) {
      pixels.append(contentsOf: bytes[start..<start + row])
    }
    self.init(checkedWidth: width, height: height, format: format, bytes: pixels)
  }

  /// An image of one color.
  ///
  /// - Parameters:
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - format: The order of a pixel's bytes.
  ///   - color: The color of every pixel.
  /// - Throws: `ImagingError` when the size is impossible.
  public init(
    width: Int, height: Int, format: PixelFormat, filledWith color: PixelColor
  ) throws(ImagingError) {
    let count = try PixelBuffer.byteCount(width: width, height: height, format: format)
    let pixel = color.bytes(format)
    var bytes = [UInt8](repeating: pixel[0], count: count)
    for channel in 1..<max(1, pixel.count) {
      for index in stride(from: channel, to: count, by: pixel.count) {
        bytes[index] = pixel[channel]
      }
    }
    self.init(checkedWidth: width, height: height, format: format, bytes: bytes)
  }

  /// A decoded image as it is stored, its orientation not applied: `rgba8`.
  ///
  /// - Parameter image: The image, which has at least one pixel.
  public init(_ image: DecodedImage) {
    self.init(
      checkedWidth: image.width, height: image.height, format: .rgba8, bytes: image.pixels)
  }

  /// For sizes and bytes that are known to agree.
  init(checkedWidth width: Int, height: Int, format: PixelFormat, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.format = format
    self.bytes = bytes
  }

  /// The number of bytes of an image.
  static func byteCount(
    width: Int, height: Int, format: PixelFormat
  ) throws(ImagingError) -> Int {
    guard width >= 1, height >= 1, max(width, height) <= largestSide,
      width * height <= largestByteCount / format.channelCount
    else { throw .size(width: width, height: height) }
    return width * height * format.channelCount
  }

  private static let largestSide = 1 << 24
  private static let largestByteCount = 1 << 30
}
