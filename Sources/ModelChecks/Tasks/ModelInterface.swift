// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import Martlet
internal import ModelFormat
internal import ModelTasks
internal import Tensors

/// The inputs and outputs of a model's main graph, and what its metadata says about each.
struct ModelInterface {
  /// An input or output.
  struct Tensor {
    let name: String
    let elementType: ElementType
    /// The sides, -1 for open ones.
    let shape: [Int]
    let metadata: TensorMetadata?

    /// Whether the tensor has a value for each pixel of an image.
    var isImage: Bool {
      let sides = shape.count == 4 ? Array(shape.dropFirst()) : shape
      return (shape.count == 3 || shape.count == 4) && sides.count(where: { $0 > 1 || $0 < 0 }) > 1
        && (shape.count == 4 || shape[0] == 1 || shape[2] <= 4)
    }

    /// The product of the sides; nil where one is open, or there is no room for it.
    var elementCount: Int? {
      var count = 1
      for side in shape {
        guard side >= 0 else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: side)
        if overflow { return nil }
        count = product
      }
      return count
    }
  }

  let model: Model
  let inputs: [Tensor]
  let outputs: [Tensor]
  let subgraphMetadata: SubgraphMetadata?
  /// The metadata with its files; nil where it cannot be read.
  let notes: ModelNotes?
  /// The operators that give outputs, by their schema names.
  let lastOperators: Set<String>
  /// The model without its metadata.
  let bare: BareModelCopy

  init(_ model: Model) {
    self.model = model
    bare = BareModelCopy(model)
    notes = try? ModelNotes(model)
    subgraphMetadata = notes?.metadata?.subgraphs.first
    let described = subgraphMetadata
    guard let graph = model.file.subgraphs.first else {
      (inputs, outputs, lastOperators) = ([], [], [])
      return
    }
    func all(_ indices: [Int], _ metadata: [TensorMetadata]) -> [Tensor] {
      indices.enumerated().filter { graph.tensors.indices.contains($0.element) }.map {
        let tensor = graph.tensors[$0.element]
        return Tensor(
          name: tensor.name, elementType: tensor.type.elementType,
          shape: tensor.shapeSignature ?? tensor.type.shape.dimensions,
          metadata: metadata.indices.contains($0.offset) ? metadata[$0.offset] : nil)
      }
    }
    inputs = all(graph.inputs, described?.inputs ?? [])
    outputs = all(graph.outputs, described?.outputs ?? [])
    let given = Set(graph.outputs)
    lastOperators = Set(
      graph.nodes.filter { !given.isDisjoint(with: $0.outputs) }.map(\.identity.name))
  }

  /// Whether outputs have files of this kind.
  func hasFile(_ kinds: AssociatedFile.Kind...) -> Bool {
    outputs.contains { output in
      output.metadata?.associatedFiles.contains { kinds.contains($0.kind) } ?? false
    }
  }

  /// Whether the last operator makes probabilities.
  var endsInScores: Bool { !lastOperators.isDisjoint(with: ["SOFTMAX", "LOGISTIC"]) }

  /// Whether the last operator finishes detections.
  var endsInDetections: Bool {
    model.file.subgraphs.first?.nodes.contains {
      $0.identity.customName == "TFLite_Detection_PostProcess"
    } ?? false
  }

  /// Whether an output is called an embedding, in the metadata or the graph.
  var namesVectors: Bool {
    outputs.contains { output in
      [output.metadata?.name, output.name].compactMap { $0?.lowercased() }.contains { name in
        ["embedding", "encoding", "feature_vector"].contains { name.contains(text: $0) }
      }
    }
  }

  /// All process units that can prepare the first input.
  var inputUnits: [ProcessUnit] {
    (subgraphMetadata?.inputs.flatMap(\.processUnits) ?? [])
      + (subgraphMetadata?.inputProcessUnits ?? [])
  }
}
