// SPDX-License-Identifier: Apache-2.0

import Imaging
import JSONDocuments
import VisionTasks

/// `martlet transform`: images that a model makes of images.
package enum TransformCommand {
  package static let description = CommandDescription(
    "transform", "Make images of images: larger, in another style, or of how far things are.",
    discussion: """
      The model takes an image and gives one: of super-resolution, style or restoration; or, with \
      --depth, a number for each pixel, which becomes a color. Images larger than the model's input \
      are computed in tiles where its output is larger, too.
      """,
    arguments: ImageQuestion.arguments,
    options: [
      .value(
        "output", letter: "o", "png|folder",
        "The image to write; of several images, a folder.", completion: .files(["png"])),
      .flag("depth", "The model estimates depth."),
      .choice(
        "values", OutputPixelRange.allCases.map(\.rawValue),
        "Which numbers of the output are black and white, instead of what the model says."),
      .flag("keep-size", "Give the result the size of the image."),
      .flag("whole", "Never compute in tiles."),
    ] + ImageOptions.descriptions + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let question = try ImageQuestion(arguments, console)
    guard arguments.value(ImageQuestion.output) != nil else {
      throw arguments.usage("missing '--output', the image to write")
    }
    return arguments.flag("depth")
      ? try estimate(question) : try transform(question)
  }

  private static func transform(_ question: ImageQuestion) throws(CommandError) -> ExitCode {
    var options = ImageTransformer.Options()
    options.preprocessing = question.preprocessing
    options.interpreter = question.computation.interpreter
    options.range = question.arguments.value("values").flatMap(OutputPixelRange.init)
    options.keepsSize = question.arguments.flag("keep-size")
    if question.arguments.flag("whole") { options.tiling = .whole }
    let model = try question.console.model(at: question.model)
    let transformer = try question.made { [options] () throws(VisionError) in
      try ImageTransformer(model, options: options)
    }
    return try question.run(
      "transform", writing: ImageQuestion.output, columns: ["width", "height"]
    ) {
      (image, orientation) throws(VisionError) in
      let result = try transformer.transform(image, orientation: orientation)
      var answer = TaskAnswer()
      answer.lines = ["  \(result.width) x \(result.height) pixels"]
      answer.rows = [["\(result.width)", "\(result.height)"]]
      answer.members = ["width": .integer(result.width), "height": .integer(result.height)]
      answer.picture = result
      return answer
    }
  }

  private static func estimate(_ question: ImageQuestion) throws(CommandError) -> ExitCode {
    var options = DepthEstimator.Options()
    options.preprocessing = question.preprocessing
    options.interpreter = question.computation.interpreter
    let model = try question.console.model(at: question.model)
    let estimator = try question.made { [options] () throws(VisionError) in
      try DepthEstimator(model, options: options)
    }
    return try question.run(
      "transform", writing: ImageQuestion.output, columns: ["least", "greatest"]
    ) {
      (image, orientation) throws(VisionError) in
      let map = try estimator.estimate(image, orientation: orientation)
      var answer = TaskAnswer()
      if let range = map.range {
        answer.lines = ["  values from \(range.lowerBound) to \(range.upperBound)"]
        answer.rows = [["\(range.lowerBound)", "\(range.upperBound)"]]
        answer.members = ["least": .float(range.lowerBound), "greatest": .float(range.upperBound)]
      } else {
        answer.lines = ["  no value is a number"]
      }
      answer.picture = map.coloredImage.upright(from: orientation)
      return answer
    }
  }
}
