// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Tensors

/// Keeps the variable tensors that nodes read as they were before each node was evaluated.
///
/// A recurrent cell overwrites its state, from which its outputs follow. All other tensors keep
/// the values of the last evaluation.
final class VariableLog: InferenceObserver {
  /// A node of a subgraph.
  struct Location: Hashable {
    let subgraph: Int
    let node: Int
  }

  private unowned let interpreter: Interpreter
  private var current: [Int: [Int: TensorBytes]] = [:]
  private var before: [Location: [Int: TensorBytes]] = [:]

  init(_ interpreter: Interpreter) { self.interpreter = interpreter }

  /// Notes the variables as they are before an invocation.
  func begin() {
    for (index, subgraph) in interpreter.model.file.subgraphs.enumerated() {
      for (tensor, declared) in subgraph.tensors.enumerated() where declared.isVariable {
        guard let byteCount = declared.type.byteCount else { continue }
        let bytes = TensorBytes(zeroOf: declared.type, byteCount: byteCount)
        if let known = interpreter.table(ofSubgraph: index)?.bytes[tensor] {
          _ = bytes.copy(from: known)
        }
        current[index, default: [:]][tensor] = bytes
      }
    }
  }

  /// The variables that a node read, by tensor.
  func variables(readBy node: Int, ofSubgraph subgraph: Int) -> [Int: TensorBytes] {
    before[Location(subgraph: subgraph, node: node)] ?? [:]
  }

  func didEvaluate(_ record: NodeRecord) {
    guard let known = current[record.subgraph], !known.isEmpty else { return }
    let inputs = interpreter.model.file.subgraphs[record.subgraph].nodes[record.node].inputs
    let read = known.filter { inputs.contains($0.key) }
    guard !read.isEmpty else { return }
    before[Location(subgraph: record.subgraph, node: record.node)] = read
    for tensor in read.keys {
      guard let bytes = interpreter.table(ofSubgraph: record.subgraph)?.bytes[tensor] else {
        continue
      }
      current[record.subgraph]?[tensor] = TensorBytes(copying: bytes.span(as: UInt8.self))
    }
  }
}
