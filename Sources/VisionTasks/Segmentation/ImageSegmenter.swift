// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet
public import ModelTasks

/// Says to which category each pixel of an image belongs.
///
/// ```swift
/// let segmenter = try ImageSegmenter(Model(path: "deeplabv3.tflite"))
/// let segmentation = try segmenter.segment(image)
/// let overlay = segmentation.overlay(on: image, hasLegend: true)
/// ```
///
/// The rules are those of the task library's `ImageSegmenter`, extended by MediaPipe's: outputs of
/// scores for each category, of one confidence, or of categories, as floats or integers. A
/// segmenter belongs to one task at a time, as the interpreter it holds.
public final class ImageSegmenter {
  /// The size of masks.
  public enum MaskSize: String, Sendable, Hashable, CaseIterable {
    /// That of the model's output, as the task library returns them.
    case model
    /// That of the image, as MediaPipe returns them.
    case image = "picture"
  }

  /// How images are segmented.
  public struct Options: Sendable {
    /// The size of masks.
    public var maskSize = MaskSize.image
    /// Whether the confidences of all categories are kept.
    public var wantsConfidences = false
    /// What makes confidences of the output's values; nil takes that of the metadata, or none.
    public var activation: SegmentationActivation?
    /// A single confidence above this means foreground.
    public var threshold: Float = 0.5
    /// Whether categories are the output's second dimension instead of its last.
    public var hasCategoriesFirst = false
    /// The position of the output with the values; nil for the only one that can be an image.
    public var output: Int?
    /// Labels that replace the model's own.
    public var labels: LabelMap?
    /// The language of display names.
    public var locale = "en"
    /// Whether images are frames of a video, one after another: models that take the mask of the
    /// frame before as a fourth channel get it, and others are not changed.
    public var areFrames = false
    /// How images become the model's input.
    public var preprocessing = Preprocessing()
    /// How the model is run.
    public var interpreter = Interpreter.Options()

    /// Category masks in the image's size, by the model's own labels.
    public init() {}
  }

  /// How images are segmented.
  public let options: Options
  /// What the model takes.
  public let input: ImageInput
  /// The model's interpreter.
  public let interpreter: Interpreter
  /// What makes confidences of the output's values.
  public let activation: SegmentationActivation
  /// The labels of the categories, from the options or the model; nil where there are none.
  public let labels: LabelMap?
  private let output: Int
  private let qualityOutput: Int?
  /// What makes categories of boxes and prototypes of masks, of models that give those.
  private let instances: InstanceMasks?
  /// The mask of the frame before, of models that take one.
  private var feedback: MaskFeedback?

  /// A segmenter that runs `model`.
  ///
  /// A model whose input has four channels and whose output has two scores for each pixel of it, as
  /// MediaPipe's hair segmentation, takes the mask before as its fourth channel: 0 of single images
  /// and of the first frame. Its colors are numbers from 0 to 1 and its activation is softmax, where
  /// nothing else is said.
  ///
  /// - Throws: `VisionError` where the model is no image segmenter or the options are wrong.
  public convenience init(_ model: Model, options: Options = Options()) throws(VisionError) {
    try self.init(model, options: options, isMarked: false)
  }

