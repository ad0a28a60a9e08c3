// SPDX-License-Identifier: Apache-2.0

import Tensors

extension ModelFile {
  /// Throws where an index refers to nothing or parameters contradict each other.
  ///
  /// Metadata is left out: it may be bad without harm to the model.
  func validate() throws(ModelError) {
    for (index, subgraph) in subgraphs.enumerated() {
      do throws(ModelError) {
        try subgraph.validate(bufferCount: buffers.count)
      } catch {
        throw error.within(.subgraph(index))
      }
    }
    for (index, signature) in signatures.enumerated() {
      do throws(ModelError) {
        try validate(signature)
      } catch {
        throw error.within(.signature(index, name: signature.key))
      }
    }
  }

  private func validate(_ signature: Signature) throws(ModelError) {
    try require(signature.subgraph, in: subgraphs.count, at: .subgraph(signature.subgraph))
    let count = subgraphs[signature.subgraph].tensors.count
    for (position, argument) in signature.inputs.enumerated() {
      try require(argument.tensor, in: count, at: .input(position))
    }
    for (position, argument) in signature.outputs.enumerated() {
      try require(argument.tensor, in: count, at: .output(position))
    }
  }
}

extension ModelFile.Subgraph {
  fileprivate func validate(bufferCount: Int) throws(ModelError) {
    for (index, tensor) in tensors.enumerated() {
      do throws(ModelError) {
        try validate(tensor, bufferCount: bufferCount)
      } catch {
        throw error.within(.tensor(index, name: tensor.name))
      }
    }
    for (position, tensor) in inputs.enumerated() {
      try require(tensor, in: tensors.count, at: .input(position))
    }
    for (position, tensor) in outputs.enumerated() {
      try require(tensor, in: tensors.count, at: .output(position))
    }
    for (index, node) in nodes.enumerated() {
      do throws(ModelError) {
        try validate(node)
      } catch {
        throw error.within(.operator(index, name: node.identity.name))
      }
    }
  }

  private func validate(_ tensor: ModelFile.Tensor, bufferCount: Int) throws(ModelError) {
    // Buffer 0 stands for "none", even in a file without buffers.
    if tensor.buffer != 0 {
      try require(tensor.buffer, in: bufferCount, at: .buffer(tensor.buffer))
    }
    if let problem = tensor.quantization?.problem(
      shape: tensor.type.shape, tensorCount: tensors.count)
    {
      throw ModelError(.invalidQuantization(problem))
    }
    if let problem = tensor.sparsity?.problem(rank: tensor.type.shape.rank) {
      throw ModelError(.invalidSparsity(problem))
    }
  }

  private func validate(_ node: ModelFile.Node) throws(ModelError) {
    for (position, tensor) in node.inputs.enumerated() where tensor != -1 {
      try require(tensor, in: tensors.count, at: .input(position))
    }
    for (position, tensor) in node.outputs.enumerated() {
      try require(tensor, in: tensors.count, at: .output(position))
    }
    for (position, tensor) in node.intermediates.enumerated() where tensor != -1 {
      try require(tensor, in: tensors.count, at: .intermediate(position))
    }
  }
}

extension SparsityParameters {
  /// What is missing for a tensor of `rank`, or nil.
  fileprivate func problem(rank: Int) -> String? {
    guard traversalOrder.count == rank + blockMap.count else {
      return "\(traversalOrder.count) traversed dimensions for rank \(rank)"
        + " and \(blockMap.count) block dimensions"
    }
    guard dimensions.count == traversalOrder.count else {
      return "\(dimensions.count) dimensions described, \(traversalOrder.count) traversed"
    }
    return nil
  }
}

/// Throws unless `index` is one of `count` things.
private func require(
  _ index: Int, in count: Int, at step: ModelError.Step
) throws(ModelError) {
  guard index != -1 else { throw ModelError(.requiredButAbsent, path: [step]) }
  guard 0..<count ~= index else {
    throw ModelError(.indexOutOfRange(index, count: count), path: [step])
  }
}
