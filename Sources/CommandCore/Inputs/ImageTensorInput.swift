// SPDX-License-Identifier: Apache-2.0

package import ImageCodecs
import Imaging
package import Martlet
package import MetadataFormat
import ModelFormat
package import Tensors
package import ImageInputs

/// An image as the values of an input `[1, height, width, channels]`.
///
/// The image is turned upright and made to fill the input's size as the options say; where the
/// model leaves the size open, the image keeps its own. uint8 inputs take the bytes as they are,
/// others the values that the normalization of options or metadata makes of them, quantized by the
/// tensor's scale.
package struct ImageTensorInput {
  package let shape: Shape
  package let bytes: [UInt8]
  /// What is said where the image does not fit the input.
  package let warning: String?

  /// The values that `image` becomes for an input, by the options, or by what the metadata's
  /// `notes` say about it.
  package init(
    _ image: DecodedImage, for info: Interpreter.TensorInfo, notes: TensorMetadata?,
    _ preprocessing: Preprocessing
  ) throws(Refusal) {
    let open = info.shapeSignature ?? info.type?.shape.dimensions ?? []
    guard let type = info.type, open.count == 4, open[0] == 1 || open[0] == -1,
      let format = Self.formats[open[3]]
    else {
      throw Refusal(
        "the input takes no image: it is not [1, height, width, channels]",
        hint: "'martlet inspect MODEL' shows what inputs take")
    }
    let upright = PixelBuffer(image).upright(from: image.orientation ?? .up)
    let (height, width) = (
      open[1] < 0 ? upright.height : open[1], open[2] < 0 ? upright.width : open[2]
    )
    do {
      shape = try Shape([1, height, width, open[3]])
      var image = try upright.converted(to: format).fitted(
        toWidth: width, height: height, mode: preprocessing.fit, filter: preprocessing.filter
      ).image
      if preprocessing.channelOrder == .bgr, format != .grey8 {
        image = try image.swappingRedAndBlue()
      }
      let normalization = try Self.normalization(notes, preprocessing)
      bytes = try Self.bytes(image, type, normalization)
      warning =
        type.elementType == .uint8 && preprocessing.givesNormalization
        ? InputRange.unusedOptions : normalization == nil ? InputRange.warning(type) : nil
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal("\(error)")
    }
  }

  /// Why an input takes no image.
  package struct Refusal: Error {
    package let reason: String
    /// What helps.
    package let hint: String?

    package init(_ reason: String, hint: String? = nil) {
      self.reason = reason
      self.hint = hint
    }
  }

  private static let formats: [Int: PixelFormat] = [1: .grey8, 3: .rgb8, 4: .rgba8]

  private static func bytes(
    _ image: PixelBuffer, _ type: TensorType, _ normalization: Normalization?
  ) throws -> [UInt8] {
    let affine = type.quantization?.perTensor ?? Affine(scale: 1, zeroPoint: 0)
    func quantized<Element: FixedWidthInteger & TensorElement>(
      _ element: Element.Type
    ) throws -> [UInt8] {
      let values = try image.quantized(
        as: element, normalization ?? .none, scale: affine.scale,
        zeroPoint: Int(affine.zeroPoint))
      return TensorBytes(copying: values).array()
    }
    switch type.elementType {
    case .uint8: return image.bytes
    case .int8: return try quantized(Int8.self)
    case .int16: return try quantized(Int16.self)
    case .float32:
      guard let normalization else {
        throw Refusal(
          "the model's metadata does not say how an image is normalized",
          hint: ModelShape.normalizationHint)
      }
      return TensorBytes(copying: try image.normalized(normalization)).array()
    case let other: throw Refusal("the input takes no image: it is \(other.schemaName)")
    }
  }

  /// How bytes become real numbers: by the options, else the metadata; nil where neither says.
  private static func normalization(
    _ notes: TensorMetadata?, _ preprocessing: Preprocessing
  ) throws -> Normalization? {
    if let given = preprocessing.normalization { return given }
    let own = try (notes?.normalizations.first).map { options in
      try Normalization(mean: options.mean, standardDeviation: options.standardDeviation)
    }
    guard let part = preprocessing.partialNormalization else { return own }
    return try part.completed(by: own ?? .none)
  }
}
