// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A function of 8-bit quantized values as its 256 values.
///
///     y = clamp(z_y + round(f(s_x (x − z_x)) / s_y))
///
/// Everything is float32: the division is a product with the rounded reciprocal, and halves are
/// rounded away from zero. NaN becomes the quantized value 0. TFLite: `LUTPopulateInt8`
/// (`common.h`).
package struct ByteTable<Element: TensorElement & FixedWidthInteger>: UnaryArithmetic {
  /// The results by operand, its bits read as an unsigned number.
  package let values: [Element]
  /// The function that is tabulated.
  package let function: @Sendable (Float) -> Float
  /// What operands stand for.
  package let input: Affine
  /// What results stand for.
  package let output: Affine

  /// The table of `function` between quantized operands and results.
  @inline(never)
  package init(_ function: FunctionOfTable, input: Affine, output: Affine) {
    let function = function(output.scale * Float(Int32(Element.min) &- output.zeroPoint))
    self.function = function
    self.input = input
    self.output = output
    values = (0..<256).map { bits in
      var steps = NoSteps()
      return Self.entry(
        of: Element(truncatingIfNeeded: bits), function, input: input, output: output, &steps)
    }
  }

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    let index = Int(UInt8(truncatingIfNeeded: value))
    return steps.precomputed(values[index]) { steps in
      steps.note("table entry", "of 256; \(value) as an unsigned byte", index)
      return Self.entry(
        of: value, function, input: input, output: output, &steps)
    }
  }

  /// The result for one operand.
  private static func entry(
    of value: Element, _ function: (Float) -> Float, input: Affine, output: Affine,
    _ steps: inout some Steps
  ) -> Element {
    let distance = steps.difference(Int32(value), input.zeroPoint, "distance")
    let real = steps.product(input.scale, Float(distance), "real value")
    let result = steps.note("function", "f(\(real))", function(real))
    let inverseScale = steps.quotient(1, output.scale, "reciprocal")
    let rounded = steps.rounded(steps.product(result, inverseScale, "quotient"))
    let quantized = steps.sum(rounded, Float(output.zeroPoint), "zero point")
    guard !quantized.isNaN else {
      return steps.note("stored", "what is not a number becomes the quantized value 0", 0)
    }
    return steps.note(
      "stored", "\(quantized) to \(Element.min)...\(Element.max)",
      Element(
        truncatingIfNeeded: Int32(
          max(Float(Int32(Element.min)), min(Float(Int32(Element.max)), quantized)))))
  }
}

/// A function of int16 quantized values as 513 values, 128 quantized values apart, with linear
/// interpolation.
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

    /// The value.
    package var value: Int16 {
      let quanta = sample - correction
      return quanta.isNaN ? 0 : Int16(max(-32768, min(32767, quanta)))
    }
  }

  /// The values at the quantized values −32768, −32640, …, 32768.
  package let values: [Int16]
  /// What the value at a position is made of.
  package let entry: @Sendable (Int) -> Entry

  /// The table of `function` between quantized operands and results.
  package init(_ function: FunctionOfTable, input: Affine, output: Affine) {
    self.init(
      inputScale: input.scale, inputZeroPoint: input.zeroPoint, outputScale: output.scale,
      outputZeroPoint: output.zeroPoint,
      function(Float(-32768 &- output.zeroPoint) * output.scale))
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
    let quantaPerUnit = 65536 / (highest - lowest)
    let entry: @Sendable (Int) -> Entry = { index in
      func steps(_ real: Real) -> Real {
        (real * quantaPerUnit).rounded(.toNearestOrAwayFromZero)
      }
      let start = index < 512 ? first + Real(index) * step : last
      let sample = steps(function(start))
      guard index < 512 else {
        let end = Double(sample)
        return Entry(start: Double(start), sample: end, middle: end, next: end, correction: 0)
      }
      let middle = steps(function(start + step / 2))
      let next = function(first + Real(index + 1) * step) * quantaPerUnit
      let interpolated = ((next + sample) / 2).rounded(.toNearestOrAwayFromZero)
      let correction = ((interpolated - middle) / 2).rounded(.toNearestOrAwayFromZero)
      return Entry(
        start: Double(start), sample: Double(sample), middle: Double(middle), next: Double(next),
        correction: Double(correction))
    }
    self.entry = entry
    values = (0..<513).map { entry($0).value }
  }

  @inline(__always)
  package func apply(_ value: Int16, _ steps: inout some Steps) -> Int16 {
    let index = 256 + Int(value >> 7)
    let rest = Int32(value & 0x7F)
    steps.note("table entry", "floor(\(value) / 128) + 256, of 513", index)
    steps.note("rest", "\(value) - 128 × (\(index) - 256)", rest)
    let base = self.value(at: index, "lower value", &steps)
    // Differences wrap at 16 bits.
    let slope = Int32(self.value(at: index + 1, "upper value", &steps) &- base)
    let rise = steps.note(
      "interpolation", "floor((\(slope.operand) × \(rest) + 64) / 128)",
      (slope * rest + 64) >> 7)
    return steps.sum(base, Int16(truncatingIfNeeded: rise), "stored")
  }

  /// One of the values, from the function around it.
  @inline(__always)
  private func value(
    at index: Int, _ name: StaticString, _ steps: inout some Steps
  ) -> Int16 {
    steps.precomputed(values[index]) { steps in
      let entry = entry(index)
      steps.note("sample", "round(f(\(entry.start)) / output scale)", entry.sample)
      if index < values.count - 1 {
        steps.note(
          "correction",
          "(round((\(entry.sample) + \(entry.next.operand)) / 2) - \(entry.middle.operand)) / 2, "
            + "rounded: half the error in the middle", entry.correction)
      }
      return steps.note(
        "\(name)", "entry \(index): \(entry.sample) - \(entry.correction.operand) as Int16",
        entry.value)
    }
  }
}
