// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `TFLite_Detection_PostProcess` in its fast mode with one class to a box: the same detections as
/// the reference kernel's.
///
/// Scores become floats only where they are the best of their box, boxes are decoded when they
/// are compared, and no more of them are put in order than it takes to find all detections.
final class FastDetections: Kernel {
  private let reference: DetectionPostProcessKernel

  /// The computation of `kernel`; nil in the other modes, and for scales that let quantized values
  /// coincide.
  init?(_ kernel: DetectionPostProcessKernel) {
    let options = kernel.options
    let affine = kernel.formats[1].affine ?? Affine(scale: 1, zeroPoint: 0)
    guard !options.isRegular, min(options.maxClassesPerDetection, options.classCount) == 1,
      (1e-30...1e30).contains(affine.scale), (-0x8000...0x7FFF).contains(affine.zeroPoint),
      kernel.boxCount <= Int(Int32.max)
    else { return nil }
    reference = kernel
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let anchors = reference.formats[2].values(frame, 2)
    // Boxes that are not ordered are an error; where no anchor has a negative size, all are.
    let areOrdered = (0..<reference.boxCount).allSatisfy {
      anchors[$0 * 4 + 2] >= 0 && anchors[$0 * 4 + 3] >= 0
    }
    guard areOrdered, let scores = unsafe frame.inputAddress(1) else {
      return try reference.evaluate(frame)
    }
    let options = reference.options
    let best = unsafe BestScores(
      scores: scores, affine: reference.formats[1].affine, stride: reference.scoreStride,
      classCount: options.classCount)
    var order = ScoreOrder(capacity: reference.boxCount)
    for box in 0..<reference.boxCount {
      let score = unsafe best.best(of: box).score
      if score >= options.scoreThreshold { order.append(score, of: box) }
    }
    order.arrange()
    clear(frame)
    let encodings = reference.formats[0].values(frame, 0)
    var selected: [DetectionBox] = []
    while selected.count < options.maxDetections, let index = order.next() {
      let box = DetectionBox(
        encodings: encodings, at: index * reference.encodingLength, anchors: anchors,
        at: index * 4, scales: options.scales)
      guard !selected.contains(where: { $0.overlap(with: box) > options.overlapThreshold }) else {
        continue
      }
      let (category, score) = unsafe best.best(of: index)
      write(frame, row: selected.count * options.maxClassesPerDetection, box, category, score)
      selected.append(box)
    }
    var counts = frame.output(3, as: Float.self)
    counts[0] = Float(selected.count)
  }

  private func clear(_ frame: borrowing TensorFrame) {
    for position in 0..<4 {
      var output = frame.output(position, as: Float.self)
      output.update(repeating: 0)
    }
  }

  private func write(
    _ frame: borrowing TensorFrame, row: Int, _ box: DetectionBox, _ category: Int, _ score: Float
  ) {
    var corners = frame.output(0, as: Float.self)
    var categories = frame.output(1, as: Float.self)
    var scores = frame.output(2, as: Float.self)
    corners[row * 4] = box.top
    corners[row * 4 + 1] = box.left
    corners[row * 4 + 2] = box.bottom
    corners[row * 4 + 3] = box.right
    categories[row] = Float(category)
    scores[row] = score
  }
}
