// SPDX-License-Identifier: Apache-2.0

import Imaging
import JSONDocuments
import VisionTasks

/// Images that a model makes of images.
enum TransformTask {
  /// The options that say what is made.
  static let descriptions: [OptionDescription] =
    [
      .flag("depth", "The model estimates depth."),
      .choice(
        "values", OutputPixelRange.allCases.map(\.rawValue),
        "Which numbers of the output are black and white, instead of what the model says."),
      .flag("keep-size", "Give the result the size of the image."),
      .flag("whole", "Never compute in tiles."),
    ] + ImageOptions.descriptions + ComputationOptions.descriptions

  /// The task that the arguments ask for.
  static func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    setup.arguments.flag("depth") ? try estimating(setup) : try transforming(setup)
  }

  private static func transforming(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let arguments = setup.arguments
    var options = ImageTransformer.Options()
    options.preprocessing = try ImageOptions(arguments).preprocessing
    options.interpreter = setup.computation.interpreter
    options.range = arguments.value("values").flatMap(OutputPixelRange.init)
    options.keepsSize = arguments.flag("keep-size")
    if arguments.flag("whole") { options.tiling = .whole }
    let model = try setup.mainModel()
    return PreparedTask { [options] () throws(CommandError) in
      let transformer = try setup.made { () throws(VisionError) in
        try ImageTransformer(model, options: options)
      }
      return setup.imageTask("transform", columns: ["width", "height"]) {
        (image, orientation) throws(VisionError) in
        let result = try transformer.transform(image, orientation: orientation)
        var answer = TaskAnswer()
        answer.lines = ["  \(result.width) x \(result.height) pixels"]
        answer.rows = [["\(result.width)", "\(result.height)"]]
        answer.members = ["width": .integer(result.width), "height": .integer(result.height)]
        answer.image = result
        return answer
      }
    }
  }

  private static func estimating(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    var options = DepthEstimator.Options()
    options.preprocessing = try ImageOptions(setup.arguments).preprocessing
    options.interpreter = setup.computation.interpreter
    let model = try setup.mainModel()
    return PreparedTask { [options] () throws(CommandError) in
      let estimator = try setup.made { () throws(VisionError) in
        try DepthEstimator(model, options: options)
      }
      return setup.imageTask("transform", columns: ["least", "greatest"]) {
        (image, orientation) throws(VisionError) in
        let map = try estimator.estimate(image, orientation: orientation)
        var answer = TaskAnswer()
        if let range = map.range {
          answer.lines = ["  values from \(range.lowerBound) to \(range.upperBound)"]
          answer.rows = [["\(range.lowerBound)", "\(range.upperBound)"]]
          answer.members = [
            "least": .float(range.lowerBound), "greatest": .float(range.upperBound),
          ]
        } else {
          answer.lines = ["  no value is a number"]
        }
        answer.image = map.coloredImage.upright(from: orientation)
        return answer
      }
    }
  }
}
