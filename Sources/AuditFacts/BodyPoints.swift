// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
package import Martlet
import Npy
import Tensors
import Traces
import VisionTasks

/// The points of a body as MoveNet gives them: `[1, 1, 17, 3]`, for each y, x and score, of the
/// size of the image.
///
/// Source: <https://www.kaggle.com/models/google/movenet>.
package enum BodyPoints {
  /// The names of the points, in the order of the COCO data set.
  private static let names = [
    "nose", "left eye", "right eye", "left ear", "right ear", "left shoulder", "right shoulder",
    "left elbow", "right elbow", "left wrist", "right wrist", "left hip", "right hip",
    "left knee", "right knee", "left ankle", "right ankle",
  ]

  /// The pairs of points that are joined by a line.
  package static let bones = [
    (0, 1), (0, 2), (1, 3), (2, 4), (5, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 11), (6, 12),
    (11, 12), (11, 13), (13, 15), (12, 14), (14, 16),
  ]

  /// Whether a model's only output has this form.
  package static func areGiven(by interpreter: Interpreter) -> Bool {
    interpreter.outputs.count == 1
      && interpreter.outputs[0].type?.shape.dimensions == [1, 1, names.count, 3]
  }

  /// The points of the latest run, in pixels of the upright image.
  package static func points(
    of interpreter: Interpreter, _ audited: AuditedImage
  ) -> [ImageFacts.BodyPoint] {
    guard let output = interpreter.outputs.first,
      let (type, bytes) = interpreter.tensor(output.index),
      let array = try? NpyArray(type, tensorBytes: bytes),
      let values = RealValues(type, array)?.numbers, values.count == names.count * 3
    else { return [] }
    let seen = audited.prepared.image
    return names.enumerated().map { index, name in
      let location = audited.prepared.sourceRect(
        ImageRect(
          x: values[3 * index + 1] * Double(seen.width),
          y: values[3 * index] * Double(seen.height), width: 0, height: 0))
      let upright = audited.orientation.uprightRect(
        location, storedWidth: Double(audited.pixels.width),
        storedHeight: Double(audited.pixels.height))
      return ImageFacts.BodyPoint(
        name: name, x: upright.x, y: upright.y, score: values[3 * index + 2])
    }
  }
}
