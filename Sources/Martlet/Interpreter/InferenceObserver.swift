// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// Who wants to know what happens in an inference.
///
/// Observers see; they cannot change results.
public protocol InferenceObserver: AnyObject {
  /// Whether it wants to see the outputs of every node; true unless it says otherwise.
  ///
  /// Optimized kernels compute some nodes together, and what lies between them never exists. With
  /// an observer of everything, each node is computed by itself, with the same results.
  var seesEveryNode: Bool { get }

  /// A subgraph is about to run: the one whose inputs the caller set, or one that a node calls.
  func willRun(_ record: SubgraphRecord)

  /// A node has been computed.
  func didEvaluate(_ record: NodeRecord)
}

extension InferenceObserver {
  /// True: every node is computed by itself.
  public var seesEveryNode: Bool { true }

  /// Nothing is done.
  public func willRun(_ record: SubgraphRecord) {}
}

/// What an observer learns about a subgraph that is about to run.
public struct SubgraphRecord {
  /// The index of the subgraph.
  public let subgraph: Int
  /// The inputs that were given to it: tensor index, type and values; without those that the model
  /// itself holds.
  public let inputs: [(tensor: Int, type: TensorType, bytes: TensorBytes)]
}

/// What an observer learns about a node, or about several that were computed together.
public struct NodeRecord {
  /// The index of the subgraph.
  public let subgraph: Int
  /// The index of the node in its subgraph; of several, the last.
  public let node: Int
  /// The indices of all nodes that were computed together, in order.
  public let members: [Int]
  /// The operator's schema name, or a custom operator's own name; of several, joined by ` + `.
  public let operatorName: String
  /// The type of the kernel that computed it, or the types of several that worked together; nil
  /// where none was needed.
  public let kernelName: String?
  /// When it began.
  public let start: ContinuousClock.Instant
  /// How long it took, with the subgraphs that it ran.
  public let duration: Duration
  /// The outputs: tensor index, type and values.
  public let outputs: [(tensor: Int, type: TensorType, bytes: TensorBytes)]
}
