// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package import Tensors

/// The difference of an 8-bit quantized value to the largest of its row, scaled to a real number.
///
///     d = β s (q − max q), as a Q5 number (5 integer bits, so down to -32)
package struct ScaledDifference: Sendable {
  /// The factor `β s 2^26`.
  package let multiplier: FixedPointMultiplier
  /// Quantized values further below the largest than this count as nothing: `d` would exceed 5
  /// bits.
  package let lowest: Int32

  /// The scaling of quantized values of this scale.
  ///
  /// Where β times the scale is at most 2^-26, exponentials are 1 but for 21 bits. TFLite's
  /// reference kernel aborts then, its default one has the same quantized values.
  ///
  /// - Throws: `KernelError` where β times the scale is no number from 0 on.
  init(beta: Float, scale: Float, rounding: Rounding) throws(KernelError) {
    let limit = rounding == .double ? 0x1p31 - 1.0 : 0x1p30 - 1.0
    let factor = min(Double(beta) * Double(scale) * 0x1p26, limit)
    guard factor >= 0 else { throw .invalid("beta times scale is not from 0 on", .input(0)) }
    multiplier = FixedPointMultiplier(factor, rounding: rounding)
    let radius = 31 * 0x1p26 / Double(Int64(1) << Int64(max(multiplier.exponent, 0)))
    lowest = -Int32(radius.rounded(.down))
  }

  /// The exponential of a difference of quantized values, as a Q0 number.
  @inline(__always)
  func exponential(_ difference: Int32) -> Int32 {
    FixedPoint.exponential(ofNegative: multiplier.scale(difference))
  }

  /// The sum of the exponentials of a row, as a Q12 number, which wraps beyond 4095.
  func sum<Quantized: TensorElement & FixedWidthInteger>(
    _ row: Span<Quantized>, below largest: Int32, _ steps: inout some Steps
  ) -> Int32 {
    var sum: Int32 = 0
    for i in row.indices {
      let difference = Int32(row[i]) - largest
      let weight = steps.term(difference < lowest ? 0 : exponential(difference), of: row, i)
      sum &+= FixedPointMultiplier.roundingShift(weight, by: 12)
    }
    return steps.note("sum", "of all exponentials, each rounded to 19 fraction bits", sum)
  }
}

/// The loop of `SOFTMAX` for 8-bit scores, without tables.
///
///     y = lowest quantized + round(exp(d) / Σ exp(d) · 2^bits)
///
/// Exponentials and reciprocal are gemmlowp's, see `FixedPoint`. The output quantization
/// is not looked at: quantized values span probabilities from 0 to 1.
package struct QuantizedSoftmaxLoop<Input, Output>: SteppedLoop
where
  Input: TensorElement & FixedWidthInteger, Output: TensorElement & FixedWidthInteger
{
  package static var family: LoopFamily? { LoopFamily(.normalization, Input.elementType) }

  /// How differences of quantized values are scaled.
  package let scaling: ScaledDifference
  /// Scores in a row.
  package let rowLength: Int

  /// The loop over rows of `rowLength` scores.
  package init(_ scaling: ScaledDifference, rowLength: Int) {
    self.scaling = scaling
    self.rowLength = rowLength
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let scores = frame.input(0, as: Input.self)
    var probabilities = frame.output(0, as: Output.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var largest = Input.min
      for i in row.indices { largest = max(largest, row[i]) }
      steps.note("maximum", "of the row", largest)

      let sum = scaling.sum(row, below: Int32(largest), &steps)
      let (reciprocal, bits) = FixedPoint.reciprocal(sum)
      steps.note(
        "reciprocal", "1 / sum with 31 fraction bits, \(bits) bits shifted, by three Newton steps",
        reciprocal)
      // `bits` locations the sum's first bit if it were an integer; it has 12 integer bits.
      let shift = bits + 12 - Int32(Output.bitWidth)
      guard shift >= 0 else {
        throw .unsupported("a row of \(rowLength) scores sums up beyond 13 bits", .input(0))
      }
      for i in row.indices {
        steps.about(start + i)
        let difference = steps.difference(Int32(row[i]), Int32(largest))
        guard difference >= scaling.lowest else {
          probabilities[start + i] = steps.note(
            "stored", "the lowest value: the difference is below \(scaling.lowest)", Output.min)
          continue
        }
        let exponential = steps.note(
          "exponential", "e^d with 31 fraction bits, by gemmlowp's function",
          scaling.exponential(difference))
        let weight = steps.note(
          "high product", "round(\(exponential) × \(reciprocal) / 2^31), halves up",
          FixedPoint.product(reciprocal, exponential))
        // Over so flat a row every probability rounds to 0; TFLite aborts.
        let value = shift > 31 ? 0 : steps.shift(weight, by: shift)
        let quantized = steps.sum(value, Int32(Output.min), "lowest value")
        probabilities[start + i] = steps.store(quantized, Output(clamping: quantized))
      }
    }
  }
}

