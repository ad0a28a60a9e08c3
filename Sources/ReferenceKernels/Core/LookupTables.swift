// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A function of 8-bit codes as its 256 values.
///
///     y = clamp(z_y + round(f(s_x (x − z_x)) / s_y))
///
/// Everything is float32: the division is a product with the rounded reciprocal, and halves are
/// rounded away from zero. NaN becomes the code 0. TFLite: `LUTPopulateInt8` (`common.h`).
package struct ByteTable<Element: TensorElement & FixedWidthInteger>: UnaryArithmetic {
  /// The results by operand, its bits read as an unsigned number.
  package let values: [Element]
  /// The function that is tabulated.
  package let function: @Sendable (Float) -> Float
  /// What operands stand for.
  package let input: Affine
  /// What results stand for.
  package let output: Affine

  /// The table of `function` between quantised operands and results.
  package init(_ function: some RealFunction, input: Affine, output: Affine) {
    let lowest = output.scale * Float(Int32(Element.min) &- output.zeroPoint)
    let function = function.tabulated(lowest: lowest)
    let inverseScale = 1 / output.scale
    self.function = { function($0) }
    self.input = input
    self.output = output
    values = (0..<256).map { bits in
      let code = Int32(Element(truncatingIfNeeded: bits))
      let real = function(input.scale * Float(code &- input.zeroPoint))
      let steps = (real * inverseScale).rounded(.toNearestOrAwayFromZero)
      let result = steps + Float(output.zeroPoint)
      return result.isNaN ? 0 : Element(max(Float(Element.min), min(Float(Element.max), result)))
    }
  }

  @inline(__always)
  package func apply(_ value: Element) -> Element {
    values[Int(UInt8(truncatingIfNeeded: value))]
  }
}

/// A function of int16 codes as 513 values, 128 codes apart, with linear interpolation.
///
///     y = t[i] + ((t[i + 1] − t[i]) · r + 64) / 128,   x = 128 (i − 256) + r
///
/// Each value is corrected by half the error that interpolation makes in the middle of its
/// interval. TFLite: `LUTPopulateInt16` and `LUTLookup` (`common.h`).
package struct InterpolatedTable: UnaryArithmetic {
  /// What one of the values is made of; all but `start` are steps of the output's scale.
  package struct Entry: Sendable {
    /// The real number that the value belongs to.
    package let start: Double
    /// The function there, rounded.
    package let sample: Double
    /// The function in the middle of the interval that begins there, rounded.
    package let middle: Double
    /// The function at the end of the interval.
    package let next: Double
    /// Half of what interpolation is wrong by in the middle, rounded.
    package let correction: Double
  }

  /// The values at the codes −32768, −32640, …, 32768.
  package let values: [Int16]
  /// What the value at a position is made of.
  package let entry: @Sendable (Int) -> Entry

  /// The table of `function` between quantised operands and results.
  package init(_ function: some RealFunction, input: Affine, output: Affine) {
    let lowest = Float(-32768 &- output.zeroPoint) * output.scale
    let function = function.tabulated(lowest: lowest)
    self.init(
      inputScale: input.scale, inputZeroPoint: input.zeroPoint, outputScale: output.scale,
      outputZeroPoint: output.zeroPoint
    ) { function($0) }
  }

  /// The table of `function` in the precision of `Real`.
  ///
  /// A value that is not a number, as differences of infinities give, becomes 0.
  package init<Real: BinaryFloatingPoint & Sendable>(
    inputScale: Real, inputZeroPoint: Int32, outputScale: Real, outputZeroPoint: Int32,
    _ function: @escaping @Sendable (Real) -> Real
  ) {
    let first = inputScale * Real(-32768 &- inputZeroPoint)
    let last = inputScale * Real(32767 &- inputZeroPoint)
    let lowest = outputScale * Real(-32768 &- outputZeroPoint)
    let highest = outputScale * Real(32767 &- outputZeroPoint)
    let step = (last - first) / 512
    let codesPerUnit = 65536 / (highest - lowest)
    let entry: @Sendable (Int) -> Entry = { index in
      func steps(_ real: Real) -> Real {
        (real * codesPerUnit).rounded(.toNearestOrAwayFromZero)
      }
      let start = index < 512 ? first + Real(index) * step : last
      let sample = steps(function(start))
      guard index < 512 else {
        let end = Double(sample)
        return Entry(start: Double(start), sample: end, middle: end, next: end, correction: 0)
      }
      let middle = steps(function(start + step / 2))
      let next = function(first + Real(index + 1) * step) * codesPerUnit
      let interpolated = ((next + sample) / 2).rounded(.toNearestOrAwayFromZero)
      let correction = ((interpolated - middle) / 2).rounded(.toNearestOrAwayFromZero)
      return Entry(
        start: Double(start), sample: Double(sample), middle: Double(middle), next: Double(next),
        correction: Double(correction))
    }
    self.entry = entry
    values = (0..<513).map { index in
      let parts = entry(index)
      let steps = parts.sample - parts.correction
      return steps.isNaN ? 0 : Int16(max(-32768, min(32767, steps)))
    }
  }

  @inline(__always)
  package func apply(_ value: Int16) -> Int16 {
    let index = 256 + Int(value >> 7)
    let base = values[index]
    let slope = Int32(values[index + 1] &- base)
    let rise = (slope * Int32(value & 0x7F) + 64) >> 7
    return base &+ Int16(truncatingIfNeeded: rise)
  }
}
