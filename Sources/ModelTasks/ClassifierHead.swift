// SPDX-License-Identifier: Apache-2.0

package import Martlet
import ModelFormat
import Tensors

/// One output of a classifier: how its scores become results.
package struct ClassifierHead: Sendable {
  let index: Int
  let name: String
  /// The number of classes.
  package let classCount: Int
  /// The names of the classes; nil where there are none.
  package let labels: LabelMap?
  let calibration: ScoreCalibration?
  let threshold: Float?

  /// The heads of a model, one for each output.
  ///
  /// - Throws: `TaskError` that says which rule for classifiers the model breaks.
  package static func heads(
    of interpreter: Interpreter, notes: ModelNotes, options: ClassificationOptions
  ) throws(TaskError) -> [ClassifierHead] {
    let outputs = interpreter.outputs
    if let described = notes.outputs, !described.isEmpty, described.count != outputs.count {
      throw .incompatibleModel(
        "Mismatch between number of output tensors (\(outputs.count)) and output tensors metadata (\(described.count))."
      )
    }
    var heads: [ClassifierHead] = []
    for (index, output) in outputs.enumerated() {
      let metadata = notes.outputs.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      heads.append(
        try ClassifierHead(index, output, metadata, notes: notes, options: options))
    }
    let quantized = outputs.filter { $0.type?.elementType != .float32 }
    guard quantized.isEmpty || quantized.count == outputs.count else {
      throw .incompatibleModel(
        "Got \(quantized.count) quantized output(s), expected \(outputs.count).")
    }
    return heads
  }

  private init(
    _ index: Int, _ output: Interpreter.TensorInfo, _ metadata: TensorMetadata?,
    notes: ModelNotes, options: ClassificationOptions
  ) throws(TaskError) {
    self.index = index
    name = metadata?.name ?? output.name
    classCount = try Self.classCount(output, index)
    if let given = options.labels {
      labels = given
    } else if let metadata {
      labels = try notes.labels(metadata, .tensorAxisLabels, locale: options.locale)
    } else {
      let names = notes.ultralytics?.classNames
      labels = names?.count == classCount ? names.map { LabelMap(classNames: $0) } : nil
    }
    if let labels, labels.count != classCount {
      guard options.labels == nil else {
        throw .labels(
          "\(labels.count) labels for output \(index) of the model, which has \(classCount) classes"
        )
      }
      throw .incompatibleModel(
        "Got \(classCount) class(es) for output index \(index), expected \(labels.count) according to the label map."
      )
    }
    calibration = try metadata.flatMap { metadata throws(TaskError) in
      try notes.calibration(metadata)
    }
    threshold = options.scoreThreshold ?? metadata?.scoreThreshold
  }

  private static func classCount(
    _ output: Interpreter.TensorInfo, _ index: Int
  ) throws(TaskError) -> Int {
    let sides = output.type?.shape.dimensions ?? []
    guard let type = output.type, sides.count == 2 || sides.count == 4 else {
      throw .incompatibleModel(
        "Unexpected number of dimensions for output index \(index): got \(sides.count)D, expected either 2D (BxN with B=1) or 4D (BxHxWxN with B=1, W=1, H=1)."
      )
    }
    guard sides.count == 2 || sides[1] == 1 && sides[2] == 1 else {
      throw .incompatibleModel(
        "Unexpected WxH sizes for output index \(index): got \(sides[2])x\(sides[1]), expected 1x1."
      )
    }
    guard sides[0] == 1 else {
      throw .incompatibleModel(
        "The output array is expected to have a batch size of 1. Got \(sides[0]) for output index \(index)."
      )
    }
    switch type.elementType {
    case .uint8, .float32, .int8, .int16: return sides[sides.count - 1]
    case let other:
      throw .incompatibleModel(
        "Type mismatch for output tensor \(output.name). Requested one of these types: kTfLiteUint8/kTfLiteFloat32, got \(other.schemaName)."
      )
    }
  }

  /// The results of the latest run.
  package func result(
    _ interpreter: Interpreter, _ options: ClassificationOptions
  ) throws(TaskError) -> ClassificationHead {
    let scores = try interpreter.values(ofOutput: index)
    return options.ranked(
      scores.enumerated().map { position, raw in
        Classification(
          index: position, score: calibration?.calibrated(raw, index: position) ?? raw,
          className: labels?.className(position) ?? "",
          displayName: labels?.displayName(position))
      }, threshold: threshold, output: index, name: name)
  }
}

extension ClassificationOptions {
  /// The wanted ones of an output's classes, best first.
  ///
  /// - Parameters:
  ///   - classes: the classes with their scores, in the model's order.
  ///   - threshold: the score that results must reach; nil for none.
  ///   - output: the position of the output.
  ///   - name: the name of the output.
  /// - Returns: what the classifier says on the output.
  package func ranked(
    _ classes: [Classification], threshold: Float?, output: Int, name: String
  ) -> ClassificationHead {
    let wanted = classes.filter { entry in
      !entry.score.isNaN && (allowedLabels.isEmpty || allowedLabels.contains(entry.className))
        && !deniedLabels.contains(entry.className)
    }
    var results = threshold.map { least in wanted.filter { $0.score >= least } } ?? wanted
    results.sort { ($1.score, $0.index) < ($0.score, $1.index) }
    if let most = maxResults, most > 0 { results = Array(results.prefix(most)) }
    return ClassificationHead(
      index: output, name: name, classifications: results, threshold: threshold,
      best: wanted.min { ($1.score, $0.index) < ($0.score, $1.index) })
  }
}

extension [ClassifierHead] {
  /// What the interpreter's latest run says, one head for each of the model's outputs.
  package func results(
    of interpreter: Interpreter, _ options: ClassificationOptions
  ) throws(TaskError) -> [ClassificationHead] {
    var results: [ClassificationHead] = []
    for head in self { results.append(try head.result(interpreter, options)) }
    return results
  }
}
