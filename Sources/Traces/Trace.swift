// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// What happened in a run of a model: every node, and every tensor that was given or computed.
public struct Trace: Sendable {
  /// The evaluations of nodes in the order in which they ended.
  ///
  /// A node that runs subgraphs comes behind their nodes.
  public internal(set) var nodes: [Node] = []
  /// The tensors in the order in which they got their values; inputs before what is computed.
  public internal(set) var tensors: [Tensor] = []
  /// The subgraphs that ran, by index.
  public internal(set) var subgraphs: [Subgraph] = []

  /// An evaluation of a node.
  public struct Node: Sendable {
    /// The index of the subgraph.
    public let subgraph: Int
    /// How often the subgraph had run before.
    public let invocation: Int
    /// The index of the node in its subgraph.
    public let node: Int
    /// The operator's schema name, or a custom operator's own name.
    public let operatorName: String
    /// The type of the kernel that computed it; nil where none was needed.
    public let kernelName: String?
    /// How long it took, with the subgraphs that it ran.
    public let duration: Duration
    /// The tensors that it wrote.
    public let outputs: [Int]
  }

  /// A tensor with a value.
  public struct Tensor: Sendable {
    /// The tensor and its time.
    public let location: TensorLocation
    /// The tensor's own name.
    public let name: String
    /// The node that computed it; nil for inputs of its subgraph.
    public let node: Int?
    /// Element type, shape and quantization.
    public let type: TensorType
    /// The name of its array in the npz file; nil where there is none, as for handles.
    public let arrayName: String?
    /// What its values are like; nil for strings and handles.
    public let statistics: TensorStatistics?
  }

  /// A subgraph that ran.
  public struct Subgraph: Sendable {
    /// Its index.
    public let index: Int
    /// Its name, empty where the file gives none.
    public let name: String
    /// How often it ran.
    public internal(set) var invocationCount: Int
    /// How often of these its nodes and tensors were recorded: the first times.
    public internal(set) var recordedCount: Int
  }
}
