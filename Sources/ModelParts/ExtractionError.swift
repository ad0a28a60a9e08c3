// SPDX-License-Identifier: Apache-2.0

public import FlatBuffers
import ModelFormat

/// Why a part of a model cannot be made a model of its own.
public enum ExtractionError: Error, Hashable, Sendable {
  /// The model has no subgraph of this index, but `count` of them.
  case noSuchSubgraph(Int, count: Int)
  /// The subgraph has no node of this index, but `count` of them.
  case noSuchNode(Int, subgraph: Int, count: Int)
  /// The subgraph has no tensor of this name or index, but `count` of them.
  case noSuchTensor(String, subgraph: Int, count: Int)
  /// No node is chosen.
  case noNodes
  /// Together, the parts would have more nodes than this, since the same ones come along with many.
  case tooManyNodes(limit: Int)
  /// The chosen outputs need a tensor that no chosen input and no constant provides.
  case missingInput(Int, name: String)
  /// The tensor cannot become an input, since the model itself gives it its values.
  case fixedInput(Int, name: String)
  /// The tensor cannot become an output, since no node computes it.
  case constantOutput(Int, name: String)
  /// The file holds something that cannot be copied, or more than offsets can reach.
  case file(FlatBufferError)
}

extension ExtractionError: CustomStringConvertible {
  /// What is wrong, on one line.
  public var description: String {
    switch self {
    case .noSuchSubgraph(let index, let count):
      "no subgraph \(index): the model has \(count)"
    case .noSuchNode(let index, let subgraph, let count):
      "no node \(index): subgraph \(subgraph) has \(count)"
    case .noSuchTensor(let name, let subgraph, let count):
      "no tensor '\(name.printable)': subgraph \(subgraph) has \(count)"
    case .noNodes: "no node is chosen"
    case .tooManyNodes(let limit): "the parts have more than \(limit) nodes together"
    case .missingInput(let index, let name):
      "tensor \(index) '\(name.printable)' is needed, and no given input or constant provides it"
    case .fixedInput(let index, let name):
      "tensor \(index) '\(name.printable)' has values of the model's own and cannot be an input"
    case .constantOutput(let index, let name):
      "tensor \(index) '\(name.printable)' cannot be an output, since no node computes it"
    case .file(let error): "\(error)"
    }
  }
}
