// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Martlet

/// The mask of the image before, which some models take beside red, green and blue.
///
/// MediaPipe's `graphs/hair_segmentation/hair_segmentation_mobile_gpu.pbtxt` and
/// `tflite_tensors_to_segmentation_calculator.cc`: of two scores for each pixel, softmax makes the
/// confidence of the second, which is mixed with the confidence before where it says little, by a
/// ratio of 0.9. Its bytes, rounded down, are the fourth channel of the next image; that of the
/// first image is 0.
struct MaskFeedback {
  /// What a model's input holds beside the color.
  private(set) var alpha: [UInt8] = []
  private var smoother = MaskSmoother(ratio: 0.9)

  /// Whether a model takes a mask beside three colors and gives two scores for each of its pixels.
  static func fits(_ interpreter: Interpreter, output: Int) -> Bool {
    guard interpreter.inputs.count == 1,
      let input = interpreter.inputs[0].type?.shape.dimensions,
      interpreter.outputs.indices.contains(output),
      let scores = interpreter.outputs[output].type?.shape.dimensions
    else { return false }
    return input.count == 4 && input[3] == 4 && input[1] > 1 && input[2] > 1
      && scores == [1, input[1], input[2], 2]
  }

  /// The scores `1 - c, c` of each pixel whose smoothed confidence is c, which is kept for the next
  /// image.
  ///
  /// - Parameters:
  ///   - values: two scores for each pixel.
  ///   - layout: how they lie.
  /// - Returns: as many values.
  /// - Throws: `VisionError` for another number of values.
  mutating func mixed(
    _ values: [Float], _ layout: SegmentationLayout
  ) throws(VisionError) -> [Float] {
    let decoder = SegmentationDecoder(layout, activation: .softmax)
    let confidences = try decoder.confidences(values)
    guard confidences.count == 2 else { return values }
    let mask = smoother.apply(confidences[1])
    alpha = mask.values.map { $0.isNaN ? 0 : UInt8(max(0, min(1, $0)) * 255) }
    return mask.values.flatMap { [1 - $0, $0] }
  }
}
