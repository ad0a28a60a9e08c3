// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
package import ModelTasks

/// The image that a model takes: its size, and how pixels become the input's values.
///
/// The rules are those of the task library and ML Kit: one input `[1, height, width, 3]`; a float
/// input needs normalization parameters; uint8 takes the bytes as they are. Beyond them, int8 and
/// int16 inputs take the normalized values quantized by the tensor's own scale. Models with the
/// notes of Ultralytics take images padded with the gray 114, and their classifiers the largest
/// centered part, unless options say otherwise.
public struct ImageInput: Sendable {
  /// How a value of the input came about, for reports.
  public enum Origin: String, Sendable {
    /// From the options of the caller.
    case options
    /// From the model's metadata.
    case metadata
    /// What models of its maker or kind take, where neither options nor metadata say it: those of
    /// Ultralytics, told by their notes, numbers from 0 to 1.
    case maker
    /// The bytes as they are.
    case none
  }

  /// Where the size of the input came from, for reports.
  public enum SizeOrigin: String, Sendable {
    /// The model takes no other.
    case model
    /// The metadata's default, where the model takes any size.
    case metadata
    /// The image, or the part of it.
    case image = "picture"
  }

  /// Columns; nil where the model takes any number.
  public let width: Int?
  /// Rows; nil where the model takes any number.
  public let height: Int?
  /// The type of the input.
  public let type: TensorType
  /// What is subtracted from and divides each channel.
  public let normalization: Normalization
  /// Where the normalization came from.
  public let normalizationOrigin: Origin
  /// How images become values where the model's metadata is not to decide.
  public let preprocessing: Preprocessing
  package let defaultSize: ImageSize?
  /// 3, or 4 where alpha is an input of its own.
  private let channelCount: Int

  /// The image input of a model.
  ///
  /// - Parameters:
  ///   - interpreter: the model's interpreter.
  ///   - metadata: what the model says about itself.
  ///   - preprocessing: what goes before the model's own.
  /// - Throws: `VisionError.incompatibleModel` that says which rule the model breaks.
  public init(
    of interpreter: Interpreter, metadata: ModelMetadata?,
    preprocessing: Preprocessing = Preprocessing()
  ) throws(VisionError) {
    try self.init(
      of: interpreter, metadata: metadata, preprocessing: preprocessing, channelCount: 3)
  }

  /// The image input of a model that takes so many channels, 3 or 4.
  package init(
    of interpreter: Interpreter, metadata: ModelMetadata?, preprocessing: Preprocessing,
    channelCount: Int
  ) throws(VisionError) {
    self.channelCount = channelCount
    let inputs = interpreter.inputs
    guard inputs.count == 1, let type = inputs[0].type else {
      throw .incompatibleModel("Models are assumed to have a single input.")
    }
    let described = metadata?.subgraphs.first?.inputs
    guard described.map({ $0.count <= 1 }) ?? true else {
      throw .incompatibleModel("Models are assumed to have a single input TensorMetadata.")
    }
    self.type = type
    self.preprocessing = preprocessing
    let open = inputs[0].shapeSignature ?? type.shape.dimensions
    try Self.check(open, type, name: inputs[0].name, channelCount)
    height = open[1] < 0 ? nil : open[1]
    width = open[2] < 0 ? nil : open[2]
    let image = try Self.imageProperties(described?.first)
    defaultSize = image?.defaultSize
    (self.normalization, normalizationOrigin) = try Self.normalization(
      type, described?.first, preprocessing)
  }

  /// The image input of a model, by the metadata in its file.
  ///
  /// - Parameters:
  ///   - interpreter: the model's interpreter.
  ///   - model: the model.
  ///   - preprocessing: what goes before the model's own.
  /// - Throws: `VisionError.incompatibleModel` that says which rule the model breaks.
  public init(
    of interpreter: Interpreter, model: Model, preprocessing: Preprocessing = Preprocessing()
  ) throws(VisionError) {
    try self.init(
      of: interpreter, notes: try ModelNotes(forVision: model), preprocessing: preprocessing)
  }

