// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// A node with random operands, to be computed by a reference kernel and its optimized kernels.
struct OptimizedProblem {
  let seed: Int
  let code: OperatorCode
  let options: (any OptionsTable)?
  var inputs: [Tensor?]
  let output: TensorType
  let rounding: Rounding
  var productsRoundUp = false

  /// Whether it is a convolution whose filter has fewer channels than the input.
  var hasGroups: Bool {
    code == .conv2D
      && inputs[0]?.type.shape.dimensions.last != inputs[1]?.type.shape.dimensions.last
  }

  /// The same problem with operands at `positions` that each run is given.
  func giving(_ positions: [Int]) -> OptimizedProblem {
    var problem = self
    for position in positions where inputs.indices.contains(position) {
      problem.inputs[position] = inputs[position]?.given
    }
    return problem
  }

  /// What the node's operator sees.
  private var context: PrepareContext {
    PrepareContext(
      inputs: inputs.map { tensor in
        tensor.map {
          PrepareContext.Operand(
            $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant)
        }
      },
      declaredOutputs: [output], rounding: rounding, productsRoundUp: productsRoundUp)
  }

  /// What the node's operator prepares.
  private func reference() throws -> Prepared {
    let entry = try #require(OperatorCatalog.entry(of: code))
    let operation = try entry.make(NodeDescription(version: 1, options: options))
    return try operation.prepare(context)
  }

  /// What computes the node: the set's optimized kernel, or else the reference kernel.
  private func optimizedKernel(_ kernels: KernelSet, for reference: Prepared)
    -> KernelSet.OptimizedKernel
  {
    kernels.optimizedKernel(for: reference.kernel, context, WeightCache())
      ?? KernelSet.OptimizedKernel(reference.kernel, scratch: reference.scratch)
  }

  /// The node for rules that fuse it with another.
  func node(_ kernels: KernelSet) throws -> PreparedNode {
    let reference = try reference()
    let node = PreparedNode(
      0, inputs: Array(inputs.indices), outputs: [inputs.count], reference, context)
    return PreparedNode(node, by: optimizedKernel(kernels, for: reference))
  }

  /// What computes the node, with a position for its output.
  private func prepare(
    _ kernels: KernelSet
  ) throws -> (optimizedKernel: KernelSet.OptimizedKernel, result: Tensor) {
    let reference = try reference()
    let type = try #require(reference.outputs.first)
    let bytes = TensorBytes(zeroed: type.byteCount ?? 0)
    return (optimizedKernel(kernels, for: reference), Tensor(type, bytes, isConstant: false))
  }

  private func frame(_ optimizedKernel: KernelSet.OptimizedKernel, _ result: Tensor) -> TensorFrame
  {
    TensorFrame(
      inputs: inputs.map { $0?.bytes }, outputs: [result.bytes],
      scratch: optimizedKernel.scratch.map { TensorBytes(zeroed: $0) })
  }

  /// The output of the set's kernel, computed at once.
  func result(_ kernels: KernelSet) throws -> Tensor {
    let (optimizedKernel, result) = try prepare(kernels)
    try optimizedKernel.kernel.evaluate(frame(optimizedKernel, result))
    return result
  }

  /// The output of the optimized kernel for a level, its blocks shuffled and dealt to several
  /// workers.
  func shared(_ set: MicrokernelSet, workerCount: Int) throws -> Tensor {
    try shared(.optimized(for: set), workerCount: workerCount)
  }

  /// The output of a set's optimized kernel, its blocks shuffled and dealt to several workers.
  func shared(_ kernels: KernelSet, workerCount: Int) throws -> Tensor {
    let (optimizedKernel, result) = try prepare(kernels)
    let kernel = try #require(optimizedKernel.blocks, "there is no optimized kernel; seed \(seed)")
    kernel.evaluate(frame(optimizedKernel, result), workerCount: workerCount, seed: seed)
    return result
  }
}

extension BlockKernel {
  /// Computes the parts of all phases and then all blocks, shuffled and dealt to several workers.
  func evaluate(_ frame: borrowing TensorFrame, workerCount: Int, seed: Int) {
    var random = SeededRandom(seed: seed)
    var blocks = (0..<blockCount(workerCount: workerCount)).shuffled(using: &random)
    let phaseCount = phaseCount(workerCount: workerCount)
    if phaseCount == 0 { begin(frame) }
    for phase in 0..<phaseCount {
      for part in (0..<workerCount).shuffled(using: &random) {
        begin(frame, phase: phase, part: part, of: workerCount)
      }
    }
    let share = (blocks.count + workerCount - 1) / workerCount
    for _ in 0..<workerCount {
      var left = share
      compute(frame, workerCount: workerCount) {
        left -= 1
        return left < 0 ? nil : blocks.popLast()
      }
    }
    end(frame)
  }
}

extension OptimizedProblem {
  /// Checks that every level's optimized kernel gives the reference kernel's results bit for bit,
  /// however it is shared.
  func expectSameBytes(
    on sets: [MicrokernelSet] = MicrokernelSet.tested, workerCounts: [Int] = [1, 3]
  ) throws {
    let expected: [UInt8] = try result(.reference).bytes.array()
    for set in sets {
      for workerCount in workerCounts {
        let codes = try shared(set, workerCount: workerCount).bytes.array()
        #expect(codes == expected, "seed \(seed), \(set), \(workerCount) workers")
      }
    }
  }

  /// Checks that every level's optimized kernel comes as close to the reference kernel as sums in
  /// another order do, and gives the same numbers however it is shared.
  func expectCloseFloats(terms: Int) throws {
    let expected: [Float] = try result(.reference).values()
    // Operands are within ±1: each of the `terms` additions rounds a sum of at most `terms`.
    let tolerance = Float(terms + 1) * Float(terms + 1) * Float.ulpOfOne
    for set in MicrokernelSet.tested {
      let whole: [Float] = try shared(set, workerCount: 1).values()
      for index in expected.indices {
        let difference = abs(whole[index] - expected[index])
        guard difference > tolerance else { continue }
        Issue.record("seed \(seed), \(set): element \(index) is \(difference) off")
        break
      }
      let split: [Float] = try shared(set, workerCount: 3).values()
      #expect(split == whole, "seed \(seed), \(set), 3 workers")
    }
  }
}

extension SeededRandom {
  /// Numbers within ±1.
  mutating func floats(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &self) }
  }

  /// Quantized values of any value; now and then only extreme ones.
  mutating func codes<Code: FixedWidthInteger>(_ count: Int, as type: Code.Type) -> [Code] {
    let isExtreme = Int.random(in: 0..<6, using: &self) == 0
    return (0..<count).map { _ in
      isExtreme
        ? (Bool.random(using: &self) ? .min : .max) : Code.random(in: .min ... .max, using: &self)
    }
  }

  /// One of `values`.
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }
}
