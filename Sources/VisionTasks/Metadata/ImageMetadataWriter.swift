// SPDX-License-Identifier: Apache-2.0

import Imaging
import Martlet
import ModelFormat
import Tensors

/// Puts the description of an image model into metadata.
struct ImageMetadataWriter {
  let description: ImageModelDescription
  let model: Model
  let graph: ModelFile.Subgraph
  private(set) var metadata: ModelMetadata
  /// Whether the metadata names nothing yet, so that the usual names are given.
  let isNew: Bool

  /// Starts with `metadata`, completed by an entry for each input and output.
  init(
    _ description: ImageModelDescription, _ metadata: ModelMetadata?, _ model: Model
  ) throws(VisionError) {
    guard let graph = model.file.subgraphs.first else {
      throw .incompatibleModel("the model has no subgraph")
    }
    self.description = description
    self.model = model
    self.graph = graph
    isNew = metadata?.subgraphs.first == nil
    var metadata = metadata ?? ModelMetadata()
    if metadata.subgraphs.isEmpty { metadata.subgraphs = [SubgraphMetadata()] }
    metadata.subgraphs[0].inputs = try Self.complete(
      metadata.subgraphs[0].inputs, graph.inputs, of: graph, "inputs")
    metadata.subgraphs[0].outputs = try Self.complete(
      metadata.subgraphs[0].outputs, graph.outputs, of: graph, "outputs")
    self.metadata = metadata
  }

  private static func complete(
    _ described: [TensorMetadata], _ tensors: [Int], of graph: ModelFile.Subgraph, _ role: String
  ) throws(VisionError) -> [TensorMetadata] {
    if described.isEmpty { return tensors.map { TensorMetadata(name: graph.tensors[$0].name) } }
    guard described.count == tensors.count else {
      throw .incompatibleModel(
        "the metadata describes \(described.count) \(role), the model has \(tensors.count)")
    }
    return described
  }

  /// The dimensions of a tensor, -1 for unknown ones.
  private func dimensions(_ tensor: Int) -> [Int] {
    graph.tensors[tensor].shapeSignature ?? graph.tensors[tensor].type.shape.dimensions
  }

  // MARK: - Input

  /// Says that the input is an image, and how it is normalized.
  mutating func describeInput() throws(VisionError) {
    guard let position = try imageInput() else { return }
    let tensor = graph.inputs[position]
    let channels = dimensions(tensor)[3]
    var entry = metadata.subgraphs[0].inputs[position]
    entry.name = description.inputName ?? (isNew ? "image" : entry.name)
    entry.content = try content(entry.content, channels: channels)
    if let given = description.normalization {
      let options = try normalization(given, channels: channels)
      entry.processUnits.removeAll { unit in
        if case .normalization = unit { true } else { false }
      }
      entry.processUnits.insert(.normalization(options), at: 0)
    }
    if entry.stats == nil || description.normalization != nil {
      entry.stats = stats(graph.tensors[tensor].type.elementType, entry) ?? entry.stats
    }
    metadata.subgraphs[0].inputs[position] = entry
  }

  /// The position of the input that takes an image; nil where there is none and none is wanted.
  private func imageInput() throws(VisionError) -> Int? {
    func isImage(_ tensor: Int) -> Bool {
      let sides = dimensions(tensor)
      return sides.count == 4 && [1, 3].contains(sides[3])
    }
    if let input = description.input {
      guard graph.inputs.indices.contains(input) else {
        throw .invalidOption("input \(input) of a model with \(graph.inputs.count)")
      }
      guard isImage(graph.inputs[input]) else {
        throw .incompatibleModel("input \(input) takes no image [1, height, width, 1 or 3]")
      }
      return input
    }
    let images = graph.inputs.indices.filter { isImage(graph.inputs[$0]) }
    if images.count == 1 { return images[0] }
    guard description.describesInput else { return nil }
    throw .incompatibleModel(
      images.isEmpty
        ? "no input takes an image [1, height, width, 1 or 3]"
        : "\(images.count) inputs take images, and it is not said which is meant")
  }

  private func content(_ old: Content?, channels: Int) throws(VisionError) -> Content {
    let expected: ImageProperties.ColorSpace = channels == 3 ? .rgb : .grayscale
    if let given = description.colorSpace, given != expected {
      throw .incompatibleModel("an input of \(channels) channels is no \(given) image")
    }
    if case .image(var image) = old?.properties {
      if description.colorSpace != nil || image.colorSpace == .unknown {
        image.colorSpace = expected
      }
      return Content(properties: .image(image), range: old?.range)
    }
    return Content(properties: .image(ImageProperties(colorSpace: expected)))
  }

  private func normalization(
    _ given: NormalizationOptions, channels: Int
  ) throws(VisionError) -> NormalizationOptions {
    var (means, deviations) = (given.mean, given.standardDeviation)
    // Parsers want as many of one as of the other.
    if means.count == 1 { means = Array(repeating: means[0], count: deviations.count) }
    if deviations.count == 1 { deviations = Array(repeating: deviations[0], count: means.count) }
    do throws(ImagingError) {
      _ = try Normalization(mean: means, standardDeviation: deviations)
    } catch {
      throw .invalidOption("mean and standard deviation: \(error)")
    }
    guard means.count == 1 || means.count == channels else {
      throw .invalidOption("\(means.count) means for an input of \(channels) channels")
    }
    return NormalizationOptions(mean: means, standardDeviation: deviations)
  }

