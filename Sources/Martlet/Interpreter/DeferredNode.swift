// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node that waits for the run, as far as it is the same in every run.
///
/// It stays until the shape of an input changes, as an operator may go on where it ended.
final class DeferredNode {
  /// How a node that waits for the run was prepared last.
  enum Preparation {
    /// With the values of its inputs, which may be others next time.
    case fromValues
    /// From these types of its inputs alone.
    case fromTypes([TensorType?], Prepared)
  }

  let index: Int
  let nodeOperator: any Operator
  /// The same, where it runs as part of a session.
  let sessionOperator: (any SessionOperator)?
  let inputs: [Int]
  let outputs: [Int]
  /// The types that the file declares for the outputs.
  let declaredOutputs: [TensorType]
  /// How it was prepared last, where types alone decided.
  var preparation: Preparation?
  /// Where the plan has the outputs that it predicts, by position.
  var places: [TensorValue?] = []

  /// The node of this index.
  ///
  /// - Throws: `InferenceError` for an operator without kernels and for wrong options.
  init(
    _ index: Int, of subgraph: ModelFile.Subgraph, _ operators: CustomOperators
  ) throws(InferenceError) {
    self.index = index
    let node = subgraph.nodes[index]
    nodeOperator = try operators.makeOperator(for: node)
    sessionOperator = operators.sessionOperator(nodeOperator, of: node.identity)
    (inputs, outputs) = (node.inputs, node.outputs)
    declaredOutputs = outputs.map { subgraph.tensors[$0].type }
  }
}
