// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
import Landmarks
public import Martlet
public import ModelTasks

/// Names what a hand shows, such as a thumb up.
///
/// One model turns the points of a hand into a vector, another rates the gestures. With a custom
/// classifier, its best gesture counts unless that is `None`. A recognizer belongs to one task at a
/// time. MediaPipe: `hand_gesture_recognizer_graph.cc`, `landmarks_to_matrix_calculator.cc`,
/// `combined_prediction_calculator.cc`.
public final class GestureRecognizer {
  /// A gesture.
  public struct Gesture: Sendable, Hashable {
    /// The name in the classifier's labels; `None` where it is none that the model knows.
    public let name: String
    /// How sure the model is, from 0 to 1.
    public let score: Float
  }

  /// The name of what is no gesture.
  public static let background = "None"

  private struct Classifier {
    let interpreter: Interpreter
    let heads: [ClassifierHead]
    let options: ClassificationOptions
  }

  private let embedder: Interpreter
  private let classifiers: [Classifier]
  private static let pointCount = 21

  /// A recognizer of these models.
  ///
  /// - Parameters:
  ///   - embedder: takes 21 points `[1, 21, 3]`, how likely the hand is a right one `[1, 1]`, and the
  ///     points in meters `[1, 21, 3]`.
  ///   - classifier: rates gestures by the embedder's vector.
  ///   - custom: rates other gestures by the same vector; nil for none.
  ///   - classes: which gestures of `classifier` count.
  ///   - customClasses: which gestures of `custom` count.
  ///   - options: how the models are run.
  /// - Throws: `VisionError` where a model is another one or the options are wrong.
  public init(
    embedder: Model, classifier: Model, custom: Model? = nil,
    classes: ClassificationOptions = ClassificationOptions(),
    customClasses: ClassificationOptions = ClassificationOptions(),
    options: Interpreter.Options = Interpreter.Options()
  ) throws(VisionError) {
    self.embedder = try Self.embedder(embedder, options)
    var classifiers: [Classifier] = []
    if let custom { classifiers.append(try Self.classifier(custom, customClasses, options)) }
    classifiers.append(try Self.classifier(classifier, classes, options))
    self.classifiers = classifiers
  }

  /// Refuses a model that makes no vectors of hands.
  static func checkEmbedder(_ model: Model, _ options: Interpreter.Options) throws(VisionError) {
    _ = try embedder(model, options)
  }

  private static func embedder(
    _ model: Model, _ options: Interpreter.Options
  ) throws(VisionError) -> Interpreter {
    let interpreter = try interpreter(model, options)
    let counts = interpreter.inputs.map { $0.type?.shape.elementCount }
    guard counts == [pointCount * 3, 1, pointCount * 3] else {
      throw .incompatibleModel("a gesture embedder takes 21 points, a score and 21 points")
    }
    return interpreter
  }

  private static func classifier(
    _ model: Model, _ classes: ClassificationOptions, _ options: Interpreter.Options
  ) throws(VisionError) -> Classifier {
    let interpreter = try Self.interpreter(model, options)
    let notes = try ModelNotes(forVision: model)
    return try VisionError.converting { () throws(TaskError) in
      try classes.check()
      return Classifier(
        interpreter: interpreter,
        heads: try ClassifierHead.heads(of: interpreter, notes: notes, options: classes),
        options: classes)
    }
  }

  private static func interpreter(
    _ model: Model, _ options: Interpreter.Options
  ) throws(VisionError) -> Interpreter {
    try VisionError.converting { () throws(TaskError) in
      try Interpreter(forTask: model, options: options)
    }
  }

  /// The interpreters of the models, with the inputs that the latest hand gave them.
  package var interpreters: [Interpreter] { [embedder] + classifiers.map(\.interpreter) }

  /// Names the gesture of a hand.
  ///
  /// - Parameters:
  ///   - hand: a hand that `HandLandmarker` found in the image, with points in meters.
  ///   - image: the image as stored.
  ///   - orientation: how it must be turned to be upright.
  /// - Returns: the gesture; nil where the hand's points are none that the models take, and where
  ///   no gesture counts.
  /// - Throws: `VisionError` when a model fails.
  public func gesture(
    of hand: HandLandmarker.Hand, in image: PixelBuffer, orientation: ImageOrientation = .up
  ) throws(VisionError) -> Gesture? {
    guard hand.landmarks.count == Self.pointCount, hand.worldLandmarks.count == Self.pointCount
    else { return nil }
    guard let score = hand.handednessScore else { return nil }
    let right = hand.handedness == .right ? score : 1 - score
    let points = Self.fractions(hand.landmarks, image, orientation)
    let vector = try VisionError.converting { [embedder] () throws(TaskError) in
      try embedder.values(
        of: [Self.features(points), [right], Self.features(hand.worldLandmarks)])
    }
    var gesture: Gesture?
    for classifier in classifiers {
      let results = try VisionError.converting { () throws(TaskError) in
        _ = try classifier.interpreter.values(of: [vector])
        return try classifier.heads.results(of: classifier.interpreter, classifier.options)
      }
      guard let best = results.first?.classifications.first else { continue }
      let found = Gesture(name: best.className, score: best.score)
      if found.name != Self.background { return found }
      gesture = gesture ?? found
    }
    return gesture
  }

  /// The points of an upright image, as fractions of its longer side.
  private static func fractions(
    _ points: [Landmark], _ image: PixelBuffer, _ orientation: ImageOrientation
  ) -> [Landmark] {
    let (width, height) = (Double(image.width), Double(image.height))
    let side = Float(max(image.width, image.height))
    let columns = Float(orientation.swapsAxes ? image.height : image.width)
    return points.map { point in
      let rect = orientation.uprightRect(
        ImageRect(x: Double(point.x), y: Double(point.y), width: 0, height: 0),
        storedWidth: width, storedHeight: height)
      return Landmark(x: Float(rect.x) / side, y: Float(rect.y) / side, z: point.z / columns)
    }
  }

  /// The points from the wrist on, divided by the longer side of the box around them.
  private static func features(_ points: [Landmark]) -> [Float] {
    guard let wrist = points.first else { return [] }
    let moved = points.map { ($0.x - wrist.x, $0.y - wrist.y, $0.z - wrist.z) }
    let (x, y) = (moved.map(\.0), moved.map(\.1))
    let width = (x.max() ?? 0) - (x.min() ?? 0)
    let height = (y.max() ?? 0) - (y.min() ?? 0)
    let scale = max(width, height) + 1e-5
    return moved.flatMap { [$0.0 / scale, $0.1 / scale, $0.2 / scale] }
  }
}

extension Interpreter {
  /// The values of the first output for these values of the inputs.
  fileprivate func values(of inputs: [[Float]]) throws(TaskError) -> [Float] {
    do throws(InferenceError) {
      for (position, values) in inputs.enumerated() { try setInput(position, values) }
    } catch {
      throw .inference(error)
    }
    try invokeForTask()
    return try values(ofOutput: 0)
  }
}
