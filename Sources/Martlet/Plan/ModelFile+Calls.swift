// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import ReferenceKernels

extension ModelFile {
  /// Refuses an operator that would run subgraphs which do not exist, whether a run gets to them or
  /// not.
  ///
  /// - Throws: `InferenceError` with the reason `invalidGraph`.
  func checkCalls(of caller: any SessionOperator) throws(InferenceError) {
    for subgraph in caller.calledSubgraphs where !subgraphs.indices.contains(subgraph) {
      throw InferenceError(
        .invalidGraph("subgraph \(subgraph) does not exist: the model has \(subgraphs.count)"))
    }
  }

  /// The first node of a subgraph that would run one that does not exist; nil where all exist.
  package func invalidCall(inSubgraph index: Int) -> InferenceError? {
    for (position, node) in subgraphs[index].nodes.enumerated() {
      do throws(InferenceError) {
        if let caller = CustomOperators().sessionOperator(of: node) {
          try checkCalls(of: caller)
        }
      } catch {
        return error.within(.operator(position, name: node.identity.name)).within(.subgraph(index))
      }
    }
    return nil
  }
}

extension ModelFile.Subgraph {
  /// How many inputs of nodes, and outputs of the subgraph, each tensor is.
  var useCounts: [Int] {
    var counts = Array(repeating: 0, count: tensors.count)
    for node in nodes {
      for tensor in node.inputs where tensor >= 0 { counts[tensor] += 1 }
    }
    for tensor in outputs { counts[tensor] += 1 }
    return counts
  }

  /// For each node, whether the subgraph gives what it computes, or a node reads it that is needed
  /// itself.
  ///
  /// Nodes that give nothing do something else, and are needed.
  var neededNodes: [Bool] {
    var isRead = Array(repeating: false, count: tensors.count)
    for tensor in outputs where isRead.indices.contains(tensor) { isRead[tensor] = true }
    var isNeeded = Array(repeating: true, count: nodes.count)
    for (index, node) in nodes.enumerated().reversed() {
      isNeeded[index] =
        node.outputs.isEmpty || node.outputs.contains { isRead.indices.contains($0) && isRead[$0] }
      guard isNeeded[index] else { continue }
      for tensor in node.inputs where isRead.indices.contains(tensor) { isRead[tensor] = true }
    }
    return isNeeded
  }
}
