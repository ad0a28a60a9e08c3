// SPDX-License-Identifier: Apache-2.0

/// An image as cameras deliver it: a plane of luma, and one of half the size with blue and red
/// chroma in turn (4:2:0, also called NV12).
public struct BiplanarImage: Sendable, Hashable {
  /// What the bytes of luma and chroma mean.
  public enum Range: Sendable, Hashable {
    /// All of 0 to 255 (`420f`, and JPEG).
    case full
    /// Luma from 16 to 235, chroma from 16 to 240 (`420v`).
    case video
  }

  /// A plane of bytes whose rows may be followed by padding.
  public struct Plane: Sendable, Hashable {
    /// The bytes, rows from the top.
    public let bytes: [UInt8]
    /// From the start of a row to that of the next.
    public let rowByteCount: Int

    /// Rows of `rowByteCount` bytes each; the last may lack its padding.
    public init(bytes: [UInt8], rowByteCount: Int) {
      self.bytes = bytes
      self.rowByteCount = rowByteCount
    }

    fileprivate func hasRows(_ count: Int, of byteCount: Int) -> Bool {
      let (skipped, overflow) = rowByteCount.multipliedReportingOverflow(by: count - 1)
      return !overflow && rowByteCount >= byteCount && bytes.count >= byteCount
        && bytes.count - byteCount >= skipped
    }
  }

  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Luma: one byte per pixel.
  public let luma: Plane
  /// Blue and red chroma: two bytes for every two by two pixels, odd sizes rounded up.
  public let chroma: Plane
  /// What the bytes mean.
  public let range: Range

  /// An image of two planes.
  ///
  /// - Throws: `ImagingError` when the size is impossible or a plane is too short for it.
  public init(
    width: Int, height: Int, luma: Plane, chroma: Plane, range: Range
  ) throws(ImagingError) {
    let wanted = try PixelBuffer.byteCount(width: width, height: height, format: .grey8)
    guard luma.hasRows(height, of: width) else {
      throw .byteCount(luma.bytes.count, wanted: wanted)
    }
    let chromaWidth = (width + 1) / 2 * 2
    guard chroma.hasRows((height + 1) / 2, of: chromaWidth) else {
      throw .byteCount(chroma.bytes.count, wanted: chromaWidth * ((height + 1) / 2))
    }
    self.width = width
    self.height = height
    self.luma = luma
    self.chroma = chroma
    self.range = range
  }

  /// The colors, `rgb8`, by the coefficients of ITU-R BT.601; each chroma sample serves four
  /// pixels.
  ///
  ///     red   = luma + 1.402 × cr
  ///     green = luma - 0.344136 × cb - 0.714136 × cr
  ///     blue  = luma + 1.772 × cb
  ///
  /// with chroma counted from 128, in 16-bit fixed point, rounded to nearest and clamped. Of video
  /// range, luma is counted from 16 and stretched by 255 / 219, chroma by 255 / 224.
  public var pixels: PixelBuffer {
    let weights = Weights(range)
    var colors = [UInt8](repeating: 0, count: width * height * 3)
    var target = colors.mutableSpan
    let (lumaBytes, chromaBytes) = (luma.bytes.span, chroma.bytes.span)
    var location = 0
    for row in 0..<height {
      let lumaStart = row * luma.rowByteCount
      let chromaStart = row / 2 * chroma.rowByteCount
      for column in 0..<width {
        let pair = chromaStart + column / 2 * 2
        let y = (Int32(lumaBytes[lumaStart + column]) - weights.black) * weights.luma
        let cb = Int32(chromaBytes[pair]) - 128
        let cr = Int32(chromaBytes[pair + 1]) - 128
        target[location] = clamped(y + weights.redFromRed * cr)
        target[location + 1] = clamped(y - weights.greenFromBlue * cb - weights.greenFromRed * cr)
        target[location + 2] = clamped(y + weights.blueFromBlue * cb)
        location += 3
      }
    }
    return PixelBuffer(checkedWidth: width, height: height, format: .rgb8, bytes: colors)
  }

  /// A sum of 16-bit fixed point; its size stays below 2²⁶.
  @inline(__always)
  private func clamped(_ sum: Int32) -> UInt8 { UInt8(clamping: (sum + 0x8000) >> 16) }

  /// The coefficients times 65,536.
  private struct Weights {
    let black: Int32
    let luma: Int32
    let redFromRed: Int32
    let greenFromBlue: Int32
    let greenFromRed: Int32
    let blueFromBlue: Int32

    init(_ range: Range) {
      let (lumaScale, chromaScale) = range == .full ? (1, 1) : (255.0 / 219, 255.0 / 224)
      func fixed(_ weight: Double) -> Int32 { Int32((weight * 65_536).rounded()) }
      black = range == .full ? 0 : 16
      luma = fixed(lumaScale)
      redFromRed = fixed(1.402 * chromaScale)
      greenFromBlue = fixed(0.344136 * chromaScale)
      greenFromRed = fixed(0.714136 * chromaScale)
      blueFromBlue = fixed(1.772 * chromaScale)
    }
  }
}
