// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
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
    case .faces:
      var detection = RegionDetector.Options()
      detection.interpreter = options
      let detector = try RegionDetector(model, finding: .face, options: detection)
      let found = try detector.detect(audited.pixels, orientation: audited.orientation)
      try facts.add(found.map(\.figure), in: audited.pixels, audited.orientation)
    case .pose:
      var estimation = PoseEstimator.Options()
      estimation.interpreter = options
      let estimator = try PoseEstimator(model, options: estimation)
      let found = try estimator.detect(audited.pixels, orientation: audited.orientation)
      try facts.add(found.map(\.figure), in: audited.pixels, audited.orientation)
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
  private mutating func add(
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

  /// Adds the image with figures drawn into it, and their points.
  mutating func add(
    _ figures: [PointFigure], in image: PixelBuffer, _ orientation: ImageOrientation
  ) throws {
    let kinds = Set(figures.map(\.kind)).sorted().joined(separator: ", ")
    try add(
      image.drawn(figures), orientation,
      figures.isEmpty ? "Nothing was found" : "The image with \(figures.count) of: \(kinds)")
    let hasDepth = figures.contains { $0.points.contains { $0.z != 0 } }
    let hasVisibility = figures.contains { $0.points.contains { $0.visibility != nil } }
    func row(_ number: Int, _ figure: PointFigure, _ index: Int) -> [String] {
      let point = figure.points[index]
      var row = ["\(number + 1)", figure.kind, Double(figure.score).fixed(4)]
      row += [figure.name(of: index) ?? "\(index)"]
      row += [Double(point.x).fixed(1), Double(point.y).fixed(1)]
      if hasDepth { row.append(Double(point.z).fixed(1)) }
      if hasVisibility { row.append(point.visibility.map { Double($0).fixed(3) } ?? "") }
      return row
    }
    let rows = figures.enumerated().flatMap { number, figure in
      figure.points.indices.map { row(number, figure, $0) }
    }
    var columns: [(name: String, isNumber: Bool)] = [
      ("Number", true), ("What", false), ("Its score", true), ("Point", false),
    ]
    columns += [("x", true), ("y", true)]
    if hasDepth { columns.append(("Depth", true)) }
    if hasVisibility { columns.append(("Visibility", true)) }
    add("Points in pixels of the image as stored", columns, rows)
  }
}
