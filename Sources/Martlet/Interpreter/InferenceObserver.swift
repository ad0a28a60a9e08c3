// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// Who wants to know what happens in an inference.
///
/// Observers see; they cannot change results.
public protocol InferenceObserver: AnyObject {
  /// A node has been computed.
  func didEvaluate(_ record: NodeRecord)
}

/// What an observer learns about a node.
public struct NodeRecord {
  /// The index of the subgraph.
  public let subgraph: Int
  /// The index of the node in its subgraph.
  public let node: Int
  /// The operator's schema name, or a custom operator's own name.
  public let operatorName: String
  /// The type of the kernel that computed it; nil where none was needed.
  public let kernelName: String?
  /// How long it took.
  public let duration: Duration
  /// The outputs: tensor index, type and values.
  public let outputs: [(tensor: Int, type: TensorType, bytes: TensorBytes)]
}
