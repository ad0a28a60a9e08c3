// SPDX-License-Identifier: Apache-2.0

import Imaging
import Martlet
import ModelFormat
import ModelTasks
import Tensors

/// Puts the description of an image model into metadata.
struct ImageMetadataWriter {
  let description: ImageModelDescription
  let model: Model
  private(set) var draft: MetadataDraft

  /// Starts with `metadata`, completed by an entry for each input and output.
  init(
    _ description: ImageModelDescription, _ metadata: ModelMetadata?, _ model: Model
  ) throws(VisionError) {
    self.description = description
    self.model = model
    draft = try VisionError.converting { () throws(TaskError) in
      try MetadataDraft(metadata, of: model)
    }
  }

  private var graph: ModelFile.Subgraph { draft.graph }

  // MARK: - Input

  /// Says that the input is an image, and how it is normalized.
  mutating func describeInput() throws(VisionError) {
    guard let position = try imageInput() else { return }
    let tensor = graph.inputs[position]
    let channels = draft.dimensions(tensor)[3]
    var entry = draft.metadata.subgraphs[0].inputs[position]
    entry.name = description.inputName ?? (draft.isNew ? "image" : entry.name)
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
    draft.metadata.subgraphs[0].inputs[position] = entry
  }

  /// The position of the input that takes an image; nil where there is none and none is wanted.
  private func imageInput() throws(VisionError) -> Int? {
    func isImage(_ tensor: Int) -> Bool {
      let sides = draft.dimensions(tensor)
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
    guard type == .float32, let options = entry.normalizations.first else { return nil }
    let ends = zip(options.mean, options.standardDeviation).map {
      Normalization.ends(mean: $0, deviation: $1)
    }
    return Stats(maximum: ends.map(\.white), minimum: ends.map(\.black))
  }

  // MARK: - Outputs

  /// Says what the outputs are, and which labels, thresholds and calibrations they have.
  mutating func describeOutputs() throws(TaskError) {
    let results = description.results
    switch description.product {
    case .automatic: break
    case .masks: return try describeMasks(results)
    case .image: return try describeImage(results)
    case .vectors: return try draft.describeVectors(results, usualName: "embedding")
    case .others: return
    }
    let names = [graph.outputs.map { graph.tensors[$0].name }]
    let told = PostProcessOrder.told(
      by: model, graph.outputs, draft.isNew ? nil : draft.metadata.subgraphs[0].outputs,
      names: names)
    guard let order = description.order ?? told else {
      return try draft.describeClasses(results, usualName: "probability")
    }
    guard order.positions.allSatisfy(graph.outputs.indices.contains) else {
      throw .invalidOption("an order of four outputs for a model of \(graph.outputs.count)")
    }
    draft.metadata.subgraphs[0].describeDetections(order)
    let classes = try draft.checked(description.output ?? order.classes)
    if classes == order.classes {
      try draft.label(classes, results.labels, .tensorValueLabels, classes: nil)
    } else {
      try draft.label(
        classes, results.labels, .tensorAxisLabels, classes: draft.classCount(classes))
    }
    try draft.finishScores(of: order.scores, results)
    if let name = description.outputName {
      draft.metadata.subgraphs[0].outputs[classes].name = name
    }
  }

  /// The output that has a value for each pixel.
  private func pixelOutput() throws(TaskError) -> Int {
    if let output = description.output { return try draft.checked(output) }
    let images = graph.outputs.indices.filter { draft.dimensions(graph.outputs[$0]).count >= 3 }
    guard images.count == 1 else {
      throw .incompatibleModel("\(images.count) outputs have values for pixels, wanted one")
    }
    return images[0]
  }

  /// Says that an output has categories, and how confidences are made.
  private mutating func describeMasks(_ results: ResultDescription) throws(TaskError) {
    let output = try pixelOutput()
    let type = graph.tensors[graph.outputs[output]].type
    let sides = draft.dimensions(graph.outputs[output])
    var entry = draft.metadata.subgraphs[0].outputs[output]
    entry.name = results.name ?? (draft.isNew ? "segmentation_masks" : entry.name)
    // As the task library's writer has it: masks are an image of gray levels.
    let size = sides.count == 4 && sides[1] > 0 && sides[2] > 0
    entry.content.fillIn(
      Content(
        properties: .image(
          ImageProperties(
            colorSpace: .grayscale,
            defaultSize: size ? ImageSize(width: sides[2], height: sides[1]) : nil)),
        range: ValueRange(minimum: 1, maximum: 2)))
    draft.metadata.subgraphs[0].outputs[output] = entry
    // Whole numbers are the categories themselves, however many there are.
    let isCategory = type.quantization == nil && ![.float32, .float16].contains(type.elementType)
    let depth = sides.last ?? 1
    try draft.label(
      output, results.labels, .tensorAxisLabels,
      classes: isCategory || depth == 1 || sides.count < 4 ? nil : depth)
    guard results.scoreThreshold == nil, results.calibration == nil else {
      throw .invalidOption("masks have no threshold or calibration in metadata")
    }
    if let activation = description.activation {
      draft.metadata.subgraphs[0].customMetadata.removeAll {
        $0.name == SegmentationActivation.metadataName
      }
      draft.metadata.subgraphs[0].customMetadata.append(activation.metadata)
    }
  }

  /// Says that the output is an image, and which numbers it has.
  private mutating func describeImage(_ results: ResultDescription) throws(TaskError) {
    guard results.labels.isEmpty, results.scoreThreshold == nil, results.calibration == nil else {
      throw .invalidOption("an image that a model makes has neither labels nor scores")
    }
    let output = try pixelOutput()
    let channels = draft.dimensions(graph.outputs[output]).last ?? 0
    var entry = draft.metadata.subgraphs[0].outputs[output]
    entry.name = results.name ?? (draft.isNew ? "image" : entry.name)
    entry.content.fillIn(
      Content(
        properties: .image(ImageProperties(colorSpace: channels == 3 ? .rgb : .grayscale))))
    if let range = description.outputRange {
      entry.stats = Stats(maximum: [range.ends.upper], minimum: [range.ends.lower])
    }
    draft.metadata.subgraphs[0].outputs[output] = entry
  }
}
