// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let hadamardRotation = CatalogEntry(
    custom: "aeq.hadamard_rotation",
    formula: "y[b, i] = Σⱼ (−1)^popcount(i ∧ j) x[b, j] / √n,   b the blocks of n elements",
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let size = try node.flexOptions()["hadamard_size"]?.int ?? 0
    guard size > 0, size <= 1 << 24, size & (size - 1) == 0 else {
      throw .invalid("hadamard_size \(size), wanted a power of 2")
    }
    return HadamardRotation(size: size)
  }
}

/// `aeq.hadamard_rotation`: values rotated by a Walsh-Hadamard matrix before they are quantized, as
/// AI Edge Quantizer inserts it.
///
/// - Input 0: float32; the last axis is a multiple of `hadamard_size`, a power of 2.
/// - Output: float32, of the same shape.
///
/// `random_binary_vector` is not read: the quantizer has multiplied it into the weights. Sums are
/// made pairwise in log₂ n passes, and multiplied by 1 / √n last.
/// TFLite: `hadamard_rotation.cc`.
struct HadamardRotation: Operator {
  let size: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    try input.expect(.float32, .input(0))
    guard let last = input.shape.dimensions.last, last % size == 0 else {
      throw .invalid("hadamard_size \(size) for shape \(input.shape)", .input(0))
    }
    return Prepared(
      TensorType(.float32, input.shape), LoopKernel(HadamardRotationLoop(size: size)))
  }
}

/// The loop of `aeq.hadamard_rotation`.
package struct HadamardRotationLoop: SteppedLoop {
  /// Elements of a block.
  package let size: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    let factor = 1 / Float(size).squareRoot()
    for start in stride(from: 0, to: output.count, by: size) {
      let block = start..<start + size
      steps.about(block)
      for index in block { output[index] = steps.read(input, index) }
      var half = 1
      while half < size {
        for pairs in stride(from: start, to: block.upperBound, by: 2 * half) {
          for index in pairs..<pairs + half {
            let (first, second) = (output[index], output[index + half])
            output[index] = first + second
            output[index + half] = first - second
          }
        }
        half *= 2
      }
      for index in block {
        steps.about(index)
        let sum = steps.note(
          "sum", "of the block's elements, those with an odd number of common bits negated",
          element: output[index])
        output[index] = steps.note("scaled", "by 1 / √\(size)", element: sum * factor)
      }
    }
  }
}
