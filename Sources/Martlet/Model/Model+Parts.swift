// SPDX-License-Identifier: Apache-2.0

public import ModelParts

/// Parts of a model as models of their own.
///
/// ```swift
/// let model = try Model(path: "digits_int8.tflite")
/// let stem = try model.part(nodes: [0, 1, 2])
/// let bytes = try model.bytes(of: stem, named: "digits_int8.tflite")
/// let small = try Model(bytes: bytes)
/// ```
extension Model {
  /// The part that consists of these nodes of a subgraph, and of those that make what they read and
  /// no caller gives: handles of variables and tables, and values that follow from constants.
  ///
  /// - Throws: `ExtractionError` where there are no such nodes, or none is given.
  public func part(
    nodes: [Int], ofSubgraph subgraph: Int = 0
  ) throws(ExtractionError) -> ModelPart {
    try file.part(nodes: nodes, ofSubgraph: subgraph)
  }

  /// The part that computes the tensors `outputs` from the tensors `inputs`.
  ///
  /// - Parameters:
  ///   - inputs: indices of tensors; nil for the inputs of the subgraph.
  ///   - outputs: indices of tensors; nil for the outputs of the subgraph.
  ///   - subgraph: the index of the subgraph.
  /// - Returns: the part, with just these inputs and outputs in this order.
  /// - Throws: `ExtractionError` where an output needs a tensor that neither an input nor the model
  ///   itself provides, and for tensors that cannot be inputs or outputs.
  public func part(
    from inputs: [Int]? = nil, to outputs: [Int]? = nil, ofSubgraph subgraph: Int = 0
  ) throws(ExtractionError) -> ModelPart {
    try file.part(from: inputs, to: outputs, ofSubgraph: subgraph)
  }

  /// Every node of a subgraph as a part of its own.
  ///
  /// - Parameters:
  ///   - subgraph: the index of the subgraph.
  ///   - distinct: whether of nodes with the same operator, options, types and shapes only the
  ///     first is wanted.
  /// - Returns: the parts, in the order of the nodes.
  /// - Throws: `ExtractionError.noSuchSubgraph`, and `.tooManyNodes` where the same nodes would
  ///   come along with too many.
  public func singleNodes(
    ofSubgraph subgraph: Int = 0, distinct: Bool = false
  ) throws(ExtractionError) -> [ModelPart] {
    try file.singleNodes(ofSubgraph: subgraph, distinct: distinct)
  }

  /// The contents of a model file that holds a part of this model and nothing else.
  ///
  /// The values of constants are copied, and the subgraphs that the nodes call. Variables stay
  /// variables and begin with zeros. Signatures stay if the part is the whole subgraph that they
  /// name; metadata and associated files stay behind.
  ///
  /// - Parameters:
  ///   - part: the part, of this model.
  ///   - name: what the new model's description calls this one.
  /// - Returns: the bytes.
  /// - Throws: `ExtractionError` for a part of another model, for values in files beside the model,
  ///   for tables with fields that are not known here, and beyond 2 GiB.
  public func bytes(
    of part: ModelPart, named name: String = "a model"
  ) throws(ExtractionError) -> [UInt8] {
    let storage = storage
    return try file.bytes(
      of: part, in: storage.bytes, description: "\(part.title), cut from \(name)")
  }
}
