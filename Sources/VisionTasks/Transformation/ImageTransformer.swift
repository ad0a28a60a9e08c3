// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
import ModelTasks

/// Makes images of images: larger ones by super-resolution, others by style transfer, denoising or
/// the like.
///
/// ```swift
/// let transformer = try ImageTransformer(Model(path: "edsr.tflite"))
/// let larger = try transformer.transform(image)
/// ```
///
/// A model has one output `[1, rows, columns, 3]`, or one channel. Images larger than what it takes
/// are cut into tiles that overlap. A transformer belongs to one task at a time, as the interpreter
/// it holds.
public final class ImageTransformer {
  /// How images that are larger than a model's input are treated.
  public enum Tiling: Sendable, Hashable {
    /// Tiles where the model takes any size, or gives images larger than its input; otherwise the
    /// image as a whole.
    case automatic
    /// The image as a whole, resized to what the model takes.
    case whole
    /// Tiles of so many pixels a side, or, for nil, of the model's input; each loses `overlap`
    /// pixels at inner edges.
    case tiles(side: Int?, overlap: Int)
  }

  /// How images are transformed.
  public struct Options: Sendable {
    /// How large images are treated.
    public var tiling = Tiling.automatic
    /// What the output's numbers are; nil takes what the metadata's statistics, the quantization or
    /// the input's normalization say, in this order.
    public var range: OutputPixelRange?
    /// Whether the result of a whole image is resized to the size of the image, upright.
    public var keepsSize = false
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// What the model gives.
    public init() {}
  }

  /// How images are transformed.
  public let options: Options
  /// What the model takes.
  public let input: ImageInput
  /// What the output's numbers are.
  public let range: OutputPixelRange
  /// The model's interpreter.
  public let interpreter: Interpreter

  /// The side of tiles of models that take any size.
  package static let tileSide = 256
  /// The pixels that tiles lose at inner edges, unless the options say so.
  package static let tileOverlap = 16

  /// A transformer that runs `model`.
  ///
  /// - Throws: `VisionError` where the model makes no images of images or the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    self.options = options
    let notes = try ModelNotes(forVision: model)
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: options.preprocessing)
    guard interpreter.outputs.count == 1, let type = interpreter.outputs[0].type else {
      throw .incompatibleModel("Models for images are expected to have only 1 output.")
    }
    let sides = interpreter.outputs[0].shapeSignature ?? type.shape.dimensions
    guard sides.count == 4, sides[3] == 3 || sides[3] == 1 else {
      throw .incompatibleModel(
        "An output \(sides) is no image of 1 x height x width x 3, or x 1.")
    }
    range = options.range ?? Self.range(type, notes, input)
    if case .tiles(let side, let overlap) = options.tiling {
      let side = side ?? min(input.width ?? Self.tileSide, input.height ?? Self.tileSide)
      guard (1...1 << 15).contains(side), overlap >= 0, overlap < (side + 1) / 2 else {
        throw .invalidOption("tiles must have more pixels a side than twice their overlap")
      }
    }
  }

  private static func range(
    _ type: TensorType, _ notes: ModelNotes, _ input: ImageInput
  ) -> OutputPixelRange {
    if let stats = notes.outputs?.first?.stats, let most = stats.maximum.max(),
      let least = stats.minimum.min()
    {
      return OutputPixelRange(minimum: least, maximum: most)
    }
    if let affine = type.quantization?.perTensor {
      let codes: ClosedRange<Float>
      switch type.elementType {
      case .uint8: codes = 0...255
      case .int8: codes = -128...127
      default: codes = -32768...32767
      }
      let zero = Float(affine.zeroPoint)
      return OutputPixelRange(
        minimum: affine.scale * (codes.lowerBound - zero),
        maximum: affine.scale * (codes.upperBound - zero))
    }
    return OutputPixelRange(of: input.normalization)
  }

  /// The image that the model makes of an image.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: the model's image, upright; of tiles, as many times larger as a tile becomes.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func transform(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> PixelBuffer {
    let upright = image.converted(to: .rgb8).upright(from: orientation)
    if let tile = tile(of: upright) {
      return try TiledTransformation(upright, tile: tile).image { part throws(VisionError) in
        try self.run(part)
      }
    }
    let result = try run(upright)
    guard options.keepsSize else { return result }
    do throws(ImagingError) {
      return try result.resized(
        toWidth: upright.width, height: upright.height, filter: options.preprocessing.filter)
    } catch {
      throw .image(error)
    }
  }

  /// The tiles that an image is cut into; nil where it is taken as a whole.
  private func tile(of image: PixelBuffer) -> TileShape? {
    let own = (input.width ?? Self.tileSide, input.height ?? Self.tileSide)
    switch options.tiling {
    case .whole: return nil
    case .tiles(let side, let overlap):
      // A model that takes any size gets no more than the image.
      return TileShape(
        width: input.width ?? min(side ?? own.0, image.width),
        height: input.height ?? min(side ?? own.1, image.height), overlap: overlap)
    case .automatic:
      let overlap = min(Self.tileOverlap, (min(own.0, own.1) - 1) / 4)
      let shape = TileShape(
        width: input.width ?? min(own.0, image.width),
        height: input.height ?? min(own.1, image.height), overlap: overlap)
      if input.width == nil || input.height == nil {
        return image.width > own.0 || image.height > own.1 ? shape : nil
      }
      let sides = interpreter.outputs[0].type?.shape.dimensions ?? []
      return sides.count == 4 && (sides[1] > own.1 || sides[2] > own.0) ? shape : nil
    }
  }

  /// What the model makes of an image that it takes as it is.
  private func run(_ image: PixelBuffer) throws(VisionError) -> PixelBuffer {
    try input.feed(image, to: interpreter)
    try VisionError.converting(interpreter.invokeForTask)
    let values = try VisionError.converting { () throws(TaskError) in
      try interpreter.values(ofOutput: 0)
    }
    let output = interpreter.outputs[0]
    return try range.image(
      OutputValues(shape: output.type?.shape.dimensions ?? [], values: values))
  }
}
