// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Martlet

/// Finds things in images and, with a classifier, says what they are.
///
/// ```swift
/// var options = ObjectDetector.Options()
/// options.classifier = try Model(path: "birds.tflite")
/// let detector = try ObjectDetector(Model(path: "localizer.tflite"), options: options)
/// for object in try detector.detect(image) {
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
    interpreter = try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options.interpreter)
    }
    let notes = try ModelNotes(forVision: model)
    input = try ImageInput(
      of: interpreter, notes: notes, preprocessing: options.preprocessing)
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

  /// The things in an image.
  ///
  /// The classifier sees each object's frame cut out of the image and turned upright; of a model
  /// with several outputs, the first one counts.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects by falling scores, at most `Options.maxObjects`.
  /// - Throws: `VisionError` when the image cannot be prepared or a model fails on it.
  public func detect(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    try classified(
      try located(image, orientation: orientation), in: image, orientation: orientation)
  }

  /// The things in an image, without what the classifier says of them.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects by falling scores, at most `Options.maxObjects`.
  /// - Throws: `VisionError` when the image cannot be prepared or the model fails on it.
  public func located(
    _ image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    let prepared = try input.feed(image, orientation: orientation, to: interpreter)
    try VisionError.converting(interpreter.invokeForTask)
    return try found(in: image, prepared)
  }

  /// What the interpreter's latest run found in a prepared image, before it is classified.
  package func found(
    in image: PixelBuffer, _ prepared: PreparedImage
  ) throws(VisionError) -> [DetectedObject] {
    let boxes = try decoder.detections(interpreter, threshold: scoreThreshold)
    return objects(boxes, in: image, prepared)
  }

  /// The best of the wanted classes in the interpreter's latest run, whether its score is above the
  /// threshold or not; nil where the model found nothing at all.
  package func bestDetection() throws(VisionError) -> (score: Float, category: String)? {
    let boxes = try decoder.detections(interpreter, threshold: -.infinity)
    let wanted = boxes.filter { categories.areWanted($0.classIndex) && !$0.score.isNaN }
    guard let best = wanted.max(by: { $0.score < $1.score }) else { return nil }
    guard knowsClasses else { return (best.score, "object") }
    return (best.score, categories.category(best.classIndex).text)
  }

  /// Whether the objects have rectangles that are turned as they are.
  package var findsRotatedBoxes: Bool { decoder.findsRotatedBoxes }

  /// The labels of the detector's classes, from the options or the model; nil where there are none.
  public var labels: LabelMap? { categories.labels }

  /// The same objects with what the classifier says of them; unchanged without one.
  ///
  /// - Parameters:
  ///   - objects: where things are in the image, for instance those that a tracker follows.
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the objects in the same order.
  /// - Throws: `VisionError` when the classifier fails.
  public func classified(
    _ objects: [DetectedObject], in image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedObject] {
    guard let classifier else { return objects }
    var objects = objects
    for index in objects.indices {
      let heads = try classifier.classify(
        image, region: objects[index].frame, orientation: orientation)
      objects[index].classifications = heads.first?.classifications ?? []
    }
    return objects
  }

  /// The objects that detections in a prepared image mean, before they are classified.
  func objects(
    _ boxes: [BoxDetection], in image: PixelBuffer, _ prepared: PreparedImage
  ) -> [DetectedObject] {
    var boxes = boxes.filter { $0.score > scoreThreshold && categories.areWanted($0.classIndex) }
      .compactMap(\.limited)
    if let threshold = decoder.overlapThreshold(options) {
      boxes = boxes.suppressed(threshold: threshold, options.suppression, limit: 1000)
    } else {
      boxes = boxes.sortedByScore()
    }
    let columns = Double(prepared.image.width)
    let rows = Double(prepared.image.height)
    var objects = boxes.compactMap { box -> DetectedObject? in
      let seen = ImageRect(
        x: Double(box.left) * columns, y: Double(box.top) * rows,
        width: Double(box.right - box.left) * columns,
        height: Double(box.bottom - box.top) * rows)
      let extent = prepared.sourceRect(seen)
      guard let frame = extent.clipped(toWidth: image.width, height: image.height) else {
        return nil
      }
      return DetectedObject(
        frame: frame, extent: extent, rotatedFrame: box.rotated.map { prepared.sourceRect($0) },
        score: box.score,
        category: knowsClasses ? categories.category(box.classIndex) : nil)
    }
    if !options.detectsMultipleObjects {
      objects = objects.mostProminent(inWidth: image.width, height: image.height)
    }
    return options.maxObjects.map { Array(objects.prefix($0)) } ?? objects
  }
}
