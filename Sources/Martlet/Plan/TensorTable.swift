// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ResourceLimits
package import Tensors

/// What is known about every tensor of a subgraph while it is planned and run.
package struct TensorTable {
  /// How a tensor gets its values.
  package enum Source: Sendable, Equatable {
    /// Nothing has given it values yet.
    case undefined
    /// The caller provides them.
    case input
    /// They are part of the model, or follow from it.
    case constant
    /// They persist between invocations.
    case variable
    /// The node of this index computes them.
    case node(Int)
  }

  /// Types; nil while a tensor's type is known only at run time.
  package var types: [TensorType?]
  /// Where the values lie, once they have a location.
  package var bytes: [TensorBytes?]
  /// How each tensor gets its values.
  package var sources: [Source]
  /// What operators told about the numbers that their nodes compute, by the first output.
  var operationCounts: [Int: Int] = [:]
  /// Tensors of which a run may find other types: what nodes give that wait for it, planned as the
  /// file declares it, and what follows from that.
  package var predicted: Set<Int> = []
  /// Sparse constants of which `bytes` has the stored values alone.
  var packed: Set<Int> = []

  /// The table of nothing.
  init() { (types, bytes, sources) = ([], [], []) }

  /// The table of `subgraph` before any node is planned: inputs, constants and variables.
  ///
  /// `inputShapes` replace declared ones, and `variables` is the memory of variable tensors that
  /// is kept from before; both by tensor index. `fixedInputs` are those that stay the same, by
  /// position.
  ///
  /// - Throws: `InferenceError` where a constant contradicts its type, variables take more memory
  ///   than an arena may, or an input more than a tensor may.
  init(
    _ subgraph: ModelFile.Subgraph, of model: Model, inputShapes: [Int: Shape],
    fixedInputs: [TensorBytes?], variables: inout [Int: TensorBytes], limits: Limits,
    budget: inout PlanBudget
  ) throws(InferenceError) {
    types = subgraph.tensors.map(\.type)
    bytes = Array(repeating: nil, count: types.count)
    sources = Array(repeating: .undefined, count: types.count)
    let computed = Set(subgraph.nodes.flatMap(\.outputs))
    let given = Set(subgraph.inputs)
    for (index, tensor) in subgraph.tensors.enumerated() {
      if tensor.isVariable {
        sources[index] = .variable
        guard let byteCount = tensor.type.byteCount else { continue }
        do throws(InferenceError) {
          guard byteCount <= limits.tensorByteCount else {
            throw InferenceError(
              .memoryLimit(needed: byteCount, limit: limits.tensorByteCount))
          }
          try budget.take(byteCount)
        } catch {
          throw error.within(.tensor(index, name: tensor.name))
        }
        if variables[index]?.byteCount != byteCount {
          variables[index] = TensorBytes(zeroOf: tensor.type, byteCount: byteCount)
        }
        bytes[index] = variables[index]
        continue
      }
      do throws(InferenceError) {
        bytes[index] = try model.constant(tensor)
        // Misaligned ones are copied, each time that a tensor refers to them.
        if let copy = bytes[index], copy.storage !== model.storage {
          try budget.take(copy.byteCount)
        }
      } catch {
        throw InferenceError(error.reason, path: [.tensor(index, name: tensor.name)])
      }
      if bytes[index] != nil, tensor.sparsity != nil { packed.insert(index) }
      if bytes[index] == nil, tensor.type.byteCount == 0, !computed.contains(index),
        !given.contains(index)
      {
        // A constant without elements needs no buffer.
        bytes[index] = TensorBytes(zeroed: 0)
      }
      if bytes[index] != nil { sources[index] = .constant }
    }
    for (position, index) in subgraph.inputs.enumerated() where sources[index] == .undefined {
      sources[index] = .input
      if let shape = inputShapes[index] { types[index] = types[index]?.with(shape: shape) }
      if let byteCount = types[index]?.byteCount, byteCount > limits.tensorByteCount {
        throw InferenceError(.memoryLimit(needed: byteCount, limit: limits.tensorByteCount))
          .within(.tensor(index, name: subgraph.tensors[index].name))
      }
      if fixedInputs.indices.contains(position), let fixed = fixedInputs[position],
        fixed.byteCount == types[index]?.byteCount
      {
        (bytes[index], sources[index]) = (fixed, .constant)
      }
    }
  }
}

extension TensorBytes {
  /// An allocation with real zero everywhere, as variable tensors start.
  ///
  /// Where that is bytes of zero, large ones take no memory before they are written.
  package init(zeroOf type: TensorType, byteCount: Int) {
    self.init(zeroed: byteCount)
    if Self.zero(of: type) != 0 { fillWithZero(of: type) }
  }

  /// Writes real zero everywhere.
  package func fillWithZero(of type: TensorType) {
    let zero = Self.zero(of: type)
    var codes = mutableSpan(as: UInt8.self)
    for index in codes.indices { codes[index] = zero }
  }

  /// What the bytes of real zero are: int8 has its zero point.
  private static func zero(of type: TensorType) -> UInt8 {
    guard type.elementType == .int8, let affine = type.quantization?.perTensor else { return 0 }
    return UInt8(truncatingIfNeeded: affine.zeroPoint)
  }
}
