// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import ModelTasks
import VisionTasks

/// Which pixels of images belong to what.
struct SegmentTask {
  private let segmenter: ImageSegmenter
  private let background: Background?
  private let wantsImages: Bool
  private let wantsMask: Bool

  /// What takes the place of the background.
  private enum Background {
    case transparent
    case blurred(radius: Int)
  }

  /// The columns of the table.
  private static let columns = ["index", "label", "pixels", "part"]

  /// The options that say what is found.
  static let descriptions: [OptionDescription] =
    [
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
      .flag(
        "video",
        "The images follow each other: a model that takes the mask of the image before gets it."),
    ] + ImageOptions.descriptions + ComputationOptions.descriptions

  /// The task that the arguments ask for.
  static func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let (arguments, console) = (setup.arguments, setup.console)
    let background = try background(arguments)
    var options = ImageSegmenter.Options()
    options.preprocessing = try ImageOptions(arguments).preprocessing
    options.interpreter = setup.computation.interpreter
    options.areFrames = setup.areFrames || arguments.flag("video")
    options.wantsConfidences = background != nil
    options.locale = arguments.value("locale") ?? "en"
    if let threshold = try arguments.number("threshold") { options.threshold = Float(threshold) }
    if let file = arguments.value("labels") {
      options.labels = LabelMap(classNames: LabelMap.lines(of: try console.read(file)))
    }
    options.activation = activations[arguments.value("activation") ?? ""]
    let model = try setup.mainModel()
    let (wantsImages, wantsMask) = (setup.wantsImages, arguments.value("mask") != nil)
    return PreparedTask { [options] () throws(CommandError) in
      let segmenter = try setup.made { () throws(VisionError) in
        try ImageSegmenter(model, options: options)
      }
      if setup.use == .command {
        segmenter.input.noteRange(console)
        if segmenter.labels == nil, segmenter.tellsCategories {
          console.note(LabelOptions.missingLabels)
        }
      }
      let task = SegmentTask(
        segmenter: segmenter, background: background, wantsImages: wantsImages,
        wantsMask: wantsMask)
      var asked = setup.imageTask("segment", columns: columns) {
        (image, orientation) throws(VisionError) in try task.answer(image, orientation)
      }
      asked.isTracking = options.areFrames && segmenter.takesMaskBefore
      return asked
    }
  }

  private static let activations: [String: SegmentationActivation] = [
    "none": .none, "sigmoid": .sigmoid, "softmax": .softmax,
  ]

  private static func background(_ arguments: ParsedArguments) throws(CommandError) -> Background? {
    let background: Background? =
      switch arguments.value("background") {
      case nil: nil
      case "none": .transparent
      case "blur": .blurred(radius: 12)
      case let other?: throw arguments.usage("'\(other)' for '--background', wanted none or blur")
      }
    guard background == nil || arguments.value(AnnotationOutput.option) != nil else {
      throw arguments.usage("--background without --annotate, which writes the image")
    }
    return background
  }

  private func answer(
    _ image: PixelBuffer, _ orientation: ImageOrientation
  ) throws(VisionError) -> TaskAnswer {
    let result = try segmenter.segment(image, orientation: orientation)
    var answer = TaskAnswer()
    if wantsMask { answer.mask = result.categoryMask }
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
    if wantsImages {
      answer.image = try drawn(result, image).upright(from: orientation)
    }
    return answer
  }

  private func drawn(
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
