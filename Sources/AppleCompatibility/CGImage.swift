// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreGraphics)
  public import Imaging

  /// An image in memory, instead of Core Graphics' type.
  public final class CGImage: Sendable {
    /// The pixels (an addition).
    public let pixels: PixelBuffer

    /// An image of these pixels (an addition).
    public init(_ pixels: PixelBuffer) { self.pixels = pixels }

    /// Columns.
    public var width: Int { pixels.width }
    /// Rows.
    public var height: Int { pixels.height }
    /// Bits of one channel: always 8.
    public var bitsPerComponent: Int { 8 }
    /// Bits of one pixel.
    public var bitsPerPixel: Int { 8 * pixels.format.channelCount }
    /// Bytes from the start of a row to that of the next.
    public var bytesPerRow: Int { pixels.rowByteCount }
  }

  /// A space of colors; all here are the device's RGB.
  public final class CGColorSpace: Sendable {
    fileprivate init() {}
  }

  /// The colors of the device: red, green, blue as they are stored.
  public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

  /// Where a pixel's alpha lies, and whether colors are multiplied by it.
  public enum CGImageAlphaInfo: UInt32, Sendable {
    /// There is none.
    case none = 0
    /// After the colors, which are multiplied by it.
    case premultipliedLast = 1
    /// Before the colors, which are multiplied by it.
    case premultipliedFirst = 2
    /// After the colors.
    case last = 3
    /// Before the colors.
    case first = 4
    /// An unused byte after the colors.
    case noneSkipLast = 5
    /// An unused byte before the colors.
    case noneSkipFirst = 6
    /// Nothing but alpha.
    case alphaOnly = 7
  }
#endif