  /// A segmenter of images that have a fourth channel themselves, or have none.
  init(_ model: Model, options: Options, isMarked: Bool) throws(VisionError) {
    guard options.threshold.isFinite else { throw .invalidOption("threshold must be a number") }
    self.options = options
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    let notes = try ModelNotes(forVision: model)
    var preprocessing = options.preprocessing
    instances = try options.output == nil ? Self.instances(interpreter, notes) : nil
    (output, qualityOutput) =
      try instances == nil ? Self.outputs(interpreter.outputs, options) : (0, nil)
    let takesMask = !isMarked && instances == nil && MaskFeedback.fits(interpreter, output: output)
    if takesMask || instances != nil { preprocessing.usualNormalization = .zeroToOne }
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: preprocessing,
      channelCount: isMarked || takesMask ? 4 : 3)
    feedback = takesMask ? MaskFeedback() : nil
    if let given = options.activation {
      activation = given
    } else {
      activation = try notes.segmentationActivation() ?? (takesMask ? .softmax : .none)
    }
    if let given = options.labels {
      labels = given
    } else {
      let own = try notes.labels(ofOutput: output, locale: options.locale)
      let names = instances == nil ? nil : notes.ultralytics?.classNames
      labels = names.map { LabelMap(classNames: $0) } ?? own
    }
    _ = try layout()
  }

  /// What makes categories of a model's boxes and prototypes of masks; nil of other models.
  private static func instances(
    _ interpreter: Interpreter, _ notes: ModelNotes
  ) throws(VisionError) -> InstanceMasks? {
    try InstanceMasks(
      interpreter.outputs.map { $0.type?.shape.dimensions ?? [] },
      input: interpreter.inputs.first?.type?.shape.dimensions ?? [], notes: notes)
  }

  /// The position of the values, and that of the scores of masks.
  private static func outputs(
    _ outputs: [Interpreter.TensorInfo], _ options: Options
  ) throws(VisionError) -> (values: Int, quality: Int?) {
    let ranks = outputs.map { $0.type?.shape.dimensions.count ?? 0 }
    if let given = options.output {
      guard outputs.indices.contains(given) else {
        throw .invalidOption("the model has \(outputs.count) outputs")
      }
      return (given, nil)
    }
    let images = outputs.indices.filter { ranks[$0] >= 3 }
    guard !images.isEmpty else {
      throw .incompatibleModel("No output has a value for each pixel of an image.")
    }
    guard images.count == 1, outputs.count <= 2 else {
      throw .incompatibleModel(
        "Image segmentation models are expected to have only 1 output, found \(outputs.count).")
    }
    return (images[0], outputs.indices.first { $0 != images[0] })
  }

  /// Whether the model takes the mask of the image before.
  package var takesMaskBefore: Bool { feedback != nil }

  /// Whether there are categories to tell apart, rather than a foreground alone.
  package var tellsCategories: Bool { (try? layout()).map { $0.kind != .foreground } ?? false }

  private func layout() throws(VisionError) -> SegmentationLayout {
    if let size = instances?.size {
      return try SegmentationLayout(shape: [1, size.height, size.width], holdsCategories: true)
    }
    let info = interpreter.outputs[output]
    guard let type = info.type else {
      throw .incompatibleModel("The type of the output is not known.")
    }
    let isInteger: Bool
    switch type.elementType {
    case .float32, .float16: isInteger = false
    case .uint8, .int8, .int16: isInteger = type.quantization == nil
    case .int32, .int64, .uint32, .uint16, .uint64: isInteger = true
    case let other:
      throw .incompatibleModel(
        "Type mismatch for output tensor. Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got \(other.schemaName)."
      )
    }
    let sides = type.shape.dimensions
    // Quantized or not, several integers for each pixel are scores.
    let isDeep = sides.count == 4 && sides[options.hasCategoriesFirst ? 1 : 3] > 1
    let layout = try SegmentationLayout(
      shape: sides, holdsCategories: isInteger && !isDeep,
      order: options.hasCategoriesFirst ? .categoriesFirst : .categoriesLast)
    try check(layout)
    return layout
  }

  /// Refuses values that are not those of an image's pixels, as boxes and points: masks have about
  /// the proportions of the input.
  private func check(_ layout: SegmentationLayout) throws(VisionError) {
    let sides = interpreter.inputs[0].type?.shape.dimensions ?? []
    guard options.output == nil, sides.count == 4, sides[1] > 0, sides[2] > 0 else { return }
    let (high, wide) = (
      Double(layout.height) * Double(sides[2]), Double(layout.width) * Double(sides[1])
    )
    guard max(high, wide) > 2 * min(high, wide) else { return }
    throw .incompatibleModel(
      "No output has a value for each pixel of an image: \(layout.width)x\(layout.height) of "
        + "\(sides[2])x\(sides[1])")
  }

  /// The categories of an image's pixels.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - region: the part to look at, in pixels of the image as stored, not turned; masks of the
  ///     image's size are unlabeled elsewhere. Nil for all of the image.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: the masks, in the orientation of the image as stored.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func segment(
    _ image: PixelBuffer, region: ImageRect? = nil, orientation: ImageOrientation = .up
  ) throws(VisionError) -> Segmentation {
    let prepared = try input.feed(
      image, region: region, orientation: orientation, alpha: feedback?.alpha, to: interpreter)
    var values: [Float]
    var quality: [Float] = []
    do throws(InferenceError) {
      try interpreter.invoke()
      values = try instances == nil ? interpreter.dequantizedOutput(output) : []
      if let qualityOutput { quality = try interpreter.dequantizedOutput(qualityOutput) }
    } catch {
      throw .inference(error)
    }
    if let instances { values = try instances.categories(DetectionDecoder.outputs(interpreter)) }
    let layout = try layout()
    var activation = activation
    if options.areFrames, var mixing = feedback {
      values = try mixing.mixed(values, layout)
      feedback = mixing
      activation = .none
    }
    let decoder = SegmentationDecoder(
      layout, activation: activation, threshold: options.threshold)
    return try segmentation(
      values, decoder, orientation, quality,
      MaskPlacement(width: image.width, height: image.height, frame: prepared.sourceRect))
  }

  private func segmentation(
    _ values: [Float], _ decoder: SegmentationDecoder, _ orientation: ImageOrientation,
    _ quality: [Float], _ placement: MaskPlacement
  ) throws(VisionError) -> Segmentation {
    var confidences: [ConfidenceMask] = []
    if options.wantsConfidences {
      confidences = try decoder.confidences(values).map { $0.upright(from: orientation.inverse) }
    }
    var mask: CategoryMask
    switch options.maskSize {
    case .model: mask = try decoder.categories(values).upright(from: orientation.inverse)
    case .image:
      mask = try decoder.categories(values, storedAs: orientation, placement)
      do throws(ImagingError) {
        confidences = try confidences.map { mask throws(ImagingError) in
          try mask.placed(by: placement, outside: 0)
        }
      } catch {
        throw .image(error)
      }
    }
    return Segmentation(
      categoryMask: mask, confidenceMasks: confidences, labels: coloredLabels(decoder.layout),
      qualityScores: quality)
  }

  private func coloredLabels(_ layout: SegmentationLayout) -> [Segmentation.ColoredLabel] {
    let count = layout.kind == .categories ? labels?.count ?? 256 : layout.depth
    return (0..<min(count, 256)).map { index in
      Segmentation.ColoredLabel(
        index: index, className: labels?.className(index) ?? "",
        displayName: labels?.displayName(index), color: .segmentation(index))
    }
  }
}
