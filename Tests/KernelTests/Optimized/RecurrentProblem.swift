// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// A recurrent node with random operands, to be computed several times in a row by a reference
/// kernel and its optimized kernels.
struct RecurrentProblem {
  let seed: Int
  let code: OperatorCode
  let options: (any OptionsTable)?
  let inputs: [Tensor?]
  /// Which inputs are states.
  let states: [Int]
  var intermediates: [TensorType?] = []
  let outputs: [TensorType]
  var rounding = Rounding.double

  /// The outputs and states after each of three invocations; the states begin as `inputs` has
  /// them.
  func results(_ kernels: KernelSet) throws -> [[UInt8]] {
    let tensors = inputs.enumerated().map { position, tensor in
      tensor.map {
        states.contains(position)
          ? Tensor($0.type, TensorBytes(copying: $0.bytes.array()), isConstant: false) : $0
      }
    }
    let node = PrepareContext(
      inputs: tensors.enumerated().map { position, tensor in
        tensor.map {
          PrepareContext.Operand(
            $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant,
            isVariable: states.contains(position))
        }
      },
      declaredOutputs: outputs, intermediates: intermediates, rounding: rounding)
    let entry = try #require(OperatorCatalog.entry(of: code))
    let reference = try entry.make(NodeDescription(version: 1, options: options)).prepare(node)
    let prepared = kernels.applied(to: reference, of: node, weights: WeightCache())
    if kernels.name != KernelSet.reference.name {
      #expect(prepared.kernel !== reference.kernel, "there is no optimized kernel; seed \(seed)")
    }
    let results = prepared.outputs.map { TensorBytes(zeroed: $0.byteCount ?? 0) }
    let frame = TensorFrame(
      inputs: tensors.map { $0?.bytes }, outputs: results,
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    return try (0..<3).map { _ in
      try prepared.kernel.evaluate(frame)
      return (results + states.compactMap { tensors[$0]?.bytes }).flatMap { $0.array() }
    }
  }

  /// Checks that every level's optimized kernel gives the reference kernel's results and states bit
  /// for bit.
  func expectSameBytes() throws {
    let expected = try results(.reference)
    for set in MicrokernelSet.tested {
      let found = try results(.optimized(for: set))
      #expect(found == expected, "seed \(seed), \(set)")
    }
  }
}
