// SPDX-License-Identifier: Apache-2.0

import Formatting
package import Martlet
package import ModelFormat

/// Metadata of a model while a description is put into it: what descriptions of all tasks share.
package struct MetadataDraft {
  /// The main graph.
  package let graph: ModelFile.Subgraph
  /// The metadata so far, with an entry for each input and output.
  package var metadata: ModelMetadata
  /// Whether the metadata names nothing yet, so that the usual names are given.
  package let isNew: Bool
  private let before: Set<String>

  /// Starts with `metadata`, completed by an entry for each input and output.
  ///
  /// - Throws: `TaskError.incompatibleModel` where it describes other numbers of them.
  package init(_ metadata: ModelMetadata?, of model: Model) throws(TaskError) {
    guard let graph = model.file.subgraphs.first else {
      throw .incompatibleModel("the model has no subgraph")
    }
    self.graph = graph
    before = Set(metadata?.allAssociatedFiles.compactMap(\.name) ?? [])
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
  ) throws(TaskError) -> [TensorMetadata] {
    if described.isEmpty { return tensors.map { TensorMetadata(name: graph.tensors[$0].name) } }
    guard described.count == tensors.count else {
      throw .incompatibleModel(
        "the metadata describes \(described.count) \(role), the model has \(tensors.count)")
    }
    return described
  }

  /// The dimensions of a tensor, -1 for unknown ones.
  package func dimensions(_ tensor: Int) -> [Int] {
    graph.tensors[tensor].shapeSignature ?? graph.tensors[tensor].type.shape.dimensions
  }

  /// Whether a word is in the graph's name of a tensor, in small letters or large.
  package func isCalled(_ tensor: Int, _ word: String) -> Bool {
    graph.tensors[tensor].name.lowercased().contains(text: word)
  }

  /// An output's position.
  ///
  /// - Throws: `TaskError.invalidOption` where there is none.
  package func checked(_ output: Int) throws(TaskError) -> Int {
    guard graph.outputs.indices.contains(output) else {
      throw .invalidOption("output \(output) of a model with \(graph.outputs.count)")
    }
    return output
  }

  /// The classes of an output `[1, n]` or `[1, 1, 1, n]`; nil for others.
  package func classCount(_ output: Int) -> Int? {
    let sides = dimensions(graph.outputs[output])
    guard sides.count == 2 || sides.count == 4 && sides[1] == 1 && sides[2] == 1 else {
      return nil
    }
    return sides.last
  }

  /// The output with the classes; nil where none is wanted.
  ///
  /// - Throws: `TaskError` where none or several have classes, and something is said about them.
  package func classOutput(_ results: ResultDescription) throws(TaskError) -> Int? {
    if let output = results.output { return try checked(output) }
    let candidates = graph.outputs.indices.filter { classCount($0) != nil }
    let count = results.labels.first.map { LabelMap.lines(of: $0.file.contents).count }
    let fitting = candidates.filter { count == nil || classCount($0) == count }
    if fitting.count == 1 { return fitting[0] }
    if candidates.count == 1 { return candidates[0] }
    guard !results.isEmpty else { return nil }
    throw .incompatibleModel(
      candidates.isEmpty
        ? "no output has classes [1, n] or [1, 1, 1, n]"
        : "\(candidates.count) outputs have classes, and it is not said which is meant")
  }

  /// Replaces the labels of an output, which must be as many as `classes` says, if it does.
  package mutating func label(
    _ output: Int, _ labels: [LabelFile], _ kind: AssociatedFile.Kind, classes: Int?
  ) throws(TaskError) {
    guard !labels.isEmpty else { return }
    for label in labels {
      let count = LabelMap.lines(of: label.file.contents).count
      guard count > 0 else { throw .labels("'\(label.file.name.printable)' is empty") }
      if let classes, classes >= 0, classes != count {
        throw .labels(
          "'\(label.file.name.printable)' has \(count) labels, output \(output) \(classes) classes")
      }
    }
    var entry = metadata.subgraphs[0].outputs[output]
    entry.associatedFiles.removeAll { $0.kind == kind }
    entry.associatedFiles += labels.map { label in
      AssociatedFile(
        name: label.file.name, description: "Labels of the classes that the model tells apart.",
        kind: kind, locale: label.locale)
    }
    metadata.subgraphs[0].outputs[output] = entry
  }

  /// Replaces threshold and calibration of an output.
  package mutating func finishScores(
    of output: Int, _ results: ResultDescription
  ) throws(TaskError) {
    var entry = metadata.subgraphs[0].outputs[output]
    if let calibration = results.calibration {
      // What is not well-formed is refused here, not on somebody's phone.
      _ = try ScoreCalibration(file: calibration.file.contents, options: calibration.options)
      entry.processUnits.removeAll { unit in
        if case .scoreCalibration = unit { true } else { false }
      }
      entry.processUnits.append(.scoreCalibration(calibration.options))
      entry.associatedFiles.removeAll { $0.kind == .tensorAxisScoreCalibration }
      entry.associatedFiles.append(
        AssociatedFile(name: calibration.file.name, kind: .tensorAxisScoreCalibration))
    }
    if let threshold = results.scoreThreshold {
      entry.processUnits.removeAll { unit in
        if case .scoreThresholding = unit { true } else { false }
      }
      entry.processUnits.append(
        .scoreThresholding(ScoreThresholdingOptions(globalScoreThreshold: threshold)))
    }
    metadata.subgraphs[0].outputs[output] = entry
  }

  /// Says that an output is rows of classes, with labels and what finishes scores.
  ///
  /// - Parameters:
  ///   - results: what is said about them.
  ///   - usualName: the name of an output that has none.
  /// - Throws: `TaskError` where labels, calibration and the model do not fit together.
  package mutating func describeClasses(
    _ results: ResultDescription, usualName: String
  ) throws(TaskError) {
    guard !results.isEmpty || isNew, let output = try classOutput(results) else { return }
    var entry = metadata.subgraphs[0].outputs[output]
    entry.name = results.name ?? (isNew ? usualName : entry.name)
    entry.content.fillIn(Content(properties: .feature))
    metadata.subgraphs[0].outputs[output] = entry
    try label(output, results.labels, .tensorAxisLabels, classes: classCount(output))
    try finishScores(of: output, results)
  }

  /// Says that outputs are vectors.
  ///
  /// - Parameters:
  ///   - results: the name, and the output that has it; without one, the only output has it.
  ///   - usualName: the name of outputs that have none.
  /// - Throws: `TaskError` where labels or scores are described, which vectors lack, or it is not
  ///   said which of several outputs is meant.
  package mutating func describeVectors(
    _ results: ResultDescription, usualName: String
  ) throws(TaskError) {
    guard results.labels.isEmpty, results.calibration == nil, results.scoreThreshold == nil else {
      throw .invalidOption("vectors have neither labels nor scores")
    }
    guard results.name == nil || results.output != nil || graph.outputs.count == 1 else {
      throw .incompatibleModel(
        "\(graph.outputs.count) outputs are vectors, and it is not said which is meant")
    }
    let named = try checked(results.output ?? 0)
    for position in graph.outputs.indices {
      if position == named, let name = results.name {
        metadata.subgraphs[0].outputs[position].name = name
      } else if isNew, graph.outputs.count == 1 {
        metadata.subgraphs[0].outputs[position].name = usualName
      }
      metadata.subgraphs[0].outputs[position].content.fillIn(Content(properties: .feature))
    }
  }

  /// The metadata and files with what was added; files that only replaced parts named are dropped.
  package func finished(
    _ files: [AssociatedFileContents], adding added: [AssociatedFileContents]
  ) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    let dropped = before.subtracting(metadata.allAssociatedFiles.compactMap(\.name))
    let kept = files.filter { file in
      !dropped.contains(file.name) && !added.contains { $0.name == file.name }
    }
    return (metadata, kept + added)
  }
}

extension Content? {
  /// Puts `content` where nothing is said so far, not even of which kind it is.
  package mutating func fillIn(_ content: Content) {
    if self?.properties == nil {
      self = Content(properties: content.properties, range: self?.range ?? content.range)
    }
  }
}