  /// The image input of a model with these notes, which takes so many channels, 3 or 4.
  package init(
    of interpreter: Interpreter, notes: ModelNotes, preprocessing: Preprocessing,
    channelCount: Int = 3
  ) throws(VisionError) {
    var completed = preprocessing
    if let ultralytics = notes.ultralytics {
      completed.usualNormalization = .zeroToOne
      completed.usualResizing = .ultralytics(
        task: ultralytics.task,
        outputRanks: interpreter.outputs.map { $0.type?.shape.dimensions.count ?? 0 })
    }
    try self.init(
      of: interpreter, metadata: notes.metadata, preprocessing: completed,
      channelCount: channelCount)
  }

  /// Where the size of the input comes from; of two origins, the freer.
  public var sizeOrigin: SizeOrigin {
    if width != nil, height != nil { return .model }
    return defaultSize == nil ? .image : .metadata
  }

  private static func check(
    _ open: [Int], _ type: TensorType, name: String, _ channelCount: Int
  ) throws(VisionError) {
    guard open.count == 4 else {
      throw .incompatibleModel("Only 4D tensors in BHWD layout are supported.")
    }
    switch type.elementType {
    case .uint8, .float32, .int8, .int16: break
    case let other:
      throw .incompatibleModel(
        "Type mismatch for input tensor \(name). Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got \(other.schemaName)."
      )
    }
    guard [1, -1].contains(open[0]), open[3] == channelCount else {
      let planar = open[1] == 3 ? " The channels seem to come first, which is not supported." : ""
      let sides = open.map { "\($0)" }.joined(separator: " x ")
      throw .incompatibleModel(
        "The input tensor should have dimensions 1 x height x width x \(channelCount). Got \(sides).\(planar)"
      )
    }
    guard open[2] != 0 else { throw .incompatibleModel("The input width should be positive.") }
    guard open[1] != 0 else { throw .incompatibleModel("The input height should be positive.") }
  }

  private static func imageProperties(
    _ metadata: TensorMetadata?
  ) throws(VisionError) -> ImageProperties? {
    guard case .image(let image) = metadata?.content?.properties else { return nil }
    guard image.colorSpace == .rgb else {
      throw .incompatibleModel("Only RGB color space is supported for now.")
    }
    return image
  }

  private static func normalization(
    _ type: TensorType, _ metadata: TensorMetadata?, _ preprocessing: Preprocessing
  ) throws(VisionError) -> (Normalization, Origin) {
    if type.elementType == .uint8 { return (.none, .none) }
    if let given = preprocessing.normalization { return (given, .options) }
    let own = try normalization(metadata)
    let usual = preprocessing.usualNormalization
    if let part = preprocessing.partialNormalization {
      do throws(ImagingError) {
        return (try part.completed(by: own ?? usual ?? .none), .options)
      } catch {
        throw .invalidOption("\(error)")
      }
    }
    if let own { return (own, .metadata) }
    if let usual { return (usual, .maker) }
    guard type.elementType != .float32 else {
      throw .incompatibleModel(VisionError.missingNormalization)
    }
    return (.none, .none)
  }

  /// The normalization that the metadata gives; nil where it gives none.
  private static func normalization(
    _ metadata: TensorMetadata?
  ) throws(VisionError) -> Normalization? {
    let all = metadata?.normalizations ?? []
    guard all.count <= 1 else {
      throw .incompatibleModel("More than one NormalizationOptions in the metadata.")
    }
    guard let found = all.first else { return nil }
    guard found.mean.count == found.standardDeviation.count else {
      throw .incompatibleModel(
        "NormalizationOptions: expected mean and std of same dimension, got \(found.mean.count) and \(found.standardDeviation.count)."
      )
    }
    guard [1, 3].contains(found.mean.count) else {
      throw .incompatibleModel(
        "NormalizationOptions: only 1 or 3 mean and std values are supported, got \(found.mean.count)."
      )
    }
    do throws(ImagingError) {
      return try Normalization(mean: found.mean, standardDeviation: found.standardDeviation)
    } catch {
      throw .incompatibleModel("NormalizationOptions: \(error)")
    }
  }

