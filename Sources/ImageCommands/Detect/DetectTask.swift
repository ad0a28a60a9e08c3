// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import JSONDocuments
import Martlet
import TaskCommands
import VisionTasks

/// Where things are in images, and what they are.
enum DetectTask {
  /// The options that say what is looked for and reported.
  static let descriptions: [OptionDescription] =
    DetectionOptions.descriptions + DecodingOptions.descriptions
    + LabelOptions.descriptions(of: "a thing") + ImageOptions.descriptions

  private static let columns = [
    "object", "index", "label", "score", "x", "y", "width", "height", "classification",
    "classification_score",
  ]

  /// The columns of rectangles that are turned as things are.
  fileprivate static let rotatedColumns = [
    "center_x", "center_y", "rotated_width", "rotated_height", "rotation",
  ]

  /// The task that the options ask for.
  ///
  /// - Parameters:
  ///   - setup: the arguments.
  ///   - model: the model.
  ///   - detection: what is looked for.
  ///   - checkImages: what is looked at once the model is known to fit.
  ///   - found: told what was found in each image.
  /// - Returns: the task.
  static func prepared(
    _ setup: TaskSetup, _ model: Model, _ detection: DetectionOptions,
    checkImages: @escaping () throws(CommandError) -> Void = { () throws(CommandError) in },
    found: @escaping ([DetectedObject], ObjectDetector) -> Void = { _, _ in }
  ) -> PreparedTask {
    PreparedTask { () throws(CommandError) in
      let detector = try detection.detector(
        model, at: setup.model, command: setup.arguments.command)
      try checkImages()
      if setup.use == .command { detector.input.noteRange(setup.console) }
      let wantsImages = setup.wantsImages
      var tracker = detection.isTracking ? ObjectTracker() : nil
      let columns =
        columns + (detection.isTracking ? ["tracking_id"] : [])
        + (detector.findsRotatedBoxes ? rotatedColumns : [])
      var task = setup.imageTask("detect", columns: columns, failure: setup.imageFailure) {
        (image, orientation) throws(VisionError) in
        var objects = try detector.detect(image, orientation: orientation)
        if detection.isLocalizing { for index in objects.indices { objects[index].category = nil } }
        found(objects, detector)
        let best = objects.isEmpty ? try detector.bestDetection() : nil
        let emptiness =
          objects.isEmpty
          ? emptiness(best, above: detector.scoreThreshold) : "nothing that has its number yet"
        if let tracked = tracker?.update(objects: objects, image: image) { objects = tracked }
        var answer = TaskAnswer(objects, orientation, objects.isEmpty ? best : nil)
        if detector.findsRotatedBoxes {
          answer.rows = zip(answer.rows, objects).map { $0 + $1.rotatedCells }
        }
        if objects.isEmpty { answer.lines = ["  \(emptiness)".narrow] }
        if wantsImages { answer.image = image.annotated(with: objects, orientation) }
        return answer
      }
      task.isTracking = detection.isTracking
      return task
    }
  }

  /// Why there are no objects.
  private static func emptiness(
    _ best: (score: Float, category: String)?, above threshold: Float
  ) -> String {
    guard let best else { return "nothing found, whatever the threshold" }
    return "nothing above the threshold \(Double(threshold).short()); "
      + "the best is \(best.category) \(Double(best.score).fixed(4))"
  }
}

extension TaskAnswer {
  /// What is in an image, turned by an orientation; where nothing is, the best of what is not sure
  /// enough to be above the threshold.
  fileprivate init(
    _ objects: [DetectedObject], _ orientation: ImageOrientation,
    _ best: (score: Float, category: String)?
  ) {
    self.init()
    lines = Self.lines(objects)
    rows = objects.enumerated().map { number, object in
      let (extent, best) = (object.extent, object.classifications.first)
      return [
        "\(number + 1)", object.category.map { "\($0.index)" }, object.category?.label,
        "\(object.score)", "\(extent.x)", "\(extent.y)", "\(extent.width)", "\(extent.height)",
        best?.text, best.map { "\($0.score)" },
      ] + (object.trackingID.map { ["\($0)"] } ?? [])
    }
    members = JSON.record([
      "orientation": .integer(orientation.rawValue), "objects": .array(objects.map(\.json)),
      "best_below_threshold": best.map { best in
        ["label": .string(best.category), "score": .float(best.score)]
      },
    ])
  }

