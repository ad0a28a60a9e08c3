// SPDX-License-Identifier: Apache-2.0

import Formatting
package import Martlet
import ModelFormat

extension PostProcessOrder {
  /// The roles that a model tells before it runs; nil where it does not.
  static func told(
    by model: Model, _ interpreter: Interpreter, _ metadata: [TensorMetadata]?
  ) -> PostProcessOrder? {
    let outputs = interpreter.outputs
    return told(
      by: model, outputs.map(\.index), metadata,
      names: [outputs.map { $0.argument ?? $0.name }, outputs.map(\.name)])
  }

  /// Whether a model tells the roles of its four outputs before it runs.
  package static func isTold(by model: Model) -> Bool {
    guard let graph = model.file.subgraphs.first, let notes = try? ModelNotes(forVision: model)
    else { return false }
    let arguments = graph.outputs.map { tensor in
      model.file.signatures.first { $0.subgraph == 0 }?.outputs.first { $0.tensor == tensor }?.name
        ?? graph.tensors[tensor].name
    }
    return told(
      by: model, graph.outputs, notes.outputs,
      names: [arguments, graph.outputs.map { graph.tensors[$0].name }]) != nil
  }

  /// The roles of four outputs that are these tensors, by the first of `names` that tell.
  static func told(
    by model: Model, _ tensors: [Int], _ metadata: [TensorMetadata]?, names: [[String]]
  ) -> PostProcessOrder? {
    guard tensors.count == 4 else { return nil }
    return computed(by: model, tensors) ?? described(metadata ?? [])
      ?? names.lazy.compactMap(named).first
  }

  /// By the operator that writes boxes, classes, scores and count in this order.
  private static func computed(by model: Model, _ tensors: [Int]) -> PostProcessOrder? {
    for node in model.file.subgraphs.first?.nodes ?? []
    where node.identity.customName == "TFLite_Detection_PostProcess" {
      let positions = node.outputs.compactMap { tensors.firstIndex(of: $0) }
      if let order = PostProcessOrder(positions: positions) { return order }
    }
    return nil
  }

  /// By what the metadata says about each output.
  static func described(_ outputs: [TensorMetadata]) -> PostProcessOrder? {
    if let order = named(outputs.map { $0.name ?? "" }) { return order }
    var positions: [Int] = []
    positions += outputs.indices.filter {
      if case .boundingBox = outputs[$0].content?.properties { return true }
      return false
    }
    positions += outputs.indices.filter { index in
      outputs[index].associatedFiles.contains { $0.kind == .tensorValueLabels }
    }
    let rest = outputs.indices.filter { !positions.contains($0) }
    positions += rest.filter { outputs[$0].name?.lowercased().contains(text: "score") ?? false }
    positions += rest.filter { !positions.contains($0) }
    return PostProcessOrder(positions: positions)
  }

  /// By names such as `location`, `detection_boxes` and `StatefulPartitionedCall:3`.
  package static func named(_ names: [String]) -> PostProcessOrder? {
    let roles: [(words: [String], endings: [String])] = [
      (["location", "box"], ["StatefulPartitionedCall:3", "output_3"]),
      (["categor", "class"], ["StatefulPartitionedCall:2", "output_2"]),
      (["score"], ["StatefulPartitionedCall:1", "output_1"]),
      (["num", "count"], ["StatefulPartitionedCall:0", "output_0"]),
    ]
    let lowercased = names.map { $0.lowercased() }
    let byEnding = roles.compactMap { role in names.firstIndex { role.endings.contains($0) } }
    let byWord = roles.compactMap { role in
      lowercased.firstIndex { name in role.words.contains { name.contains(text: $0) } }
    }
    return PostProcessOrder(positions: byEnding) ?? PostProcessOrder(positions: byWord)
  }
}
