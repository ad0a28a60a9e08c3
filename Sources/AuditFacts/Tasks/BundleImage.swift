// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging

/// An image that a task is asked about.
public struct BundleImage: Sendable {
  /// What the image's file is called.
  public let fileName: String
  /// SHA-256 of the file, in hexadecimal digits; empty where it is not known.
  public let fileDigest: String
  /// The pixels as stored.
  public let pixels: PixelBuffer
  /// How they must be turned to be upright.
  public let orientation: ImageOrientation

  /// An image with what is known of its file.
  public init(
    _ pixels: PixelBuffer, orientation: ImageOrientation = .up, fileName: String,
    fileDigest: String = ""
  ) {
    self.pixels = pixels
    self.orientation = orientation
    self.fileName = fileName
    self.fileDigest = fileDigest
  }
}
