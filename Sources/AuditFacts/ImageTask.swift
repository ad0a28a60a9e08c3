// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
package import Imaging
package import Martlet
import ModelFormat
import Npy
import Tensors
import Traces
package import VisionTasks

/// What a model does with images, as far as it can be recognized.
package struct ImageTask {
  private enum Kind {
    case labels(ImageClassifier)
    case objects(ObjectDetector)
    case points(Interpreter)
    case numbers(Interpreter)
  }

  private let kind: Kind
  private let input: ImageInput
  private let count: Int

  /// The task of a model that takes `audited`: detection where its outputs are a detector's,
  /// classification where they are rows of scores.
  package init(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options, count: Int
  ) throws(VisionError) {
    input = audited.input
    self.count = count
    var detection = ObjectDetector.Options()
    detection.interpreter = options
    detection.preprocessing = audited.preprocessing
    detection.maxObjects = 20
    if let detector = try? ObjectDetector(model, options: detection) {
      kind = .objects(detector)
      return
    }
    let interpreter: Interpreter
    do throws(InferenceError) {
      interpreter = try Interpreter(model, options: options)
      try interpreter.prepare()
    } catch {
      throw .inference(error)
    }
    if BodyPoints.areGiven(by: interpreter) {
      kind = .points(interpreter)
      return
    }
    var classification = ImageClassifier.Options()
    classification.interpreter = options
    classification.preprocessing = audited.preprocessing
    classification.scoreThreshold = -.infinity
    if let classifier = try? ImageClassifier(model, options: classification) {
      kind = .labels(classifier)
    } else {
      kind = .numbers(interpreter)
    }
  }

  /// What the model says about the image.
  package func answer(_ audited: AuditedImage) throws(VisionError) -> ImageFacts.Answer {
    switch kind {
    case .labels(let classifier):
      let heads = try classifier.classify(audited.pixels, orientation: audited.orientation)
      return .labels(
        heads.map { head in
          ImageFacts.Head(
            name: head.name,
            classes: head.classifications.prefix(count).map {
              ($0.label.isEmpty ? "class \($0.index)" : $0.label, Double($0.score))
            })
        })
    case .objects(let detector):
      let objects = try detector.detect(audited.pixels, orientation: audited.orientation)
      return .objects(
        objects.map { object in
          ImageFacts.Thing(
            label: object.category.map { $0.label.isEmpty ? "class \($0.index)" : $0.label } ?? "",
            score: Double(object.score),
            frame: audited.orientation.uprightRect(
              object.frame, storedWidth: Double(audited.pixels.width),
              storedHeight: Double(audited.pixels.height)))
        })
    case .points(let interpreter):
      try run(interpreter, audited.prepared.image)
      return .points(BodyPoints.points(of: interpreter, audited))
    case .numbers: return .numbers
    }
  }

  /// A function that says how much of the answer is left in another image of the model's size;
  /// nil where the whole image has no answer.
  package func strength(of image: PixelBuffer) throws(VisionError) -> OcclusionMap.Strength? {
    switch kind {
    case .labels(let classifier):
      guard let best = try classifier.classify(image).first?.classifications.first else {
        return nil
      }
      return OcclusionMap.Strength(subject: "the score of the first class") {
        (image) throws(VisionError) in
        let heads = try classifier.classify(image)
        let same = heads.first?.classifications.first { $0.index == best.index }
        return Double(same?.score ?? 0) / max(Double(best.score.magnitude), 1e-30)
      }
    case .objects(let detector):
      guard let best = try detector.detect(image).first else { return nil }
      return OcclusionMap.Strength(subject: "the score of the first thing") {
        (image) throws(VisionError) in
        let same = try detector.detect(image).first {
          $0.category == best.category && $0.frame.overlap(with: best.frame) > 0.3
        }
        return Double(same?.score ?? 0) / max(Double(best.score), 1e-30)
      }
    case .points(let interpreter), .numbers(let interpreter):
      try run(interpreter, image)
      let whole = numbers(interpreter)
      let length = whole.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 0, length.isFinite else { return nil }
      return OcclusionMap.Strength(subject: "all outputs") { (image) throws(VisionError) in
        try run(interpreter, image)
        let now = numbers(interpreter)
        guard now.count == whole.count else { return 0 }
        let distance = zip(whole, now).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return 1 - distance.squareRoot() / length
      }
    }
  }

  private func run(_ interpreter: Interpreter, _ image: PixelBuffer) throws(VisionError) {
    try input.feed(image, to: interpreter)
    do throws(InferenceError) { try interpreter.invoke() } catch { throw .inference(error) }
  }

  private func numbers(_ interpreter: Interpreter) -> [Double] {
    interpreter.outputs.flatMap { output -> [Double] in
      guard let (type, bytes) = interpreter.tensor(output.index),
        let array = try? NpyArray(type, tensorBytes: bytes)
      else { return [] }
      return RealValues(type, array)?.numbers ?? []
    }
  }
}
