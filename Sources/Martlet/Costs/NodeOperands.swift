// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node, what is known about its tensors, and what it computes.
struct NodeOperands {
  let node: ModelFile.Node
  let tensors: GraphTensors
  /// What the node computes.
  let work: NodeWork

  init(_ node: ModelFile.Node, _ tensors: GraphTensors) {
    self.node = node
    self.tensors = tensors
    work = NodeWork(node) { tensors.type([$0], 0) }
  }

  /// What the weights are, which decides what is multiplied.
  var arithmetic: NodeCost.Arithmetic {
    guard case .products(let weights, _) = work.entry?.work else { return .float }
    switch work.types.input(weights(work.types))?.elementType {
    case .int2, .int4, .uint4, .int8, .uint8, .int16, .uint16: return .byte
    case _: return .float
    }
  }

  /// Bytes read of each tensor; none where there is nothing to compute.
  ///
  /// An operator without a record is taken to read all of its inputs.
  var reads: [(tensor: Int, byteCount: Int?)] {
    let elementCounts = (0..<work.types.outputCount).map {
      work.types.output($0)?.shape.elementCount
    }
    let isIdle = !elementCounts.isEmpty && elementCounts.allSatisfy { $0 == 0 }
    let reads = work.entry?.reads ?? .everything
    var seen: Set<Int> = []
    return node.inputs.enumerated().compactMap { position, tensor in
      guard tensors.roles.indices.contains(tensor), seen.insert(tensor).inserted else {
        return nil
      }
      return (tensor, isIdle ? 0 : reads.byteCount(ofInput: position, work.types))
    }
  }
}