  /// Writes an image, or a part of it, into the interpreter's input.
  ///
  /// The part is cut out and resized as it is stored and turned upright last, so that few pixels
  /// are turned. A model that leaves the size open gets the part's own.
  ///
  /// - Parameters:
  ///   - image: the image as stored, in any format; alpha is dropped.
  ///   - region: the part to take, in pixels of the image as stored; nil for all of it.
  ///   - orientation: how the image must be turned to be upright.
  ///   - interpreter: the interpreter that this description was made from.
  /// - Returns: the image as the model sees it, and where its pixels came from.
  /// - Throws: `VisionError` when the image or the model refuses, or no pixel is in the region.
  @discardableResult
  public func feed(
    _ image: PixelBuffer, region: ImageRect? = nil, orientation: ImageOrientation = .up,
    to interpreter: Interpreter
  ) throws(VisionError) -> PreparedImage {
    try feed(image, region: region, orientation: orientation, alpha: nil, to: interpreter)
  }

  /// Writes an image as the other method does; an input of four channels takes `alpha`, where it is
  /// given, as many bytes as the input has pixels, in place of the image's own.
  @discardableResult
  package func feed(
    _ image: PixelBuffer, region: ImageRect?, orientation: ImageOrientation, alpha: [UInt8]?,
    to interpreter: Interpreter
  ) throws(VisionError) -> PreparedImage {
    let prepared = try prepare(image, region: region, orientation: orientation)
    let size = prepared.image
    var pixels = prepared.image
    if let alpha, channelCount == 4 {
      do throws(ImagingError) { pixels = try pixels.replacingAlpha(by: alpha) } catch {
        throw .image(error)
      }
    }
    do throws(InferenceError) {
      try interpreter.resizeInput(0, to: [1, size.height, size.width, channelCount])
      try write(pixels, to: interpreter)
    } catch {
      throw .inference(error)
    }
    return prepared
  }

  private func prepare(
    _ image: PixelBuffer, region: ImageRect?, orientation: ImageOrientation
  ) throws(VisionError) -> PreparedImage {
    var part = PixelRect(x: 0, y: 0, width: image.width, height: image.height)
    if let region {
      guard let pixels = region.touchedPixels(inWidth: image.width, height: image.height) else {
        throw .invalidOption("no pixel of the image lies in the region")
      }
      part = pixels
    }
    let own = orientation.swapsAxes ? (part.height, part.width) : (part.width, part.height)
    let size = (
      width: width ?? defaultSize?.width ?? own.0, height: height ?? defaultSize?.height ?? own.1
    )
    do throws(ImagingError) {
      return try PreparedImage(
        image, region: part, orientation: orientation, size: size, preprocessing, exact: region,
        format: channelCount == 4 ? .rgba8 : .rgb8)
    } catch {
      throw .image(error)
    }
  }

  private func write(
    _ image: PixelBuffer, to interpreter: Interpreter
  ) throws(InferenceError) {
    do {
      let image = preprocessing.channelOrder == .bgr ? try image.swappingRedAndBlue() : image
      switch type.elementType {
      case .uint8: try interpreter.setInput(0, image.bytes)
      case .int8: try interpreter.setInput(0, quantized(image, as: Int8.self))
      case .int16: try interpreter.setInput(0, quantized(image, as: Int16.self))
      case .float32: try interpreter.setInput(0, image.normalized(normalization))
      case let other:
        throw InferenceError(.invalidRequest("\(other.schemaName) takes no image"))
      }
    } catch let error as InferenceError {
      throw error
    } catch {
      throw InferenceError(.invalidRequest("\(error)"))
    }
  }

  private func quantized<Element: FixedWidthInteger & BitwiseCopyable>(
    _ image: PixelBuffer, as element: Element.Type
  ) throws(ImagingError) -> [Element] {
    let affine = type.quantization?.perTensor ?? Affine(scale: 1, zeroPoint: 0)
    return try image.quantized(
      as: element, normalization, scale: affine.scale, zeroPoint: Int(affine.zeroPoint))
  }
}
