// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import Landmarks
package import Martlet
import ModelChecks
import ModelTasks
import VisionTasks

extension ImageFacts {
  /// Whether labels and boxes are not what the model is for.
  package func needsTask(of model: Model) -> Bool {
    switch answer {
    case .numbers: true
    case .labels: TaskRecognition(model).fits.first?.task == .embed
    case .objects, .points: false
    }
  }
}

extension TaskFacts {
  /// What the model's likeliest task says of an image; nil where that is labels or boxes, which
  /// `ImageFacts` has, or no task that runs with one model.
  package static func told(
    of audited: AuditedImage, _ model: Model, _ options: Interpreter.Options, count: Int
  ) throws -> TaskFacts? {
    guard let fit = TaskRecognition(model).fits.first, fit.part == nil, fit.subject == .image
    else { return nil }
    var facts = TaskFacts(fit.task, .image, of: audited.fileName)
    switch fit.task {
    case .segment: try facts.segment(audited, model, options)
    case .transform: try facts.transform(audited, model, options)
    case .depth: try facts.estimateDepth(audited, model, options)
    case .faces: try facts.findFaces(audited, model, options)
    case .pose: try facts.findPeople(audited, model, options)
    case .embed:
      var embedding = ImageEmbedder.Options()
      (embedding.preprocessing, embedding.interpreter) = (audited.preprocessing, options)
      let embedder = try ImageEmbedder(model, options: embedding)
      facts.add(try embedder.embed(audited.pixels, orientation: audited.orientation))
    case .label, .detect, .hands, .listen, .read, .answer: return nil
    }
    return facts
  }

  /// Adds vectors: how long they are, and how they begin.
  mutating func add(_ vectors: [Embedding]) {
    add(
      "Vectors",
      [("Output", false), ("Elements", true), ("Length", true), ("The first elements", false)],
      vectors.map { vector in
        let values = vector.floats
        let squares = values.reduce(0.0) { $0 + Double($1) * Double($1) }
        return [
          vector.headName.printable, "\(values.count)", squares.squareRoot().short(6),
          values.prefix(8).map { Double($0).short(4) }.joined(separator: ", "),
        ]
      })
  }

  /// Adds an image as stored.
  mutating func add(
    _ image: PixelBuffer, _ orientation: ImageOrientation, _ caption: String
  ) throws {
    images.append((try image.upright(from: orientation).shownOnPage(), caption))
  }

  private mutating func segment(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options
  ) throws {
    var segmentation = ImageSegmenter.Options()
    (segmentation.preprocessing, segmentation.interpreter) = (audited.preprocessing, options)
    let found = try ImageSegmenter(model, options: segmentation).segment(
      audited.pixels, orientation: audited.orientation)
    try add(
      found.overlay(on: audited.pixels.converted(to: .rgb8), hasLegend: true),
      audited.orientation, "The image with its categories")
    add(
      "Categories in the image, the largest first",
      [("Category", false), ("Pixels", true), ("Part", true)],
      found.shares.map { share in
        [
          share.label.text.printable, "\(share.pixelCount)", "\((share.part * 100).fixed(2)) %",
        ]
      })
  }

  private mutating func transform(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options
  ) throws {
    var transformation = ImageTransformer.Options()
    (transformation.preprocessing, transformation.interpreter) = (audited.preprocessing, options)
    let transformer = try ImageTransformer(model, options: transformation)
    let made = try transformer.transform(audited.pixels, orientation: audited.orientation)
    images.append((try made.shownOnPage(), "What the model makes of the image"))
    add(
      "The image that was made", [("Width", true), ("Height", true), ("Numbers", false)],
      [["\(made.width)", "\(made.height)", transformer.range.rawValue]])
  }

  private mutating func estimateDepth(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options
  ) throws {
    var estimation = DepthEstimator.Options()
    (estimation.preprocessing, estimation.interpreter) = (audited.preprocessing, options)
    let map = try DepthEstimator(model, options: estimation).estimate(
      audited.pixels, orientation: audited.orientation)
    try add(
      map.coloredImage, audited.orientation,
      "How far things are: dark red for the greatest number, dark blue for the least")
    if let range = map.range {
      add(
        "Depths", [("Least", true), ("Greatest", true)],
        [[Double(range.lowerBound).short(5), Double(range.upperBound).short(5)]])
    }
  }

  private mutating func findFaces(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options
  ) throws {
    var detection = FaceDetector.Options()
    detection.interpreter = options
    let faces = try FaceDetector(model, options: detection).detect(
      audited.pixels, orientation: audited.orientation)
    let things = faces.map { face in
      PointedThing(
        score: face.score, frame: face.frame,
        points: face.points.map { (Double($0.x), Double($0.y), Double(face.score)) })
    }
    try add(things, "face", FaceDetector.Point.allCases.map { "\($0)" }, [], audited)
  }

  private mutating func findPeople(
    _ audited: AuditedImage, _ model: Model, _ options: Interpreter.Options
  ) throws {
    var estimation = PoseEstimator.Options()
    estimation.interpreter = options
    let people = try PoseEstimator(model, options: estimation).detect(
      audited.pixels, orientation: audited.orientation)
    let things = people.map { person in
      PointedThing(
        score: person.score, frame: nil,
        points: person.keyPoints.map { (Double($0.x), Double($0.y), Double($0.score)) })
    }
    try add(things, "person", BodyPart.allCases.map { "\($0)" }, Skeleton.body, audited)
  }

  private mutating func add(
    _ things: [PointedThing], _ kind: String, _ names: [String],
    _ connections: [Skeleton.Connection], _ audited: AuditedImage
  ) throws {
    var image = audited.pixels.converted(to: .rgb8)
    for (number, thing) in things.enumerated() {
      thing.draw(into: &image, color: .distinct(number), connections)
    }
    try add(image, audited.orientation, "The image with \(things.count) of: \(kind)")
    let rows = things.enumerated().flatMap { number, thing in
      zip(names, thing.points).map { name, point in
        [
          "\(number + 1)", Double(thing.score).fixed(4), name, point.x.fixed(1), point.y.fixed(1),
          point.score.fixed(3),
        ]
      }
    }
    add(
      "Points in pixels of the image as stored",
      [
        (kind, true), ("Its score", true), ("Point", false), ("x", true), ("y", true),
        ("Score", true),
      ], rows)
  }
}

/// A thing with points, in pixels of the image as stored.
struct PointedThing {
  let score: Float
  let frame: ImageRect?
  let points: [(x: Double, y: Double, score: Double)]

  /// Points with a lower score are not drawn.
  private static let leastScore = 0.3

  /// Draws points and lines between them.
  func draw(
    into image: inout PixelBuffer, color: PixelColor, _ connections: [Skeleton.Connection]
  ) {
    let unit = max(1, Double(max(image.width, image.height)) / 320)
    func location(_ index: Int) -> DrawnPoint? {
      guard points.indices.contains(index), points[index].score >= Self.leastScore else {
        return nil
      }
      return DrawnPoint(x: points[index].x, y: points[index].y)
    }
    for connection in connections {
      guard let start = location(connection.start), let end = location(connection.end) else {
        continue
      }
      image.drawLine(from: start, to: end, thickness: unit, color: color)
    }
    for point in points.indices.compactMap(location) {
      image.fillCircle(at: point, radius: unit * 1.5, with: .white)
      image.fillCircle(at: point, radius: unit, with: color)
    }
    if let frame { image.stroke(frame, thickness: Int(min(unit, 64)), color: color) }
  }
}
