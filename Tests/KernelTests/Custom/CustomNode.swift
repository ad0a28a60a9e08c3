// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// Prepares and evaluates one node of a custom operator, as the engine would.
func evaluate(
  custom name: String, options: [UInt8], _ inputs: [Tensor], outputs: [TensorType],
  kernels: KernelSet = .reference
) throws -> [Tensor] {
  let make = try #require(OperatorCatalog.customByName[name]).make
  let node = PrepareContext(
    inputs: inputs.map {
      PrepareContext.Operand(
        $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant)
    }, declaredOutputs: outputs)
  let prepared = kernels.applied(
    to: try make(NodeDescription(customOptions: options)).prepare(node), of: node,
    weights: WeightCache())
  let results = prepared.outputs.map {
    Tensor($0, TensorBytes(zeroed: $0.byteCount ?? 0), isConstant: false)
  }
  let frame = TensorFrame(
    inputs: inputs.map(\.bytes), outputs: results.map(\.bytes),
    scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
  try prepared.kernel.evaluate(frame)
  return results
}
