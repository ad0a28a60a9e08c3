// SPDX-License-Identifier: Apache-2.0

import Martlet
import MetadataFormat
import ModelTasks
import Tensors

/// One output of a text classifier: how its scores become results.
struct TextHead {
  let labels: LabelMap?
  private let index: Int
  private let name: String
  private let calibration: ScoreCalibration?
  private let threshold: Float?
  /// The output that has the labels, of strings or int32 numbers.
  private let labelOutput: Int?

  /// The element types of scores.
  private static let scoreTypes: Set<ElementType> = [
    .uint8, .int8, .int16, .float32, .float64, .bool,
  ]

  /// The heads of a model.
  static func heads(
    of interpreter: Interpreter, _ notes: ModelNotes, _ options: TextClassifier.Options
  ) throws(TaskError) -> [TextHead] {
    let outputs = interpreter.outputs
    let labels = try options.labelOutput?
      .position(among: outputs, notes.outputs, kind: "output")
    var positions = outputs.indices.filter { position in
      position != labels
        && outputs[position].type.map { scoreTypes.contains($0.elementType) } ?? true
    }
    if let scores = options.scores {
      positions = [try scores.position(among: outputs, notes.outputs, kind: "output")]
    }
    guard !positions.isEmpty else {
      throw .incompatibleModel("No output tensor of scores: none is of real numbers.")
    }
    var heads: [TextHead] = []
    for position in positions {
      heads.append(
        try TextHead(position, outputs[position], notes, labelOutput: labels, options.classes))
    }
    return heads
  }

  private init(
    _ index: Int, _ output: Interpreter.TensorInfo, _ notes: ModelNotes, labelOutput: Int?,
    _ options: ClassificationOptions
  ) throws(TaskError) {
    self.index = index
    self.labelOutput = labelOutput
    let metadata = notes.outputs.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    name = metadata?.name ?? output.name
    if let type = output.type, !Self.scoreTypes.contains(type.elementType) {
      throw .incompatibleModel(
        "Type mismatch for score tensor \(output.name). Requested one of these types: INT8/UINT8/INT16/FLOAT32/FLOAT64/BOOL, got \(type.elementType.schemaName)."
      )
    }
    if let given = options.labels {
      labels = given
    } else if let metadata {
      labels = try notes.labels(metadata, .tensorAxisLabels, locale: options.locale)
    } else {
      labels = nil
    }
    if let labels, let count = output.type?.shape.dimensions.last, count != labels.count {
      throw .labels(
        "\(labels.count) labels for output \(index) of the model, which has \(count) classes")
    }
    calibration = try metadata.flatMap { metadata throws(TaskError) in
      try notes.calibration(metadata)
    }
    threshold = options.scoreThreshold ?? metadata?.scoreThreshold
  }

  /// The results of the latest run.
  func result(
    _ interpreter: Interpreter, _ options: ClassificationOptions
  ) throws(TaskError) -> ClassificationHead {
    let scores = try scores(interpreter)
    let names = try labelOutput.map { position throws(TaskError) in
      try Self.names(interpreter, position)
    }
    return options.ranked(
      scores.enumerated().map { position, raw in
        let own = names.flatMap { $0.indices.contains(position) ? $0[position] : nil }
        return Classification(
          index: position, score: calibration?.calibrated(raw, index: position) ?? raw,
          className: labels?.className(position) ?? own ?? "",
          displayName: labels?.displayName(position))
      }, threshold: threshold, output: index, name: name)
  }

  private func scores(_ interpreter: Interpreter) throws(TaskError) -> [Float] {
    do throws(InferenceError) {
      guard try interpreter.outputType(index).elementType == .bool else {
        return try interpreter.dequantizedOutput(index)
      }
      return try interpreter.outputBytes(index).map { $0 == 0 ? 0 : 1 }
    } catch {
      throw .inference(error)
    }
  }

  /// The labels that an output of strings or integers holds.
  private static func names(
    _ interpreter: Interpreter, _ position: Int
  ) throws(TaskError) -> [String] {
    let bytes: [UInt8]
    do throws(InferenceError) {
      switch try interpreter.outputType(position).elementType {
      case .int32: return try interpreter.output(position, as: Int32.self).map { "\($0)" }
      case .string: bytes = try interpreter.outputBytes(position)
      case let other:
        throw InferenceError(
          .invalidRequest(
            "Type mismatch for label tensor: requested STRING or INT32, got \(other.schemaName)."))
      }
    } catch {
      throw .inference(error)
    }
    do throws(StringTensor.Malformed) {
      return try StringTensor.strings(in: bytes).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .labels(error.description)
    }
  }
}
