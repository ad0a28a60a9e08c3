// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node, what is known about its tensors, and the record of its operator.
struct NodeOperands {
  let node: ModelFile.Node
  let tensors: GraphTensors
  /// What the node's cost follows from.
  let types: OperandTypes
  /// The operator's record; nil where it is the caller's, or has no kernel.
  let entry: CatalogEntry?

  init(_ node: ModelFile.Node, _ tensors: GraphTensors) {
    self.node = node
    self.tensors = tensors
    types = OperandTypes(
      NodeDescription(node),
      inputs: node.inputs.indices.map { position in
        node.inputs[position] < 0 ? nil : .init(tensors.type(node.inputs, position))
      },
      outputs: node.outputs.indices.map { tensors.type(node.outputs, $0) })
    entry = OperatorCatalog.entry(of: node.identity)
  }

  /// The multiply-adds of the node's matrix products and convolutions; 0 for operators without
  /// any, nil for those without a record and where a shape is missing.
  var multiplyAdds: Int? {
    switch entry?.work {
    case .products(weights: _, let count): count(types)
    case .elements, .nothing: 0
    case nil: nil
    }
  }

  /// Numbers that are computed one by one: the elements of the outputs, unless the operator's
  /// record counts others; nil where there is no record or a shape is missing.
  var elementOperations: Int? {
    switch entry?.work {
    case .products: types.outputElementCount
    case .elements(let count): count(types)
    case .nothing: 0
    case nil: nil
    }
  }

  /// What the weights are, which decides what is multiplied.
  var arithmetic: NodeCost.Arithmetic {
    guard case .products(let weights, _) = entry?.work else { return .float }
    switch types.input(weights(types))?.elementType {
    case .int2, .int4, .uint4, .int8, .uint8, .int16, .uint16: return .byte
    case .float16, .bfloat16, .float32, .float64, .complex64, .complex128, .int32, .uint32,
      .int64, .uint64, .bool, .string, .resource, .variant, nil:
      return .float
    }
  }

  /// Bytes read of each tensor; none where there is nothing to compute.
  ///
  /// An operator without a record is taken to read all of its inputs.
  var reads: [(tensor: Int, byteCount: Int?)] {
    let elementCounts = types.outputs.map { $0?.shape.elementCount }
    let isIdle = !elementCounts.isEmpty && elementCounts.allSatisfy { $0 == 0 }
    let reads = entry?.reads ?? .everything
    var seen: Set<Int> = []
    return node.inputs.enumerated().compactMap { position, tensor in
      guard tensors.roles.indices.contains(tensor), seen.insert(tensor).inserted else {
        return nil
      }
      return (tensor, isIdle ? 0 : reads.byteCount(ofInput: position, types))
    }
  }
}
