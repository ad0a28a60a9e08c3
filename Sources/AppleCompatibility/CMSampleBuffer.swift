// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreMedia)
  public import Imaging

  /// The code of a pixel format: four characters as a number.
  public typealias OSType = UInt32

  /// Blue, green, red, alpha: `BGRA`.
  public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
  /// Luma and chroma of full range in two planes: `420f`.
  public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
  /// Luma and chroma of video range in two planes: `420v`.
  public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076

  /// The pixels of a video frame, instead of Core Video's type.
  public final class CVPixelBuffer: Sendable {
    /// The frame's planes.
    enum Content: Sendable {
      case interleaved(PixelBuffer)
      case biplanar(BiplanarImage)
    }

    let content: Content

    /// A frame of blue, green, red and alpha; other formats are converted (an addition).
    public init(_ pixels: PixelBuffer) { content = .interleaved(pixels.converted(to: .bgra8)) }

    /// A frame of two planes, `420f` or `420v` by its range (an addition).
    public init(_ image: BiplanarImage) { content = .biplanar(image) }

    /// The colors of the frame, converted where it has luma and chroma (an addition).
    public var pixels: PixelBuffer {
      switch content {
      case .interleaved(let pixels): pixels
      case .biplanar(let image): image.pixels
      }
    }
  }

  /// An image of any kind; here always a pixel buffer.
  public typealias CVImageBuffer = CVPixelBuffer

  /// The columns of a frame.
  public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int {
    switch buffer.content {
    case .interleaved(let pixels): pixels.width
    case .biplanar(let image): image.width
    }
  }

  /// The rows of a frame.
  public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int {
    switch buffer.content {
    case .interleaved(let pixels): pixels.height
    case .biplanar(let image): image.height
    }
  }

  /// The code of a frame's format.
  public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType {
    switch buffer.content {
    case .interleaved: kCVPixelFormatType_32BGRA
    case .biplanar(let image):
      image.range == .full
        ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
  }

  /// A sample of a video: one frame, instead of Core Media's type.
  public final class CMSampleBuffer: Sendable {
    let imageBuffer: CVImageBuffer?

    /// A sample of one frame; nil for a sample without one (an addition).
    public init(imageBuffer: CVImageBuffer?) { self.imageBuffer = imageBuffer }
  }

  /// The frame of a sample.
  public func CMSampleBufferGetImageBuffer(_ sample: CMSampleBuffer) -> CVImageBuffer? {
    sample.imageBuffer
  }
#endif
