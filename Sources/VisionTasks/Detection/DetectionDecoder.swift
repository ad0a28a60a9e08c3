// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat

/// Reads the boxes out of a model's outputs.
struct DetectionDecoder {
  private enum Form {
    /// The order is nil where only the values of a run tell it.
    case postProcess(PostProcessOrder?, BoxFormat)
    case rawHeads(RawHeadDecoder)
    case head(any DetectionHead)
  }

  private let form: Form
  private let calibration: ScoreCalibration?

  /// A decoder for what the options and the model say about the outputs.
  ///
  /// - Throws: `VisionError` where they disagree.
  init(
    _ model: Model, _ interpreter: Interpreter, _ notes: ModelNotes, _ input: ImageInput,
    _ options: ObjectDetector.Options
  ) throws(VisionError) {
    let outputs = interpreter.outputs
    if let described = notes.outputs, !described.isEmpty, described.count != outputs.count {
      throw .incompatibleModel(
        "Mismatch between number of output tensors (\(outputs.count)) and output tensors metadata (\(described.count))."
      )
    }
    var calibration: ScoreCalibration?
    for output in notes.outputs ?? [] where calibration == nil {
      calibration = try VisionError.converting { () throws(TaskError) in
        try notes.calibration(output)
      }
    }
    self.calibration = calibration
    let shapes = outputs.map { $0.type?.shape.dimensions ?? [] }
    let decoding = try Self.told(options, notes, shapes, input)
    if let head = try decoding.head(shapes) {
      form = .head(head)
      return
    }
    switch decoding {
    case .rawHeads(let heads):
      form = .rawHeads(try RawHeadDecoder(heads, shapes: shapes))
    case .postProcess(let order):
      try Self.checkCount(outputs.count)
      guard PostProcessOrder(positions: order.positions) != nil else {
        throw .invalidOption("the order of the outputs must name each of 0 to 3 once")
      }
      form = .postProcess(order, try Self.format(notes, input))
    default:
      try Self.checkCount(outputs.count)
      form = .postProcess(
        .told(by: model, interpreter, notes.outputs), try Self.format(notes, input))
    }
  }

  /// The decoding of the options, or what the metadata and the shapes say in place of automatic.
  private static func told(
    _ options: ObjectDetector.Options, _ notes: ModelNotes, _ shapes: [[Int]], _ input: ImageInput
  ) throws(VisionError) -> DetectionDecoding {
    guard options.decoding == .automatic else { return options.decoding }
    if let bytes = notes.customMetadata(named: DetectorMetadata.name) {
      var heads = try DetectorMetadata.rawHeads(bytes)
      if shapes.count == 2 {
        heads.boxOutput = notes.outputs?.firstIndex { $0.name == "location" }
      }
      return .rawHeads(heads)
    }
    guard let width = input.width, let height = input.height else { return .automatic }
    if notes.ultralytics?.task == RotatedRows.task { return .rotatedRows(RotatedRows()) }
    var labelCount = options.labels?.count
    if labelCount == nil { labelCount = try CategoryNames.labelCount(notes) }
    return AutomaticHead.decoding(
      shapes, input: InputSize(width: width, height: height), labelCount: labelCount)
      ?? .automatic
  }

  private static func checkCount(_ count: Int) throws(VisionError) {
    guard count == 4 else {
      let hint =
        count == 2
        ? "; for 2 outputs, the options must say how raw heads are decoded"
        : count < 4 ? "; the options must say how others are decoded" : ""
      throw .incompatibleModel(
        "A detector has 4 outputs: boxes, classes, scores, count. This model has \(count)\(hint).")
    }
  }

  private static func format(
    _ notes: ModelNotes, _ input: ImageInput
  ) throws(VisionError) -> BoxFormat {
    for output in notes.outputs ?? [] {
      guard case .boundingBox(let properties) = output.content?.properties else { continue }
      guard let width = input.width, let height = input.height else {
        guard properties.coordinateType == .ratio else {
          throw .incompatibleModel("Boxes in pixels need an input of a fixed size.")
        }
        return try BoxFormat(properties, width: 1, height: 1)
      }
      return try BoxFormat(properties, width: width, height: height)
    }
    return .postProcess
  }

  /// Whether boxes are turned as things are.
  var findsRotatedBoxes: Bool {
    if case .head(let head) = form { head is RotatedRowDecoder } else { false }
  }

  /// The greatest overlap of two boxes that are both reported; nil for any.
  func overlapThreshold(_ options: ObjectDetector.Options) -> Float? {
    switch form {
    case .postProcess: options.overlapThreshold
    case .rawHeads: options.overlapThreshold ?? ObjectDetector.usualOverlapThreshold
    case .head(let head): options.overlapThreshold ?? head.overlapThreshold
    }
  }

  /// The boxes that the latest run found; at least those of scores above the threshold.
  func detections(
    _ interpreter: Interpreter, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    switch form {
    case .rawHeads(let decoder):
      return decoder.detections(
        encodings: try Self.values(interpreter, decoder.boxOutput),
        values: try Self.values(interpreter, decoder.scoreOutput), calibration: calibration,
        threshold: threshold)
    case .postProcess(let order, let format):
      return try finished(interpreter, order, format)
    case .head(let head):
      let sides = interpreter.inputs.first?.type?.shape.dimensions ?? []
      guard sides.count == 4 else { throw .incompatibleModel("The input is no image.") }
      return try head.detections(
        try Self.outputs(interpreter), input: InputSize(width: sides[2], height: sides[1]),
        threshold: threshold)
    }
  }

  private static func values(
    _ interpreter: Interpreter, _ position: Int
  ) throws(VisionError) -> [Float] {
    do throws(InferenceError) { return try interpreter.dequantizedOutput(position) } catch {
      throw .inference(error)
    }
  }

  /// What the latest run wrote to all outputs.
  static func outputs(
    _ interpreter: Interpreter
  ) throws(VisionError) -> [OutputValues] {
    var outputs: [OutputValues] = []
    for (position, output) in interpreter.outputs.enumerated() {
      outputs.append(
        OutputValues(
          shape: output.type?.shape.dimensions ?? [], values: try values(interpreter, position)))
    }
    return outputs
  }

  private func finished(
    _ interpreter: Interpreter, _ order: PostProcessOrder?, _ format: BoxFormat
  ) throws(VisionError) -> [BoxDetection] {
    let outputs = try Self.outputs(interpreter)
    let values = PostProcessValues(outputs: outputs)
    guard let order = order ?? values.order() else {
      let shapes = outputs.map { "\($0.shape)" }.joined(separator: ", ")
      throw .incompatibleModel(
        "Which outputs are boxes, classes, scores and count cannot be told from \(shapes).")
    }
    var detections = values.detections(order, format)
    if let calibration {
      for index in detections.indices {
        detections[index].score = calibration.calibrated(
          detections[index].score, index: detections[index].classIndex)
      }
    }
    return detections
  }
}
