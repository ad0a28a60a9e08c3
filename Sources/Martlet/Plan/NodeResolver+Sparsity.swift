// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension NodeResolver {
  /// Where the stored values of a tensor belong, if the table holds only those.
  func sparsity(of tensor: Int) -> ModelFile.SparsityParameters? {
    densified.contains(tensor) ? nil : subgraph.tensors[tensor].sparsity
  }

  /// Gives the node's sparse operands all of their elements, so that every operator takes them.
  ///
  /// `DENSIFY` is left out: it does the same itself.
  ///
  /// - Throws: `InferenceError` for inconsistent sparsity, or more elements than memory may hold.
  mutating func densifyInputs(of node: ModelFile.Node) throws(InferenceError) {
    guard node.identity.code != .densify else { return }
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0, table.sources[tensor] == .constant, let sparsity = sparsity(of: tensor),
        let bytes = table.bytes[tensor], let type = table.types[tensor]
      else { continue }
      let path: [ModelError.Step] = [
        .input(position), .tensor(tensor, name: subgraph.tensors[tensor].name),
      ]
      if let excess = type.excess(of: type.byteCount, over: settings.limits.tensorByteCount) {
        throw InferenceError(excess, path: path)
      }
      do throws(KernelError) {
        table.bytes[tensor] = try SparseLayout.densified(bytes, sparsity, type, .input(position))
      } catch {
        throw InferenceError(.kernel(error), path: path)
      }
      densified.insert(tensor)
    }
  }
}