  /// The things for a reader; each one's classes stand below it.
  private static func lines(_ objects: [DetectedObject]) -> [String] {
    let rows = objects.map { object in
      [
        "  \(object.numberText)\(object.category?.text ?? "object")", Double(object.score).fixed(4),
      ] + object.placeTexts
    }
    return zip(TextTable(rows, shortening: [0]).rowTexts, objects).flatMap { row, object in
      [row] + object.classifications.map { "    \($0.text) \(Double($0.score).fixed(4))" }
    }
  }
}

extension PixelBuffer {
  /// The upright image with boxes, labels and scores.
  fileprivate func annotated(
    with objects: [DetectedObject], _ orientation: ImageOrientation
  ) -> PixelBuffer {
    let annotations = objects.enumerated().map { index, object in
      Annotation(
        frame: uprightRect(object.frame, orientation),
        outline: object.rotatedFrame?.corners.map { corner in
          let point = uprightRect(
            ImageRect(x: Double(corner.x), y: Double(corner.y), width: 0, height: 0), orientation)
          return DrawnPoint(x: point.x, y: point.y)
        } ?? [],
        text: object.numberText + object.caption, colorIndex: object.trackingID ?? index)
    }
    return upright(from: orientation).converted(to: .rgb8).annotated(with: annotations)
  }

  /// A rectangle of the image as stored in the upright one.
  private func uprightRect(_ rect: ImageRect, _ orientation: ImageOrientation) -> ImageRect {
    orientation.uprightRect(rect, storedWidth: Double(width), storedHeight: Double(height))
  }
}

extension RotatedRect {
  /// Its numbers in the order of their columns.
  fileprivate var numbers: [Float] { [centerX, centerY, width, height, rotation] }

  /// The rectangle for a program, in pixels and radians.
  fileprivate var json: JSON {
    .record([
      "center_x": .float(centerX), "center_y": .float(centerY), "width": .float(width),
      "height": .float(height), "rotation": .float(rotation),
      "corners": .array(corners.map { .array([.float($0.x), .float($0.y)]) }),
    ])
  }
}

extension DetectedObject {
  /// Whether it is of another class than the first one.
  var isOfAnotherClass: Bool { category.map { $0.index > 0 } ?? false }

  /// The number that it keeps, where it has one.
  fileprivate var numberText: String { trackingID.map { "#\($0) " } ?? "" }

  /// The numbers of its rotated rectangle, which things that a tracker follows unseen do not have.
  fileprivate var rotatedCells: [String?] {
    rotatedFrame?.numbers.map { "\($0)" } ?? DetectTask.rotatedColumns.map { _ in nil }
  }

  /// Where it is and how large, for a reader: the corner of its box, or the middle of one that is turned.
  fileprivate var placeTexts: [String] {
    guard let rect = rotatedFrame else {
      return [
        "at (\(extent.x.fixed(1)), \(extent.y.fixed(1)))",
        "\(extent.width.fixed(1)) x \(extent.height.fixed(1))",
      ]
    }
    let numbers = rect.numbers.map { Double($0).fixed(1) }
    return [
      "around (\(numbers[0]), \(numbers[1]))", "\(numbers[2]) x \(numbers[3])",
      "\(Double(rect.rotation * 180 / .pi).fixed(1))°",
    ]
  }

  /// What is written at the object's box: the detector's class and score, and what the classifier
  /// sees in it.
  fileprivate var caption: String {
    let name = category.map { $0.label.isEmpty ? "" : "\($0.label) " } ?? ""
    let detection = name + Double(score).fixed(2)
    guard let best = classifications.first else { return detection }
    return "\(detection): \(best.text) \(Double(best.score).fixed(2))"
  }

  /// The thing for a program; its box is in pixels of the image as stored.
  fileprivate var json: JSON {
    .record([
      "box": .record([
        "x": .number(extent.x), "y": .number(extent.y),
        "width": .number(extent.width), "height": .number(extent.height),
      ]),
      "rotated_box": rotatedFrame?.json,
      "score": .float(score), "label": .string(category?.label ?? ""),
      "index": category.map { .integer($0.index) },
      "class_name": category.map { .string($0.className) },
      "display_name": category?.displayName.map { .string($0) },
      "classifications": .array(classifications.map(\.json)),
      "tracking_id": trackingID.map { .integer($0) },
    ])
  }
}
