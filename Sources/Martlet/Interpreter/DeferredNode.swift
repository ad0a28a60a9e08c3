// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node that waits for the run, as far as it is the same in every run.
///
/// It stays until the shape of an input changes, as an operator may go on where it ended.
final class DeferredNode {
  let index: Int
  let nodeOperator: any Operator
  /// The same, where it runs as part of a session.
  let sessionOperator: (any SessionOperator)?
  let inputs: [Int]
  let outputs: [Int]
  /// The types that the file declares for the outputs.
  let declaredOutputs: [TensorType]
  /// The inputs whose values its operator asks for.
  var shown: [Int] = []
  /// How it was prepared last.
  var preparation: Preparation?
  /// Where the plan has the outputs that it predicts, by position.
  var places: [TensorValue?] = []
  /// How it is evaluated where nothing has changed since the last time.
  @safe @exclusivity(unchecked)
  var repetition: KernelRepetition?

  /// The node of this index.
  ///
  /// - Throws: `InferenceError` for an operator without kernels and for wrong options.
  init(
    _ index: Int, of subgraph: ModelFile.Subgraph, _ operators: CustomOperators
  ) throws(InferenceError) {
    self.index = index
    let node = subgraph.nodes[index]
    nodeOperator = try operators.makeOperator(for: node)
    sessionOperator = operators.sessionOperator(of: node)
    (inputs, outputs) = (node.inputs, node.outputs)
    declaredOutputs = outputs.map { subgraph.tensors[$0].type }
  }
}

extension DeferredNode {
  /// A node as it was prepared for types of its inputs and, where its operator asks for them, for
  /// values.
  struct Preparation {
    let types: [TensorType?]
    let values: KnownValues
    let prepared: Prepared
  }

  /// How a node is evaluated again, in the memory in which it was evaluated before: a kernel with its
  /// tensors, none of which moves until there is another plan.
  final class KernelRepetition {
    /// The values for which it was prepared.
    let values: KnownValues
    let kernel: any Kernel
    let frame: TensorFrame
    /// What evaluating it costs, in the units of `Limits.workCount`.
    let work: Int

    init(_ preparation: Preparation, work: Int, frame: consuming TensorFrame) {
      values = preparation.values
      kernel = preparation.prepared.kernel
      self.work = work
      self.frame = frame
    }
  }

  /// What inputs held when a node was prepared.
  struct KnownValues {
    /// Tensors and their bytes.
    private let values: [(tensor: Int, bytes: [UInt8])]
    /// Whether they are all of them.
    private let isComplete: Bool

    /// Longer values are not compared.
    private static let mostBytes = 256

    /// The values of these tensors.
    init(_ tensors: [Int], _ table: TensorTable) {
      var values: [(tensor: Int, bytes: [UInt8])] = []
      for tensor in tensors where tensor >= 0 {
        guard let bytes = table.bytes[tensor], bytes.byteCount <= Self.mostBytes else { continue }
        values.append((tensor, bytes.array()))
      }
      self.values = values
      isComplete = values.count == tensors.count { $0 >= 0 }
    }

    /// Whether the tensors still hold them.
    func areThose(of table: TensorTable) -> Bool {
      isComplete
        && values.allSatisfy { tensor, known in
          guard let bytes = table.bytes[tensor], bytes.byteCount == known.count else {
            return false
          }
          let span = bytes.span(as: UInt8.self)
          return known.indices.allSatisfy { known[$0] == span[$0] }
        }
    }
  }
}
