// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
public import VisionTasks

/// An image that becomes the input of an audited model.
public struct AuditedImage: Sendable {
  /// What the image's file is called.
  public let fileName: String
  /// SHA-256 of the file, in hexadecimal digits; empty where it is not known.
  public let fileDigest: String
  /// The pixels as stored.
  public let pixels: PixelBuffer
  /// How they must be turned to be upright.
  public let orientation: ImageOrientation
  /// How they become values.
  public let preprocessing: Preprocessing
  package let input: ImageInput
  package let prepared: PreparedImage

  /// An image, which is written into the input of `interpreter`.
  ///
  /// - Throws: `VisionError` where the model takes no image, or not this one.
  public init(
    _ pixels: PixelBuffer, orientation: ImageOrientation = .up, fileName: String,
    fileDigest: String = "", preprocessing: Preprocessing = Preprocessing(),
    to interpreter: Interpreter
  ) throws(VisionError) {
    self.pixels = pixels
    self.orientation = orientation
    self.fileName = fileName
    self.fileDigest = fileDigest
    self.preprocessing = preprocessing
    input = try ImageInput(of: interpreter, model: interpreter.model, preprocessing: preprocessing)
    prepared = try input.feed(pixels, orientation: orientation, to: interpreter)
  }
}
