// SPDX-License-Identifier: Apache-2.0

package import Martlet
import ModelFormat
import ModelSchema
package import ImageInputs

/// What a command does with images.
package enum ImageTask: Sendable {
  /// Says what they show.
  case classification
  /// Says where things are in them, from finished detections.
  case detection
  /// Says where things are in them, from boxes and scores of anchors.
  case anchoredDetection
  /// Makes a model's input of them, and nothing else.
  case input
}

/// What a model's inputs and outputs look like, and so what it may be for.
package struct ModelShape {
  /// What outputs look like.
  package enum Outputs: Sendable, Equatable {
    /// Scores of classes.
    case scores
    /// Finished detections: boxes, classes, scores and their count.
    case detections
    /// Boxes and scores for each anchor.
    case rawHeads
    /// Predictions for each cell of one or several grids, as YOLO makes them.
    case grids
    /// An image.
    case image
    /// Anything else.
    case other
  }

  package let outputs: Outputs
  /// Whether there is one input, and it can be an image of 3 channels.
  package let takesImage: Bool
  /// Whether there is one input, and it can be an image of 1 or 4 channels.
  private let takesOtherChannels: Bool
  /// Whether images become real numbers, and nothing in the model says how.
  private let lacksNormalization: Bool

  /// The shape of `model`; nil where it cannot be prepared.
  package init?(of model: Model) {
    guard let interpreter = try? Interpreter(model) else { return nil }
    let input = interpreter.inputs.first
    let sides = input?.shapeSignature ?? input?.type?.shape.dimensions ?? []
    takesImage = interpreter.inputs.count == 1 && sides.count == 4 && sides[3] == 3
    takesOtherChannels =
      interpreter.inputs.count == 1 && sides.count == 4 && [1, 4].contains(sides[3])
    let normalizations = input == nil ? [] : interpreter.notes(0)?.normalizations ?? []
    lacksNormalization =
      input?.type?.elementType == .float32 && normalizations.isEmpty
    outputs =
      model.finishesDetections && interpreter.outputs.count == 4
      ? .detections : Self.outputs(interpreter.outputs.map { $0.type?.shape.dimensions ?? [] })
  }

  private static func outputs(_ shapes: [[Int]]) -> Outputs {
    if shapes.count == 4, shapes.contains(where: { $0.count == 3 && $0[2] == 4 }) {
      return .detections
    }
    let rows = shapes.compactMap { $0.count == 3 ? $0[1] : nil }
    if shapes.count == 2, rows.count == 2, rows[0] == rows[1], rows[0] > 1 { return .rawHeads }
    let isScores = { (shape: [Int]) in
      [2, 4].contains(shape.count) && shape.dropLast().allSatisfy { $0 == 1 } && shape.last != 1
    }
    if !shapes.isEmpty, shapes.allSatisfy(isScores) { return .scores }
    let grids = shapes.filter { $0.count == 4 && $0[1] > 1 && $0[2] > 1 }
    guard !grids.isEmpty, grids.count == shapes.count else { return .other }
    if grids.count == 1, [1, 3, 4].contains(grids[0][3]) { return .image }
    return grids.allSatisfy { $0[3] > 4 && $0[3] == grids[0][3] && $0[1] < 100 } ? .grids : .other
  }

  /// What fits the model where `task` does not: another command, or options; nil where nothing is
  /// known to fit.
  package func hint(for task: ImageTask, images: Preprocessing) -> String? {
    guard takesImage || takesOtherChannels else {
      return "'martlet run MODEL --input FILE' runs models that take other inputs than one image"
    }
    guard takesImage else {
      return "'martlet run MODEL -i IMAGE' makes images of 1 or 4 channels the model's input"
    }
    if let other = otherTask(than: task) { return other }
    guard lacksNormalization, !images.givesNormalization else { return nil }
    return Self.normalizationHint
  }

  /// The usual options for images as real numbers.
  package static let normalizationHint =
    "usual are --mean 127.5 --std 127.5, for values from -1 to 1, and --mean 0 --std 255, for 0 to "
    + "1; the model's training decides"

  private func otherTask(than task: ImageTask) -> String? {
    switch (outputs, task) {
    case (.detections, .classification):
      "its outputs are those of an object detector: 'martlet detect MODEL IMAGE…'"
    case (.rawHeads, .classification):
      "its outputs are boxes and scores of anchors: 'martlet detect MODEL IMAGE… --anchors …'"
    case (.detections, .anchoredDetection):
      "its outputs are finished detections, which need no --anchors"
    case (.rawHeads, .detection):
      "boxes and scores of anchors need --anchors: ssd, short-range-faces, full-range-faces or "
        + "a file"
    case (.scores, .detection), (.scores, .anchoredDetection):
      "its outputs are those of a classifier: 'martlet label MODEL IMAGE…', or here "
        + "--classifier MODEL beside a detector"
    case (.grids, .classification), (.grids, .detection), (.grids, .anchoredDetection):
      "its outputs seem to be grids, as YOLO's, which are not decoded: 'martlet run MODEL -i IMAGE "
        + "-o DIR' stores them"
    case (.image, .classification), (.image, .detection), (.image, .anchoredDetection):
      "its output seems to be an image: 'martlet run MODEL -i IMAGE --image OUT.png'"
    case (.other, .classification), (.other, .detection), (.other, .anchoredDetection):
      "'martlet run MODEL -i IMAGE' shows what any model makes of an image"
    case (_, .input), (.scores, .classification), (.detections, .detection),
      (.rawHeads, .anchoredDetection):
      nil
    }
  }
}

extension Model {
  /// Whether an operator finishes detections; the shapes of its outputs may be known only at run
  /// time.
  fileprivate var finishesDetections: Bool {
    file.subgraphs.first?.nodes.contains {
      $0.identity.customName == "TFLite_Detection_PostProcess"
    } ?? false
  }
}
