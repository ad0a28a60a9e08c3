// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

extension CatalogEntry {
  static let detectionPostProcess = CatalogEntry(
    custom: "TFLite_Detection_PostProcess", formula: nil,
    variants: "f32 u8_q", optimized: "f32 u8_q",
    work: .elements { types in
      // Each score of a class may be compared with each that was selected of its class.
      let anchors = types.input(0)?.shape.dimensions.dropFirst().first
      let most = types.output(1).map { min($0.shape.elementCount, anchors ?? .max) }
      return Checked.product(types.input(1)?.shape.elementCount, most.map { max($0, 1) })
    }, reads: .everything
  ) { node throws(KernelError) in
    DetectionPostProcess(options: try DetectionOptions(node.customOptions))
  }
}

/// `TFLite_Detection_PostProcess`: boxes and scores of an SSD detector to a list of detections.
///
/// - Input 0: box encodings, `[1, anchors, 4 or more]`, see `DetectionPostProcessKernel`.
/// - Input 1: scores, `[1, anchors, classes]`; one class more than `num_classes` is a background
///   in front, which is passed over.
/// - Input 2: anchors, `[anchors, 4]`: y, x, height and width.
/// - Outputs: boxes `[1, n, 4]` (top, left, bottom, right), class numbers `[1, n]`, scores
///   `[1, n]` and their count `[1]`, with n = `max_detections · max_classes_per_detection`.
///
/// All are float32; inputs may be uint8. Rows beyond the detections are zero, which TFLite's fast
/// mode leaves undefined. TFLite: `detection_postprocess.cc`.
struct DetectionPostProcess: Operator {
  let options: DetectionOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3, outputs: 4)
    let (boxes, scores, anchors) = (try node.input(0), try node.input(1), try node.input(2))
    for (position, rank) in [3, 3, 2].enumerated() {
      let shape = try node.input(position).shape
      guard shape.rank == rank else {
        throw .rank(shape.rank, wanted: "\(rank)", .input(position))
      }
    }
    guard boxes.shape[0] == 1, boxes.shape[2] >= 4 else {
      throw .invalid("box encodings of shape \(boxes.shape)", .input(0))
    }
    let count = boxes.shape[1]
    guard anchors.shape[0] >= count, anchors.shape[1] == 4 else {
      throw .invalid("anchors of shape \(anchors.shape) for \(count) boxes", .input(2))
    }
    let classCount = scores.shape[2]
    guard scores.shape[0] == 1, scores.shape[1] == count,
      0...1 ~= classCount - options.classCount
    else {
      throw .invalid(
        "scores of shape \(scores.shape) for \(count) boxes of \(options.classCount) classes",
        .input(1))
    }
    try anchors.expect(boxes.elementType, .input(2))
    let rows = try options.maxDetections.times(options.maxClassesPerDetection)
    let shapes = [[1, rows, 4], [1, rows], [1, rows], [1]]
    var outputs: [TensorType] = []
    for (position, shape) in shapes.enumerated() {
      outputs.append(TensorType(.float32, try Shape.checked(shape, .output(position))))
    }
    let kernel = DetectionPostProcessKernel(
      options, boxCount: count, encodingLength: boxes.shape[2], classCount: classCount,
      formats: [
        try .init(boxes, .input(0)), try .init(scores, .input(1)), try .init(anchors, .input(2)),
      ])
    return Prepared(outputs: outputs, kernel: kernel)
  }
}

/// The options of `TFLite_Detection_PostProcess`.
package struct DetectionOptions: Sendable, Hashable {
  /// The most detections, or boxes in fast mode.
  package let maxDetections: Int
  /// The most classes of one box in fast mode.
  package let maxClassesPerDetection: Int
  /// The most detections of one class in regular mode.
  package let detectionsPerClass: Int
  /// Whether each class is suppressed on its own.
  package let isRegular: Bool
  /// The least score of a detection.
  package let scoreThreshold: Float
  /// The overlap beyond which the lower-scored box is dropped.
  package let overlapThreshold: Float
  /// Classes without the background.
  package let classCount: Int
  /// The divisors of box encodings: y, x, height, width.
  package let scales: [Float]

  /// The options in a FlexBuffer's map; what is missing is 0, as in TFLite.
  ///
  /// - Throws: `KernelError` for options that are malformed or out of range.
  package init(_ bytes: [UInt8]) throws(KernelError) {
    let map: FlexValue
    do throws(FlatBufferError) {
      map = try FlexBuffers.decode(bytes.span)
    } catch {
      throw .invalid("malformed options: \(error)")
    }
    func integer(_ key: String, default fallback: Int = 0) -> Int {
      map[key] == nil || map[key] == .null ? fallback : map[key]?.int ?? 0
    }
    maxDetections = integer("max_detections")
    maxClassesPerDetection = integer("max_classes_per_detection")
    detectionsPerClass = min(integer("detections_per_class", default: 100), maxDetections)
    isRegular = map["use_regular_nms"]?.bool ?? false
    scoreThreshold = map["nms_score_threshold"]?.float ?? 0
    overlapThreshold = map["nms_iou_threshold"]?.float ?? 0
    classCount = integer("num_classes")
    scales = ["y_scale", "x_scale", "h_scale", "w_scale"].map { map[$0]?.float ?? 0 }
    try check()
  }

  private func check() throws(KernelError) {
    guard 0...Int(Int32.max) ~= maxDetections, 1...Int(Int32.max) ~= maxClassesPerDetection else {
      throw .invalid(
        "max_detections \(maxDetections), max_classes_per_detection \(maxClassesPerDetection)")
    }
    guard !isRegular || detectionsPerClass > 0 else {
      throw .invalid("detections_per_class \(detectionsPerClass)")
    }
    guard classCount >= 1 else { throw .invalid("num_classes \(classCount)") }
    guard overlapThreshold > 0, overlapThreshold <= 1 else {
      throw .invalid("nms_iou_threshold \(overlapThreshold) is not above 0 and at most 1")
    }
  }
}