  /// The range of the input's values, where its type is one of those that parsers know.
  private func stats(_ type: ElementType, _ entry: TensorMetadata) -> Stats? {
    if type == .uint8 { return Stats(maximum: [255], minimum: [0]) }
    for case .normalization(let options) in entry.processUnits where type == .float32 {
      let pairs = zip(options.mean, options.standardDeviation)
      return Stats(
        maximum: pairs.map { (255 - $0) / $1 }, minimum: pairs.map { (0 - $0) / $1 })
    }
    return nil
  }

  // MARK: - Outputs

  /// Says what the outputs are, and which labels, thresholds and calibrations they have.
  mutating func describeOutputs() throws(VisionError) {
    let names = [graph.outputs.map { graph.tensors[$0].name }]
    let told = PostProcessOrder.told(
      by: model, graph.outputs, isNew ? nil : metadata.subgraphs[0].outputs, names: names)
    if let order = description.order ?? told {
      guard order.positions.allSatisfy(graph.outputs.indices.contains) else {
        throw .invalidOption("an order of four outputs for a model of \(graph.outputs.count)")
      }
      metadata.subgraphs[0].describeDetections(order)
      let classes = description.output ?? order.classes
      try label(
        try checked(classes), classes == order.classes ? .tensorValueLabels : .tensorAxisLabels)
      try finishScores(of: order.scores)
      if let name = description.outputName { metadata.subgraphs[0].outputs[classes].name = name }
      return
    }
    guard description.describesOutput || isNew else { return }
    guard let output = try classOutput() else { return }
    var entry = metadata.subgraphs[0].outputs[output]
    entry.name = description.outputName ?? (isNew ? "probability" : entry.name)
    entry.content.fillIn(Content(properties: .feature))
    metadata.subgraphs[0].outputs[output] = entry
    try label(output, .tensorAxisLabels)
    try finishScores(of: output)
  }

  private func checked(_ output: Int) throws(VisionError) -> Int {
    guard graph.outputs.indices.contains(output) else {
      throw .invalidOption("output \(output) of a model with \(graph.outputs.count)")
    }
    return output
  }

  /// The classes of an output `[1, n]` or `[1, 1, 1, n]`; nil for others.
  private func classCount(_ output: Int) -> Int? {
    let sides = dimensions(graph.outputs[output])
    guard sides.count == 2 || sides.count == 4 && sides[1] == 1 && sides[2] == 1 else {
      return nil
    }
    return sides.last
  }

  /// The output with the classes; nil where none is wanted.
  private func classOutput() throws(VisionError) -> Int? {
    if let output = description.output { return try checked(output) }
    let candidates = graph.outputs.indices.filter { classCount($0) != nil }
    let count = description.labels.first.map { LabelMap.lines(of: $0.file.contents).count }
    let fitting = candidates.filter { count == nil || classCount($0) == count }
    if fitting.count == 1 { return fitting[0] }
    if candidates.count == 1 { return candidates[0] }
    guard description.describesOutput else { return nil }
    throw .incompatibleModel(
      candidates.isEmpty
        ? "no output has classes [1, n] or [1, 1, 1, n]"
        : "\(candidates.count) outputs have classes, and it is not said which is meant")
  }

  /// Replaces the labels of the output.
  private mutating func label(
    _ output: Int, _ kind: AssociatedFile.Kind
  ) throws(VisionError) {
    guard !description.labels.isEmpty else { return }
    for label in description.labels {
      let count = LabelMap.lines(of: label.file.contents).count
      guard count > 0 else { throw .labels("'\(label.file.name.printable)' is empty") }
      if kind == .tensorAxisLabels, let classes = classCount(output), classes >= 0,
        classes != count
      {
        throw .labels(
          "'\(label.file.name.printable)' has \(count) labels, output \(output) \(classes) classes")
      }
    }
    var entry = metadata.subgraphs[0].outputs[output]
    entry.associatedFiles.removeAll { $0.kind == kind }
    entry.associatedFiles += description.labels.map { label in
      AssociatedFile(
        name: label.file.name, description: "Labels of the classes that the model tells apart.",
        kind: kind, locale: label.locale)
    }
    metadata.subgraphs[0].outputs[output] = entry
  }

  /// Replaces threshold and calibration of the output.
  private mutating func finishScores(of output: Int) throws(VisionError) {
    var entry = metadata.subgraphs[0].outputs[output]
    if let calibration = description.calibration {
      // What is not well-formed is refused here, not on somebody's phone.
      _ = try VisionError.converting { () throws(TaskError) in
        try ScoreCalibration(file: calibration.file.contents, options: calibration.options)
      }
      entry.processUnits.removeAll { unit in
        if case .scoreCalibration = unit { true } else { false }
      }
      entry.processUnits.append(.scoreCalibration(calibration.options))
      entry.associatedFiles.removeAll { $0.kind == .tensorAxisScoreCalibration }
      entry.associatedFiles.append(
        AssociatedFile(name: calibration.file.name, kind: .tensorAxisScoreCalibration))
    }
    if let threshold = description.scoreThreshold {
      entry.processUnits.removeAll { unit in
        if case .scoreThresholding = unit { true } else { false }
      }
      entry.processUnits.append(
        .scoreThresholding(ScoreThresholdingOptions(globalScoreThreshold: threshold)))
    }
    metadata.subgraphs[0].outputs[output] = entry
  }
}
