// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension DetectionPostProcessKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let frame = TensorFrame(inputs: node.inputs.map { $0?.bytes }, outputs: [])
    let encodings = formats[0].values(frame, 0)
    let anchors = formats[2].values(frame, 2)
    let codes = (0..<boxCount).map { box in
      BoxCode(
        encoding: Array(encodings[box * encodingLength..<box * encodingLength + 4]),
        anchor: Array(anchors[box * 4..<box * 4 + 4]), scales: options.scales)
    }
    let detections = TracedDetections(
      self, codes.map(\.box), scores: formats[1].values(frame, 1))
    var steps = StepList()
    let row = output.position == 0 ? output.flat / 4 : output.flat
    guard output.position < 3, let detection = detections.rows[row] else {
      steps.add(
        "count", options.isRegular ? "detections" : "boxes that give detections",
        integer: detections.count)
      _ = steps.add(
        output.position < 3 ? "filled" : "stored",
        output.position < 3 ? "zero in rows without a detection" : "the count as a float",
        float: output.position < 3 ? 0 : Float(detections.count))
      return NodeAccount([], steps)
    }
    let box = detection.kept.box
    steps.tell(detection, limit: options.overlapThreshold, isRegular: options.isRegular)
    switch output.position {
    case 0: steps.tell(codes[box], edge: output.flat % 4)
    case 1: _ = steps.add("class", "its number", float: Float(detection.category))
    case _: _ = steps.add("score", "of that class", float: detection.score)
    }
    let category = scoreStride - options.classCount + detection.category
    let terms =
      node.terms(0, box * encodingLength..<box * encodingLength + 4)
      + node.terms(2, box * 4..<box * 4 + 4) + node.terms(1, [box * scoreStride + category])
    return NodeAccount(terms, steps)
  }
}

/// A box as a detector encodes it, and its anchor: y, x, height, width.
private struct BoxCode {
  let encoding: [Float]
  let anchor: [Float]
  let scales: [Float]

  /// A part of the encoding, divided by its scale.
  func encoded(_ part: Int) -> Double { Double(encoding[part]) / Double(scales[part]) }

  /// The centre along an axis: 0 for y, 1 for x.
  func centre(_ axis: Int) -> Float {
    Float(encoded(axis) * Double(anchor[2 + axis]) + Double(anchor[axis]))
  }

  /// Half of the size along an axis.
  func half(_ axis: Int) -> Float {
    Float(0.5 * FloatMath.exp(encoded(2 + axis)) * Double(anchor[2 + axis]))
  }

  var box: DetectionBox {
    DetectionBox(
      top: centre(0) - half(0), left: centre(1) - half(1), bottom: centre(0) + half(0),
      right: centre(1) + half(1))
  }
}

extension StepList {
  /// How a detection came to be chosen.
  fileprivate mutating func tell(_ detection: TracedDetection, limit: Float, isRegular: Bool) {
    let kept = detection.kept
    add("box", "its number, and that of its anchor", integer: kept.box)
    add("class", "of the detection, without the background", integer: detection.category)
    add("score", "of that class", .float(detection.score))
    add(
      "rank", "boxes kept before it\(isRegular ? " in this class" : "")",
      integer: kept.overlaps.count)
    tellKept(kept.overlaps, of: kept.box, limit: limit, "not above")
    tellDropped(
      kept.dropped.map { $0.overlap.turned(to: kept.box) }, of: kept.dropped.map(\.box),
      limit: limit,
      "above", "boxes of lower scores that this one drops")
  }

  /// The four edges of a decoded box, the one that is asked for last.
  fileprivate mutating func tell(_ code: BoxCode, edge wanted: Int) {
    for (axis, name) in ["y", "x"].enumerated() {
      let (size, place) = (code.anchor[2 + axis], code.anchor[axis])
      add(
        "centre \(name)",
        "\(code.encoding[axis]) / \(code.scales[axis]) × \(size) + \(place.operand)",
        .float(code.centre(axis)))
      add(
        "half \(["height", "width"][axis])",
        "exp(\(code.encoding[2 + axis]) / \(code.scales[2 + axis])) × \(size) / 2",
        .float(code.half(axis)))
    }
    let names = ["top", "left", "bottom", "right"]
    for edge in [0, 1, 2, 3].filter({ $0 != wanted }) + [wanted] {
      let (centre, half) = (code.centre(edge % 2), code.half(edge % 2))
      add(
        names[edge], "\(centre) \(edge < 2 ? "-" : "+") \(half.operand)",
        .float(edge < 2 ? centre - half : centre + half))
    }
  }
}
