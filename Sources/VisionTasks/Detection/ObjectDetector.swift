// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet

/// Finds things in pictures and, with a classifier, says what they are.
///
/// ```swift
/// var options = ObjectDetector.Options()
/// options.classifier = try Model(path: "birds.tflite")
/// let detector = try ObjectDetector(Model(path: "localizer.tflite"), options: options)
/// for object in try detector.detect(picture) {
///   print(object.frame, object.score, object.classifications.first?.label ?? "")
/// }
/// ```
///
/// Models that finish their detections themselves, with `TFLite_Detection_PostProcess` or alike,
/// work as they are; those with raw heads need `RawHeads` in the options. A detector belongs to one
/// task at a time, as the interpreters it holds.
public final class ObjectDetector {
  /// What is looked for, and how.
  public let options: Options
  /// What the detecting model takes.
  public let input: ImageInput
  /// The interpreter of the detecting model.
  public let interpreter: Interpreter
  /// What looks at each object; nil for nothing.
  public let classifier: ImageClassifier?
  /// Only objects with a greater score are reported.
  public let scoreThreshold: Float
  let decoder: DetectionDecoder
  let categories: CategoryNames
  /// Whether the class of a detection means something.
  package let knowsClasses: Bool

  /// A detector that runs `model`.
  ///
  /// - Throws: `VisionError` where the model is no detector, its outputs do not fit the options, or
  ///   the options are wrong.
  public init(_ model: Model, options: Options = Options()) throws(VisionError) {
    try options.check()
    self.options = options
    do throws(InferenceError) {
      interpreter = try Interpreter(model, options: options.interpreter)
    } catch {
      throw .inference(error)
    }
    let notes = try ModelNotes(model)
    input = try ImageInput(
      of: interpreter, metadata: notes.metadata, preprocessing: options.preprocessing)
    decoder = try DetectionDecoder(model, interpreter, notes, input, options)
    categories = try CategoryNames(notes, options)
    knowsClasses = categories.areKnown || !model.detectsOneClass
    scoreThreshold =
      options.scoreThreshold ?? notes.outputs?.lazy.compactMap(\.scoreThreshold).first
      ?? Self.defaultScoreThreshold
    classifier = try options.classifier.map { model throws(VisionError) in
      try ImageClassifier(model, options: options.classification)
    }
  }

  /// The things in a picture.
  ///
  /// The classifier sees each object's frame cut out of the picture and turned upright; of a model
  /// with several outputs, the first one counts.
  ///
  /// - Parameters:
  ///   - picture: the picture as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects by falling scores, at most `Options.maxObjects`.
  /// - Throws: `VisionError` when the picture cannot be prepared or a model fails on it.
  public func detect(
    _ picture: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    try classified(
      try located(picture, orientation: orientation), in: picture, orientation: orientation)
  }

  /// The things in a picture, without what the classifier says of them.
  ///
  /// - Parameters:
  ///   - picture: the picture as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects by falling scores, at most `Options.maxObjects`.
  /// - Throws: `VisionError` when the picture cannot be prepared or the model fails on it.
  public func located(
    _ picture: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    let prepared = try input.feed(picture, orientation: orientation, to: interpreter)
    do throws(InferenceError) {
      try interpreter.invoke()
    } catch {
      throw .inference(error)
    }
    return try found(in: picture, prepared)
  }

  /// What the interpreter's latest run found in a prepared picture, before it is classified.
  package func found(
    in picture: PixelBuffer, _ prepared: PreparedPicture
  ) throws(VisionError) -> [DetectedObject] {
    let boxes = try decoder.detections(interpreter, threshold: scoreThreshold)
    return objects(boxes, in: picture, prepared)
  }

  /// The labels of the detector's classes, from the options or the model; nil where there are none.
  public var labels: LabelMap? { categories.labels }

  /// The same objects with what the classifier says of them; unchanged without one.
  ///
  /// - Parameters:
  ///   - objects: where things are in the picture, for instance those that a tracker follows.
  ///   - picture: the picture as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects in the same order.
  /// - Throws: `VisionError` when the classifier fails.
  public func classified(
    _ objects: [DetectedObject], in picture: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    guard let classifier else { return objects }
    var objects = objects
    for index in objects.indices {
      let heads = try classifier.classify(
        picture, region: objects[index].frame, orientation: orientation)
      objects[index].classifications = heads.first?.classifications ?? []
    }
    return objects
  }

  /// The objects that detections in a prepared picture mean, before they are classified.
  func objects(
    _ boxes: [BoxDetection], in picture: PixelBuffer, _ prepared: PreparedPicture
  ) -> [DetectedObject] {
    var boxes = boxes.filter { $0.score > scoreThreshold && categories.areWanted($0.classIndex) }
      .compactMap(\.limited)
    if let threshold = decoder.overlapThreshold(options) {
      boxes = boxes.suppressed(threshold: threshold, options.suppression, limit: 1000)
    } else {
      boxes = boxes.sortedByScore()
    }
    let columns = Double(prepared.picture.width)
    let rows = Double(prepared.picture.height)
    var objects = boxes.compactMap { box -> DetectedObject? in
      let seen = ImageRect(
        x: Double(box.left) * columns, y: Double(box.top) * rows,
        width: Double(box.right - box.left) * columns,
        height: Double(box.bottom - box.top) * rows)
      let extent = prepared.sourceRect(seen)
      guard let frame = extent.clipped(toWidth: picture.width, height: picture.height) else {
        return nil
      }
      return DetectedObject(
        frame: frame, extent: extent, score: box.score,
        category: knowsClasses ? categories.category(box.classIndex) : nil)
    }
    if !options.detectsMultipleObjects {
      objects = objects.mostProminent(inWidth: picture.width, height: picture.height)
    }
    return options.maxObjects.map { Array(objects.prefix($0)) } ?? objects
  }
}
