// SPDX-License-Identifier: Apache-2.0

public import AppleCompatibility
public import Foundation
import ImageCodecs
import Imaging

/// What detectors and labelers take; only `VisionImage` is one.
public protocol MLKitCompatibleImage {}

/// An image or video frame to be looked at.
///
/// How it must be turned to be seen upright is said by `metadata`, Firebase ML Kit's form, where it
/// is not nil, or else by `orientation`, ML Kit's. The orientation of a `UIImage` is not asked.
public final class VisionImage: NSObject, MLKitCompatibleImage {
  /// How the image must be turned to be seen upright: ML Kit's form.
  public var orientation: UIImage.Orientation = .up
  /// How the image must be turned to be seen upright: Firebase ML Kit's form; nil to have
  /// `orientation` count.
  public var metadata: VisionImageMetadata?

  private let content: Result<PixelBuffer, NSError>

  /// An image in memory; one without a `cgImage` is an error when it is used.
  public init(image: UIImage) {
    if let image = image.cgImage {
      content = .success(image.pixels)
    } else {
      content = .failure(
        Generation.mlKit.error(.invalidArgument, "The image has no CGImage."))
    }
  }

  /// A video frame, in the pixel formats 32BGRA, 420f or 420v; a sample without one is an error
  /// when it is used.
  public init(buffer sampleBuffer: CMSampleBuffer) {
    if let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) {
      content = .success(buffer.pixels)
    } else {
      content = .failure(
        Generation.mlKit.error(.invalidArgument, "The sample buffer has no image buffer."))
    }
  }

  private init(_ pixels: PixelBuffer) { content = .success(pixels) }

  /// The image in a file's bytes; `orientation` is that of its Exif data (an addition).
  ///
  /// - Throws: `NSError` of code `invalidArgument` where no decoder takes the bytes.
  public convenience init(data: Data) throws {
    do throws(ImageFileError) {
      let decoded = try ImageFile.decode([UInt8](data), limits: MLKitSettings.limits)
      self.init(PixelBuffer(decoded))
      orientation = UIImage.Orientation(decoded.orientation ?? .up)
    } catch {
      throw Generation.mlKit.error(.invalidArgument, "The image cannot be decoded: \(error)")
    }
  }

  /// The image in a file; `orientation` is that of its Exif data (an addition).
  ///
  /// - Throws: `NSError` of code `notFound` where the file cannot be read, `invalidArgument` where
  ///   no decoder takes it.
  public convenience init(contentsOfFile path: String) throws {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw Generation.mlKit.error(.notFound, "The file \(path) cannot be read.")
    }
    try self.init(data: data)
  }

  /// The order of the bytes of a raw image (an addition).
  public enum RawFormat: Sendable {
    /// One byte per pixel.
    case grey
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, alpha.
    case rgba
    /// Blue, green, red, alpha.
    case bgra

    fileprivate var pixelFormat: PixelFormat {
      switch self {
      case .grey: .grey8
      case .rgb: .rgb8
      case .rgba: .rgba8
      case .bgra: .bgra8
      }
    }
  }

  /// A raw image (an addition).
  ///
  /// - Parameters:
  ///   - pixels: rows from the top.
  ///   - width: columns.
  ///   - height: rows.
  ///   - format: the order of a pixel's bytes.
  ///   - bytesPerRow: from the start of a row to that of the next; nil for rows without gaps.
  /// - Throws: `NSError` of code `invalidArgument` where the bytes are too few.
  public convenience init(
    pixels: Data, width: Int, height: Int, format: RawFormat, bytesPerRow: Int? = nil
  ) throws {
    do throws(ImagingError) {
      self.init(
        try PixelBuffer(
          width: width, height: height, format: format.pixelFormat, bytes: [UInt8](pixels),
          rowByteCount: bytesPerRow ?? width * format.pixelFormat.channelCount))
    } catch {
      throw Generation.mlKit.error(.invalidArgument, "\(error)")
    }
  }

  /// A raw image of a plane of luma and one of interleaved chroma of half the size (NV12) (an
  /// addition).
  ///
  /// - Parameters:
  ///   - luma: one byte per pixel, rows from the top.
  ///   - lumaBytesPerRow: from the start of a row of luma to that of the next.
  ///   - chroma: blue and red chroma in turn for every two by two pixels.
  ///   - chromaBytesPerRow: from the start of a row of chroma to that of the next.
  ///   - width: columns.
  ///   - height: rows.
  ///   - isFullRange: whether luma goes from 0 to 255, rather than from 16 to 235.
  /// - Throws: `NSError` of code `invalidArgument` where a plane is too short.
  public convenience init(
    luma: Data, lumaBytesPerRow: Int, chroma: Data, chromaBytesPerRow: Int, width: Int,
    height: Int, isFullRange: Bool
  ) throws {
    do throws(ImagingError) {
      let image = try BiplanarImage(
        width: width, height: height,
        luma: .init(bytes: [UInt8](luma), rowByteCount: lumaBytesPerRow),
        chroma: .init(bytes: [UInt8](chroma), rowByteCount: chromaBytesPerRow),
        range: isFullRange ? .full : .video)
      self.init(image.pixels)
    } catch {
      throw Generation.mlKit.error(.invalidArgument, "\(error)")
    }
  }

  /// The image and how it must be turned, as they are now.
  struct Snapshot: Sendable {
    let pixels: PixelBuffer
    let orientation: ImageOrientation
  }

  /// What the image is now.
  func snapshot() throws(NSError) -> Snapshot {
    let orientation = metadata?.orientation.exif ?? orientation.exif
    return Snapshot(pixels: try content.get(), orientation: orientation)
  }
}

extension MLKitCompatibleImage {
  /// What the image is now.
  func snapshot() throws(NSError) -> VisionImage.Snapshot {
    guard let image = self as? VisionImage else {
      throw Generation.mlKit.error(
        .invalidArgument, "\(type(of: self)) is no VisionImage, and nothing else is supported.")
    }
    return try image.snapshot()
  }
}
