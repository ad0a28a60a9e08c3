// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// A recurrent node whose variables keep their values from one invocation to the next.
struct RecurrentNode {
  let code: OperatorCode
  var options: any OptionsTable
  var inputs: [Tensor?]
  /// Which inputs are variables.
  let variables: Set<Int>
  var outputs = [TensorType(.float32, [])]
  var intermediates: [TensorType?] = []
  var kernels = KernelSet.reference

  /// The outputs of one more invocation.
  func invoke() throws -> [Tensor] {
    let entry = try #require(OperatorCatalog.entry(of: code))
    let operands = inputs.enumerated().map { position, tensor in
      tensor.map {
        PrepareContext.Operand(
          $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant,
          isVariable: variables.contains(position))
      }
    }
    let node = PrepareContext(
      inputs: operands, declaredOutputs: outputs, intermediates: intermediates)
    let prepared = kernels.applied(
      to: try entry.make(NodeDescription(options: options)).prepare(node), of: node,
      weights: WeightCache())
    let results = prepared.outputs.map {
      Tensor($0, TensorBytes(zeroed: $0.byteCount ?? 0), isConstant: false)
    }
    let frame = TensorFrame(
      inputs: inputs.map { $0?.bytes }, outputs: results.map(\.bytes),
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    try prepared.kernel.evaluate(frame)
    return results
  }

  /// The first output's values after one more invocation with another input 0.
  mutating func values(of input: Tensor) throws -> [Float] {
    inputs[0] = input
    return try invoke()[0].values()
  }
}
