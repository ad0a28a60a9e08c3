// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import ModelTasks
import VisionTasks

/// `martlet segment`: which pixels of images belong to what.
package struct SegmentCommand {
  private let question: ImageQuestion
  private let segmenter: ImageSegmenter
  private let mask: String?
  private let background: Background?

  /// What takes the place of the background.
  private enum Background {
    case transparent
    case blurred(radius: Int)
  }

  package static let description = CommandDescription(
    "segment", "Say which pixels of images belong to what.",
    discussion: """
      The model gives each pixel scores for categories, a single score for a foreground, or the \
      number of its category. --annotate draws the categories over the image, --mask writes their \
      numbers as a PNG file of colors with the numbers as its palette's indices, and --background \
      keeps only the foreground.
      """,
    arguments: ImageQuestion.arguments,
    options: [
      ImageQuestion.annotate("the categories with a legend"),
      .value(
        "mask", "png", "Write the numbers of the categories of the only image.",
        completion: .files(["png"])),
      .value(
        "background", "none|blur",
        "With --annotate: keep the foreground alone, or blur what is behind it."),
      .choice(
        "activation", ["none", "sigmoid", "softmax"],
        "What turns the model's numbers into confidences, instead of what the metadata says."),
      .value(
        "threshold", "x", "The least confidence of the foreground of a single score.",
        defaultValue: "0.5"),
      .value(
        "labels", "file", "Labels, one per line, instead of the model's own.",
        completion: .files(["txt"])),
      .value("locale", "language", "The language of display names.", defaultValue: "en"),
    ] + ImageOptions.descriptions + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in try SegmentCommand(arguments, console).run() }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    let question = try ImageQuestion(arguments, console)
    self.question = question
    mask = arguments.value("mask")
    if let mask {
      guard question.images.count == 1 else {
        throw arguments.usage("--mask beside \(question.images.count) images, wanted one")
      }
      try arguments.checkPNG(mask, option: "mask")
    }
    background =
      switch arguments.value("background") {
      case nil: nil
      case "none": .transparent
      case "blur": .blurred(radius: 12)
      case let other?: throw arguments.usage("'\(other)' for '--background', wanted none or blur")
      }
    guard background == nil || arguments.value("annotate") != nil else {
      throw arguments.usage("--background without --annotate, which writes the image")
    }
    var options = ImageSegmenter.Options()
    options.preprocessing = question.preprocessing
    options.interpreter = question.computation.interpreter
    options.wantsConfidences = background != nil
    options.locale = arguments.value("locale") ?? "en"
    if let threshold = try arguments.number("threshold") { options.threshold = Float(threshold) }
    if let file = arguments.value("labels") {
      options.labels = LabelMap(classNames: LabelMap.lines(of: try console.read(file)))
    }
    options.activation = Self.activations[arguments.value("activation") ?? ""]
    let model = try console.model(at: question.model)
    segmenter = try question.made { [options] () throws(VisionError) in
      try ImageSegmenter(model, options: options)
    }
  }

  private static let activations: [String: SegmentationActivation] = [
    "none": .none, "sigmoid": .sigmoid, "softmax": .softmax,
  ]

  private func run() throws(CommandError) -> ExitCode {
    segmenter.input.noteRange(question.console)
    var masks: [CategoryMask] = []
    let code = try question.run("segment", columns: ["index", "label", "pixels", "part"]) {
      (image, orientation) throws(VisionError) in
      let result = try segmenter.segment(image, orientation: orientation)
      if mask != nil { masks.append(result.categoryMask) }
      return try answer(result, image, orientation)
    }
    guard let mask, let first = masks.first else { return code }
    let file: [UInt8]
    do throws(PNGError) { file = try first.encodedAsPNG() } catch {
      throw .data("\(error)", location: mask)
    }
    try question.console.write(file, to: mask)
    return code
  }

  private func answer(
    _ result: Segmentation, _ image: PixelBuffer, _ orientation: ImageOrientation
  ) throws(VisionError) -> TaskAnswer {
    var answer = TaskAnswer()
    let shares = result.shares
    let table = shares.map { share in
      ["  \(share.label.text)", "\((share.part * 100).fixed(2)) %", "\(share.pixelCount) pixels"]
    }
    answer.lines = TextTable(table, shortening: [0]).rowTexts
    answer.rows = shares.map { share in
      ["\(share.label.index)", share.label.label, "\(share.pixelCount)", "\(share.part)"]
    }
    answer.members = JSON.record([
      "width": .integer(result.categoryMask.width), "height": .integer(result.categoryMask.height),
      "categories": .array(shares.map(\.json)),
      "quality": result.qualityScores.isEmpty
        ? nil : .array(result.qualityScores.map { .float($0) }),
    ])
    answer.picture = try question.picture { () throws(VisionError) in
      try picture(result, image).upright(from: orientation)
    }
    return answer
  }

  private func picture(
    _ result: Segmentation, _ image: PixelBuffer
  ) throws(VisionError) -> PixelBuffer {
    guard let background else {
      return result.overlay(on: image.converted(to: .rgb8), hasLegend: true)
    }
    let mask = try result.foreground()
    do throws(ImagingError) {
      switch background {
      case .transparent: return try image.cutOut(by: mask)
      case .blurred(let radius):
        return try image.composited(over: image.blurred(radius: radius), by: mask)
      }
    } catch {
      throw .image(error)
    }
  }
}

extension Segmentation.Share {
  /// The category for a program.
  fileprivate var json: JSON {
    .record([
      "index": .integer(label.index), "label": .string(label.label),
      "class_name": .string(label.className), "pixels": .integer(pixelCount),
      "part": .number(part),
    ])
  }
}
