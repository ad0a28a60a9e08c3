// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let numericVerify = CatalogEntry(
    custom: "NumericVerify", formula: "y = dequantize(x) − reference",
    variants: "u8_q i8_q i16_q f16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let map = try node.flexOptions()
    return NumericVerify(
      tolerance: map["tolerance"]?.float ?? 0, isStrict: map["log_if_failed"]?.bool ?? false)
  }
}

/// `NumericVerify`: how far quantized values are from the real numbers that they stand for.
///
/// - Input 0: quantized values, uint8, int8 or int16, or float16.
/// - Input 1: the reference, float32, of the same shape.
/// - Output: float32.
///
/// With `log_if_failed` and a `tolerance` of 0.1 at least, a difference beyond `tolerance` times
/// the scale (0 for float16) is an error. TFLite: `numeric_verify.cc`.
struct NumericVerify: Operator {
  let tolerance: Float
  let isStrict: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, reference) = (try node.input(0), try node.input(1))
    guard [.uint8, .int8, .int16, .float16].contains(input.elementType) else {
      throw .elementType(input.elementType, .input(0))
    }
    try reference.expect(.float32, .input(1))
    guard reference.shape.elementCount == input.shape.elementCount else {
      throw .invalid("shape \(reference.shape) beside \(input.shape)", .input(1))
    }
    let limit = isStrict && tolerance >= 0.1 ? tolerance * scale(of: input) : nil
    return Prepared(
      TensorType(.float32, input.shape),
      LoopKernel(
        NumericVerifyLoop(dequantize: try Dequantize.kernel(input), limit: limit)))
  }

  private func scale(of input: TensorType) -> Float { input.quantization?.perTensor?.scale ?? 0 }
}

/// The loop of `NumericVerify`.
package struct NumericVerifyLoop: KernelLoop {
  /// Writes the quantized values as numbers to the output.
  package let dequantize: any Kernel
  /// The greatest difference that is no error; nil where any is allowed.
  package let limit: Float?

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    try dequantize.evaluate(frame)
    let reference = frame.input(1, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices {
      output[index] -= reference[index]
      if let limit, abs(output[index]) > limit {
        throw .invalid(
          "element \(index) differs from \(reference[index]) by \(output[index])", .input(0))
      }
    }
  }
}