/// The loop of `SOFTMAX` for int16 scores, with tables of the exponential and the reciprocal.
///
///     y = exp(d) · 1 / Σ exp(d)
///
/// Differences `d` below -10 count as -10. The sum of the exponentials, Q15 numbers, is
/// normalized to `2^k (1 + f)`; the second table gives `1 / (1 + f)`.
package final class Int16SoftmaxKernel: SteppedKernel {
  /// The factor from differences of quantized values to quantized values of the first table, whose
  /// range is 10.
  package let multiplier: FixedPointMultiplier
  /// Scores in a row.
  package let rowLength: Int

  /// The exponential of differences down to -10.
  package static let exponentials = InterpolatedTable(
    inputScale: 10.0 / 65535, inputZeroPoint: 32767, outputScale: 2.0 / 65535, outputZeroPoint: 0,
    exp)
  /// `1 / (1 + f)` of fractions.
  package static let reciprocals = InterpolatedTable(
    inputScale: 1.0 / 65535, inputZeroPoint: -32768, outputScale: 2.0 / 65535, outputZeroPoint: 0
  ) { (fraction: Double) -> Double in 1 / (1 + fraction) }

  /// The loop over rows of `rowLength` scores.
  package init(_ multiplier: FixedPointMultiplier, rowLength: Int) {
    self.multiplier = multiplier
    self.rowLength = rowLength
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let scores = frame.input(0, as: Int16.self)
    var probabilities = frame.output(0, as: Int16.self)
    guard rowLength > 0 else { return }
    let (exponentials, reciprocals) = (Self.exponentials, Self.reciprocals)
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var largest = Int16.min
      for i in row.indices { largest = max(largest, row[i]) }
      steps.note("maximum", "of the row", largest)

      // Wraps where a row has more than 65,536 scores close to the largest.
      var sum: Int32 = 0
      for i in row.indices {
        steps.about(start + i)
        let difference = steps.difference(Int32(row[i]), Int32(largest))
        let scaled = steps.scale(difference, by: multiplier)
        let operand = steps.note(
          "table operand", "\(scaled) + 32767 as Int16", Int16(clamping: scaled &+ 32767))
        let weight = exponentials.apply(operand, &steps)
        probabilities[start + i] = weight
        sum &+= steps.term(Int32(weight), of: row, i)
      }
      steps.about(start..<start + rowLength)
      sum = steps.accumulator(sum, of: "exponentials, each with 15 fraction bits")
      let headroom = Int64(sum.leadingZeroBitCount)
      let normalized = steps.note(
        "normalized sum", "\(sum) × 2^\(headroom - 1), rounded to 16 fraction bits",
        (Int64(sum) << (headroom - 1) + 1 << 13) >> 14)
      let fraction = steps.note(
        "fraction", "\(normalized) - 98304 as Int16",
        Int16(clamping: normalized - (1 << 15 + 1 << 16)))
      let reciprocal = Int64(reciprocals.apply(fraction, &steps))
      let shift = 31 - headroom
      for i in row.indices {
        steps.about(start + i)
        let product = steps.product(Int64(probabilities[start + i]), reciprocal)
        let value = steps.note(
          "rounding", "round(\(product) / 2^\(shift)), halves up",
          (product + 1 << (shift - 1)) >> shift)
        probabilities[start + i] = steps.note(
          "stored", "\(value) to 0...32767", Int16(max(0, min(value, 32767))))
      }
    }
  }
}

/// The kernel of `QuantizedSoftmaxLoop`.
package typealias QuantizedSoftmaxKernel<Input, Output> = LoopKernel<
  QuantizedSoftmaxLoop<Input, Output>
> where Input: TensorElement & FixedWidthInteger, Output: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over rows of `rowLength` scores.
  package convenience init<Input, Output>(_ scaling: ScaledDifference, rowLength: Int)
  where
    Loop == QuantizedSoftmaxLoop<Input, Output>, Input: TensorElement & FixedWidthInteger,
    Output: TensorElement & FixedWidthInteger
  {
    self.init(QuantizedSoftmaxLoop(scaling, rowLength: rowLength))
  }
}
