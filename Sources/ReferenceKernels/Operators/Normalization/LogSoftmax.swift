// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let logSoftmax = CatalogEntry(
    .logSoftmax, chapter: .normalization,
    formula: "y[i] = (x[i] − max x) − ln Σj exp(x[j] − max x)", versions: .upTo(2),
    variants: "f32 u8_q i8_q", optimized: "f32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ throws(KernelError) in LogSoftmax() }
}

/// `LOG_SOFTMAX`: the logarithms of each row's probabilities.
///
/// A row is the innermost axis. For 8-bit scores see `QuantizedLogSoftmaxKernel`.
/// TFLite: `activations.cc`, `reference/log_softmax.h`, `integer_ops/log_softmax.h`.
struct LogSoftmax: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    guard let rowLength = input.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    let type = output.with(shape: input.shape)
    switch input.elementType {
    case .float32: return Prepared(type, LogSoftmaxKernel(rowLength: rowLength))
    case .uint8:
      try expectOutput(output, zeroPoint: 255)
      return Prepared(
        type, QuantizedLogSoftmaxKernel<UInt8>(try scaling(node), rowLength: rowLength))
    case .int8:
      try expectOutput(output, zeroPoint: 127)
      return Prepared(
        type, QuantizedLogSoftmaxKernel<Int8>(try scaling(node), rowLength: rowLength))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func expectOutput(_ output: TensorType, zeroPoint: Int32) throws(KernelError) {
    guard try output.affine(.output(0)) == Affine(scale: 16.0 / 256, zeroPoint: zeroPoint) else {
      throw .invalid("scale must be 16/256 and zero point \(zeroPoint)", .output(0))
    }
  }

  private func scaling(_ node: PrepareContext) throws(KernelError) -> ScaledDifference {
    let scaling = try ScaledDifference(
      beta: 1, scale: try node.input(0).affine(.input(0)).scale, rounding: node.rounding)
    // Quantized values would differ by too little for the way back; TFLite aborts.
    guard scaling.multiplier.exponent > 0 else {
      throw .invalid("scale is below 2^-26", .input(0))
    }
    return scaling
  }
}

/// The float loop of `LOG_SOFTMAX`.
package final class LogSoftmaxKernel: SteppedKernel {
  /// Scores in a row.
  package let rowLength: Int

  /// The loop over rows of `rowLength` scores.
  package init(rowLength: Int) { self.rowLength = rowLength }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let scores = frame.input(0, as: Float.self)
    var logarithms = frame.output(0, as: Float.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var largest = -Float.greatestFiniteMagnitude
      for i in row.indices where largest < row[i] { largest = row[i] }
      steps.note("maximum", "of the row", largest)
      var sum: Float = 0
      for i in row.indices { sum += steps.term(FloatMath.exp(row[i] - largest), of: row, i) }
      sum = steps.accumulator(sum, of: "exponentials")
      let logarithm = steps.note("logarithm", "ln \(sum)", FloatMath.log(sum))
      for i in row.indices {
        steps.about(start + i)
        logarithms[start + i] = steps.difference(
          steps.difference(row[i], largest), logarithm, "logarithm")
      }
    }
  }
}

/// The loop of `LOG_SOFTMAX` for 8-bit scores.
///
///     y = highest quantized + round((d − ln Σ exp(d)) · 16),   d = s (q − max q)
///
/// in gemmlowp's fixed point, see `FixedPoint`: quantized values span -16 to 0.
package struct QuantizedLogSoftmaxLoop<Quantized>: SteppedLoop
where Quantized: TensorElement & FixedWidthInteger {
  package static var family: LoopFamily? { LoopFamily(.normalization, Quantized.elementType) }

  /// How differences of quantized values are scaled.
  package let scaling: ScaledDifference
  /// Scores in a row.
  package let rowLength: Int
  /// The factor from scaled differences back to quantized values.
  package let inverse: FixedPointMultiplier

  /// The loop over rows of `rowLength` scores.
  package init(_ scaling: ScaledDifference, rowLength: Int) {
    self.scaling = scaling
    self.rowLength = rowLength
    let multiplier = scaling.multiplier
    inverse = FixedPointMultiplier(
      Double(Int64(1) << Int64(31 - multiplier.exponent)) / Double(multiplier.significand),
      rounding: multiplier.rounding)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let scores = frame.input(0, as: Quantized.self)
    var logarithms = frame.output(0, as: Quantized.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var largest = Quantized.min
      for i in row.indices { largest = max(largest, row[i]) }
      steps.note("maximum", "of the row", largest)
      let sum = scaling.sum(row, below: Int32(largest), &steps)
      let logarithm = steps.note(
        "logarithm", "ln of the sum with 26 fraction bits, by gemmlowp's function",
        FixedPoint.logarithm(ofAtLeastOne: sum))
      // Differences so low that the result would leave the format give the lowest value.
      let limit = max(scaling.lowest - 1, inverse.scale(logarithm &+ Int32.min))
      for i in row.indices {
        steps.about(start + i)
        let difference = steps.difference(Int32(row[i]), Int32(largest))
        guard difference > limit else {
          logarithms[start + i] = steps.note(
            "stored", "the lowest value: the difference is not above \(limit)", Quantized.min)
          continue
        }
        let scaled = steps.scale(difference, by: scaling.multiplier)
        let value = steps.shift(steps.difference(scaled, logarithm, "logarithm"), by: 22)
        let quantized = steps.sum(value, Int32(Quantized.max), "highest value")
        logarithms[start + i] = steps.store(quantized, Quantized(clamping: quantized))
      }
    }
  }
}

/// The kernel of `QuantizedLogSoftmaxLoop`.
package typealias QuantizedLogSoftmaxKernel<Quantized> = LoopKernel<
  QuantizedLogSoftmaxLoop<Quantized>
>
where Quantized: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over rows of `rowLength` scores.
  package convenience init<Quantized>(_ scaling: ScaledDifference, rowLength: Int)
  where Loop == QuantizedLogSoftmaxLoop<Quantized>, Quantized: TensorElement & FixedWidthInteger {
    self.init(QuantizedLogSoftmaxLoop(scaling, rowLength: rowLength))
  }
}
