// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import ReferenceKernels
import Tensors

/// What evaluating a node once takes at least, by the definition of its operator.
///
/// Everything follows from the operator, its options and the types of its tensors; how a kernel
/// computes does not matter. Numbers beyond 64 bits are nil.
package struct NodeCost: Sendable, Equatable {
  /// What multiply-adds multiply.
  package enum Arithmetic: Sendable {
    /// Floats.
    case float
    /// Integers, of which optimized kernels make 8-bit ones.
    case byte
  }

  /// Sums of products, those with elements of the padding included; 0 for operators without any,
  /// nil where they are not known.
  package let multiplyAdds: Int?
  /// What the multiply-adds are of.
  package let arithmetic: Arithmetic
  /// Numbers that are computed one by one, of operators without multiply-adds; 0 where elements
  /// only move, nil where they are not known.
  package let elementOperations: Int?
  /// Bytes read of activations and variables; nil for strings.
  package let inputByteCount: Int?
  /// Bytes read of constants.
  package let constantByteCount: Int?
  /// Bytes written to outputs and variables.
  package let writtenByteCount: Int?

  /// The cost of `node` with these tensors of its subgraph.
  package init(_ node: ModelFile.Node, _ tensors: GraphTensors) {
    self.init(NodeGroup([node]), tensors)
  }

  /// The cost of nodes that are computed together: what lies between them costs nothing.
  package init(_ group: NodeGroup, _ tensors: GraphTensors) {
    let members = group.nodes.map { NodeOperands($0, tensors) }
    let products = members.map(\.work.multiplyAdds)
    multiplyAdds = Checked.sum(products)
    arithmetic = zip(members, products).first { $1 != 0 }?.0.arithmetic ?? .float
    elementOperations = Checked.sum(
      zip(members, products).map { $1 == 0 ? $0.work.elementOperations : $1.map { _ in 0 } })
    var reads = Dictionary(
      members.flatMap(\.reads), uniquingKeysWith: { first, _ in first })
    for tensor in group.between { reads[tensor] = nil }
    func readByteCount(_ isWanted: (GraphTensors.Role) -> Bool) -> Int? {
      Checked.sum(reads.filter { isWanted(tensors.roles[$0.key]) }.map(\.value))
    }
    inputByteCount = readByteCount { $0 != .constant }
    constantByteCount = readByteCount { $0 == .constant }
    let variables = reads.filter { tensors.roles[$0.key] == .variable }.map(\.value)
    writtenByteCount = Checked.sum(
      variables + group.outputs.map { tensors.type([$0], 0)?.byteCount })
  }

  /// All bytes that are read.
  package var readByteCount: Int? { Checked.sum(inputByteCount, constantByteCount) }

  /// All bytes that are read or written.
  package var movedByteCount: Int? { Checked.sum(readByteCount, writtenByteCount) }
}
