// SPDX-License-Identifier: Apache-2.0

#if !canImport(UIKit)
  public import Foundation
  package import ImageCodecs
  import Imaging
  import Tensors

  /// An image and how it must be turned to be seen upright, instead of UIKit's type.
  public final class UIImage: Sendable {
    /// How the stored rows and columns of an image lie in the scene.
    ///
    /// Each case names the same thing as the Exif orientation given with it.
    public enum Orientation: Int, Sendable, CaseIterable {
      /// Exif 1: nothing to do.
      case up = 0
      /// Exif 3: half a turn.
      case down = 1
      /// Exif 8: a quarter turn counter-clockwise.
      case left = 2
      /// Exif 6: a quarter turn clockwise.
      case right = 3
      /// Exif 2: mirror left and right.
      case upMirrored = 4
      /// Exif 4: mirror top and bottom.
      case downMirrored = 5
      /// Exif 5: transpose.
      case leftMirrored = 6
      /// Exif 7: transpose over the other diagonal.
      case rightMirrored = 7
    }

    /// The image as it is stored.
    public let cgImage: CGImage?
    /// How it must be turned.
    public let imageOrientation: Orientation
    /// Pixels per point.
    public let scale: CGFloat

    /// An upright image.
    public convenience init(cgImage: CGImage) {
      self.init(cgImage: cgImage, scale: 1, orientation: .up)
    }

    /// An image that must be turned.
    public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
      self.cgImage = cgImage
      self.scale = scale
      imageOrientation = orientation
    }

    /// The image in a file's bytes, with the orientation of its Exif data; nil where no decoder
    /// takes them, of which `VisionImage(data:)` says why.
    public convenience init?(data: Data) {
      guard let decoded = try? ImageFile.decode([UInt8](data)) else { return nil }
      self.init(
        cgImage: CGImage(PixelBuffer(decoded)), scale: 1,
        orientation: Orientation(decoded.orientation ?? .up))
    }

    /// The image in a file, with the orientation of its Exif data; nil where it cannot be read,
    /// of which `VisionImage(contentsOfFile:)` says why.
    public convenience init?(contentsOfFile path: String) {
      guard let storage = try? Storage(mapping: path) else { return nil }
      self.init(data: Data(TensorBytes(copying: storage.bytes).array()))
    }

    /// The size in points of the image as it is seen.
    public var size: CGSize {
      guard let cgImage, scale > 0 else { return .zero }
      let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
      return imageOrientation.exif.swapsAxes
        ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
    }

    /// The image as it is stored, as a PNG file.
    public func pngData() -> Data? {
      (try? cgImage?.pixels.encodedAsPNG()).map { Data($0) }
    }
  }

  extension UIImage.Orientation {
    /// The same orientation by its Exif number (an addition).
    package var exif: ImageOrientation {
      switch self {
      case .up: .up
      case .down: .down
      case .left: .left
      case .right: .right
      case .upMirrored: .upMirrored
      case .downMirrored: .downMirrored
      case .leftMirrored: .leftMirrored
      case .rightMirrored: .rightMirrored
      }
    }

    /// The orientation of an Exif number.
    package init(_ exif: ImageOrientation) {
      switch exif {
      case .up: self = .up
      case .down: self = .down
      case .left: self = .left
      case .right: self = .right
      case .upMirrored: self = .upMirrored
      case .downMirrored: self = .downMirrored
      case .leftMirrored: self = .leftMirrored
      case .rightMirrored: self = .rightMirrored
      }
    }
  }
#endif
