// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreGraphics)
  public import Foundation
  import Imaging

  /// A drawing surface of 8-bit pixels of four bytes, instead of Core Graphics' type.
  ///
  /// It takes the four layouts that Core Graphics draws RGB into: `noneSkipFirst`, `noneSkipLast`,
  /// `premultipliedFirst`, `premultipliedLast`, in the default byte order. Row 0 is the top.
  @safe
  public final class CGContext {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from the start of a row to that of the next.
    public let bytesPerRow: Int
    /// Where a pixel's alpha lies.
    public let alphaInfo: CGImageAlphaInfo

    private let memory: UnsafeMutableRawBufferPointer
    private let ownsMemory: Bool

    /// A surface; nil where a parameter is out of range.
    ///
    /// - Parameters:
    ///   - data: memory of `height` × `bytesPerRow` bytes that outlives the surface; nil to have it
    ///     allocated, and cleared.
    ///   - width: columns, 1 to 65,535.
    ///   - height: rows, 1 to 65,535.
    ///   - bitsPerComponent: 8.
    ///   - bytesPerRow: at least four times `width`; 0 for just that.
    ///   - space: the device's RGB.
    ///   - bitmapInfo: the raw value of one of the four alpha layouts.
    public init?(
      data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
      bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
    ) {
      let sides = 1...65_535
      guard sides.contains(width), sides.contains(height), bitsPerComponent == 8,
        bytesPerRow == 0 || bytesPerRow >= width * 4, bytesPerRow <= 1 << 20,
        height * max(bytesPerRow, width * 4) <= 1 << 30,
        let alphaInfo = CGImageAlphaInfo(rawValue: bitmapInfo)
      else { return nil }
      switch alphaInfo {
      case .noneSkipFirst, .noneSkipLast, .premultipliedFirst, .premultipliedLast: break
      case .none, .last, .first, .alphaOnly: return nil
      }
      self.width = width
      self.height = height
      self.bytesPerRow = bytesPerRow == 0 ? width * 4 : bytesPerRow
      self.alphaInfo = alphaInfo
      let byteCount = height * self.bytesPerRow
      ownsMemory = unsafe data == nil
      if let data = unsafe data {
        unsafe memory = UnsafeMutableRawBufferPointer(start: data, count: byteCount)
      } else {
        unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }

    deinit {
      if ownsMemory { unsafe memory.deallocate() }
    }

    /// The pixels, valid as long as the surface.
    public var data: UnsafeMutableRawPointer? { unsafe memory.baseAddress }

    /// Draws an image over what is there, scaled to a rectangle.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - rect: where it goes, in pixels from the *bottom* left corner, as in Core Graphics; what
    ///     reaches over the edges is cut off, fractions are rounded.
    public func draw(_ image: CGImage, in rect: CGRect) {
      guard let target = PixelArea(rect.standardized, surfaceHeight: height),
        let scaled = try? image.pixels.converted(to: .rgba8).resized(
          toWidth: target.width, height: target.height, filter: .bilinear)
      else { return }
      for row in max(target.y, 0)..<max(min(target.y + target.height, height), max(target.y, 0)) {
        let first = max(target.x, 0)
        for column in first..<max(min(target.x + target.width, width), first) {
          let location = ((row - target.y) * target.width + column - target.x) * 4
          put(scaled.bytes[location..<location + 4], column: column, row: row)
        }
      }
    }

    /// Lays one pixel of straight alpha over what is there.
    private func put(_ pixel: ArraySlice<UInt8>, column: Int, row: Int) {
      let start = pixel.startIndex
      let alpha = UInt32(pixel[start + 3])
      let location = row * bytesPerRow + column * 4
      let (color, extra) = hasAlphaFirst ? (location + 1, location) : (location, location + 3)
      for channel in 0..<3 {
        let front = UInt32(pixel[start + channel]) * alpha
        let back = unsafe UInt32(memory[color + channel]) * (255 - alpha)
        unsafe memory[color + channel] = UInt8(truncatingIfNeeded: (front + back + 127) / 255)
      }
      if alphaInfo == .premultipliedFirst || alphaInfo == .premultipliedLast {
        let back = unsafe UInt32(memory[extra]) * (255 - alpha)
        unsafe memory[extra] = UInt8(truncatingIfNeeded: alpha + (back + 127) / 255)
      }
    }

    private var hasAlphaFirst: Bool {
      alphaInfo == .noneSkipFirst || alphaInfo == .premultipliedFirst
    }

    /// A copy of the surface as an image; alpha is straight.
    public func makeImage() -> CGImage? {
      let isOpaque = alphaInfo == .noneSkipFirst || alphaInfo == .noneSkipLast
      var pixels: [UInt8] = []
      pixels.reserveCapacity(width * height * 4)
      for row in 0..<height {
        for column in 0..<width {
          let location = row * bytesPerRow + column * 4
          let (color, extra) = hasAlphaFirst ? (location + 1, location) : (location, location + 3)
          let alpha = unsafe isOpaque ? 255 : memory[extra]
          for channel in 0..<3 {
            let value = unsafe UInt32(memory[color + channel])
            pixels.append(
              alpha == 0 ? 0 : UInt8(clamping: (value * 255 + UInt32(alpha) / 2) / UInt32(alpha)))
          }
          pixels.append(alpha)
        }
      }
      return (try? PixelBuffer(width: width, height: height, format: .rgba8, bytes: pixels))
        .map(CGImage.init)
    }
  }

  /// A rectangle of whole pixels from the top left corner.
  private struct PixelArea {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    /// Nil for rectangles that are empty, not finite or larger than any surface.
    init?(_ rect: CGRect, surfaceHeight: Int) {
      let edges = [rect.minX, rect.minY, rect.maxX, rect.maxY].map { $0.rounded() }
      guard edges.allSatisfy({ abs($0) <= 131_072 }) else { return nil }
      x = Int(edges[0])
      y = surfaceHeight - Int(edges[3])
      width = Int(edges[2]) - x
      height = Int(edges[3]) - Int(edges[1])
      guard width >= 1, height >= 1 else { return nil }
    }
  }
#endif
