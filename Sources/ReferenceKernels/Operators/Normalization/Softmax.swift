// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let softmax = CatalogEntry(
    .softmax, chapter: .normalization,
    formula: "y[i] = exp(β (x[i] − max x)) / Σj exp(β (x[j] − max x))",
    versions: .upTo(4, reference: 3),
    variants: "f32 f16 u8_q i8_q i16_q i8_to_i16_q u8_to_i16_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in Softmax(options: try node.options()) }
}

/// `SOFTMAX`: turns each row of scores into probabilities.
///
/// Subtracting the row's maximum leaves the quotient unchanged and keeps `exp` from overflowing.
/// A row is the innermost axis. For quantized scores see `QuantizedSoftmaxKernel` (8 bits) and
/// `Int16SoftmaxKernel`. TFLite: `activations.cc`, `reference/softmax.h`.
struct Softmax: Operator {
  let options: SoftmaxOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    guard let rowLength = input.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    return Prepared(
      output.with(shape: input.shape), try kernel(node, rowLength: rowLength))
  }

  private func kernel(
    _ node: PrepareContext, rowLength: Int
  ) throws(KernelError) -> any Kernel {
    let (input, output) = (try node.input(0), try node.declaredOutput())
    switch (input.elementType, output.elementType) {
    case (.float32, .float32):
      return SoftmaxKernel<Float>(beta: options.beta, rowLength: rowLength)
    case (.float16, .float16):
      return SoftmaxKernel<Float16>(beta: options.beta, rowLength: rowLength)
    case (.uint8, .uint8):
      return QuantizedSoftmaxKernel<UInt8, UInt8>(try scaling(node), rowLength: rowLength)
    case (.int8, .int8):
      try expectUnitRange(output, quantizedValues: 256, zeroPoint: -128)
      return QuantizedSoftmaxKernel<Int8, Int8>(try scaling(node), rowLength: rowLength)
    case (.uint8, .int16):
      return QuantizedSoftmaxKernel<UInt8, Int16>(try scaling(node), rowLength: rowLength)
    case (.int8, .int16):
      return QuantizedSoftmaxKernel<Int8, Int16>(try scaling(node), rowLength: rowLength)
    case (.int16, .int16):
      try expectUnitRange(output, quantizedValues: 32768, zeroPoint: 0)
      let affine = try input.affine(.input(0))
      guard affine.zeroPoint == 0 else { throw .invalid("int16 zero point must be 0", .input(0)) }
      // Differences from -65535 to 0 stand for -10 to 0.
      let factor = Double(affine.scale * options.beta) / (10.0 / 65535.0)
      return Int16SoftmaxKernel(
        FixedPointMultiplier(factor, rounding: node.rounding), rowLength: rowLength)
    case (let from, let to):
      throw .unsupported("\(from.schemaName) to \(to.schemaName)")
    }
  }

  private func scaling(_ node: PrepareContext) throws(KernelError) -> ScaledDifference {
    try ScaledDifference(
      beta: options.beta, scale: try node.input(0).affine(.input(0)).scale,
      rounding: node.rounding)
  }

  private func expectUnitRange(
    _ output: TensorType, quantizedValues: Float, zeroPoint: Int32
  ) throws(KernelError) {
    let affine = try output.affine(.output(0))
    guard affine.zeroPoint == zeroPoint,
      (affine.scale - 1 / quantizedValues).magnitude <= 0.001 / quantizedValues
    else {
      throw .invalid(
        "scale must be 1/\(Int(quantizedValues)) and zero point \(zeroPoint)", .output(0))
    }
  }
}

/// The float loop of `SOFTMAX`, computed in float32.
///
/// Halves hold the exponentials before they are divided, as in TFLite: they are rounded twice.
package struct SoftmaxLoop<Element: TensorElement & BinaryFloatingPoint>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.normalization, Element.elementType) }

  /// The factor of each score.
  package let beta: Float
  /// Scores in a row.
  package let rowLength: Int

  /// The loop over rows of `rowLength` scores.
  package init(beta: Float, rowLength: Int) {
    self.beta = beta
    self.rowLength = rowLength
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let scores = frame.input(0, as: Element.self)
    var probabilities = frame.output(0, as: Element.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)

      var largest = -Element.greatestFiniteMagnitude
      for i in row.indices where largest < row[i] { largest = row[i] }
      steps.note("maximum", "of the row", Float(largest))

      var sum: Float = 0
      for i in row.indices {
        steps.about(start + i)
        let weight = steps.note(
          "exponential", "exp((\(row[i]) - \(largest)) × \(beta))",
          FloatMath.exp((Float(row[i]) - Float(largest)) * beta))
        probabilities[start + i] = Element(weight)
        sum += steps.term(weight, of: row, i)
      }
      steps.about(start..<start + rowLength)
      sum = steps.accumulator(sum, of: "exponentials")
      for i in row.indices {
        steps.about(start + i)
        let weight = Float(probabilities[start + i])
        probabilities[start + i] = steps.note(
          "quotient", "\(weight) / \(sum)", element: Element(weight / sum))
      }
    }
  }
}

/// The kernel of `SoftmaxLoop`.
package typealias SoftmaxKernel<Element: TensorElement & BinaryFloatingPoint> = LoopKernel<
  SoftmaxLoop<Element>
>

extension LoopKernel {
  /// The loop over rows of `rowLength` scores.
  package convenience init<Element: TensorElement & BinaryFloatingPoint>(
    beta: Float, rowLength: Int
  ) where Loop == SoftmaxLoop<Element> {
    self.init(SoftmaxLoop(beta: beta, rowLength: rowLength))
  }
}
