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

  /// The table of `function` between quantised operands and results.
  package init(_ function: some RealFunction, input: Affine, output: Affine) {
    let lowest = output.scale * Float(Int32(Element.min) &- output.zeroPoint)
    let function = function.tabulated(lowest: lowest)
    let inverseScale = 1 / output.scale
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
  /// The values at the codes −32768, −32640, …, 32768.
  package let values: [Int16]

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
  package init<Real: BinaryFloatingPoint>(
    inputScale: Real, inputZeroPoint: Int32, outputScale: Real, outputZeroPoint: Int32,
    _ function: (Real) -> Real
  ) {
    let first = inputScale * Real(-32768 &- inputZeroPoint)
    let last = inputScale * Real(32767 &- inputZeroPoint)
    let lowest = outputScale * Real(-32768 &- outputZeroPoint)
    let highest = outputScale * Real(32767 &- outputZeroPoint)
    let step = (last - first) / 512
    let codesPerUnit = 65536 / (highest - lowest)
    func steps(_ real: Real) -> Real {
      (real * codesPerUnit).rounded(.toNearestOrAwayFromZero)
    }
    func code(_ steps: Real) -> Int16 {
      steps.isNaN ? 0 : Int16(max(-32768, min(32767, steps)))
    }
    var values: [Int16] = []
    values.reserveCapacity(513)
    for index in 0..<512 {
      let start = first + Real(index) * step
      let sample = steps(function(start))
      let middle = steps(function(start + step / 2))
      let next = function(first + Real(index + 1) * step) * codesPerUnit
      let interpolated = ((next + sample) / 2).rounded(.toNearestOrAwayFromZero)
      let correction = ((interpolated - middle) / 2).rounded(.toNearestOrAwayFromZero)
      values.append(code(sample - correction))
    }
    values.append(code(steps(function(last))))
    self.values = values
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
