// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let fakeQuant = CatalogEntry(
    .fakeQuant, chapter: .quantization,
    formula: "y = round((clamp(x) − min) / s) s + min,   s = (max − min) / (2ᵇ − 1)",
    versions: .upTo(2),
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    FakeQuant(options: try node.options())
  }
}

/// `FAKE_QUANT`: floats rounded to what quantized values of few bits could stand for.
///
/// The interval is first nudged so that 0 is one of the numbers. Everything is float32, and NaN
/// becomes the lowest number. TFLite: `fake_quant.cc`, `NudgeQuantizationRange` and
/// `FakeQuantizeArray` (`quantization_util.cc`).
struct FakeQuant: Operator {
  let options: FakeQuantOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    guard !options.narrowRange else { throw .unsupported("a narrow range") }
    guard 1...16 ~= options.bitCount else { throw .invalid("\(options.bitCount) bits") }
    guard options.minimum < options.maximum, (options.maximum - options.minimum).isFinite else {
      throw .invalid("interval from \(options.minimum) to \(options.maximum)")
    }
    let unary = try UnaryNode(node)
    guard unary.input.elementType == .float32 else {
      throw .elementType(unary.input.elementType, .input(0))
    }
    return unary.prepared(FakeQuantization(options))
  }
}

/// A float rounded to one of 2ᵇ numbers.
package struct FakeQuantization: UnaryArithmetic {
  package let scale: Float
  package let inverseScale: Float
  package let lowest: Float
  package let highest: Float

  init(_ options: FakeQuantOptions) {
    let highestQuantized = Float((1 << options.bitCount) - 1)
    scale = (options.maximum - options.minimum) / highestQuantized
    inverseScale = 1 / scale
    let zeroPoint = (-options.minimum / scale).rounded(.toNearestOrAwayFromZero)
    let nudged = max(0, min(zeroPoint, highestQuantized))
    lowest = (0 - nudged) * scale
    highest = (highestQuantized - nudged) * scale
  }

  @inline(__always)
  package func apply(_ value: Float, _ steps: inout some Steps) -> Float {
    let raised = lowest < value ? value : lowest
    let clamped = steps.note(
      "clamp", "\(value) to \(lowest)...\(highest)", raised < highest ? raised : highest)
    let exact = steps.note(
      "quotient", "(\(clamped) - \(lowest.operand)) × \(inverseScale)",
      (clamped - lowest) * inverseScale)
    let quantized = steps.rounded(exact)
    return steps.note(
      "product", "\(quantized) × \(scale) + \(lowest.operand)", quantized * scale + lowest)
  }
}
