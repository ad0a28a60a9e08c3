// SPDX-License-Identifier: Apache-2.0

/// A function of int16 codes as 512 straight pieces.
///
/// The upper 9 bits of a code choose the piece, the lower 7 the place on it. Each stored value is
/// moved by half of the error that the piece would have in its middle.
/// TFLite: `LUTPopulateInt16` and `LUTLookup` (`common.h`).
package struct InterpolationTable: Sendable {
  private let values: [Int16]

  /// The table of `function`, evaluated in the precision of `Real`.
  ///
  /// - Parameters:
  ///   - inputs: the real numbers that the codes -32768 and 32767 stand for.
  ///   - outputs: the real numbers that the result codes -32768 and 32767 stand for.
  ///   - function: the function.
  package init<Real: BinaryFloatingPoint>(
    inputs: (lowest: Real, highest: Real), outputs: (lowest: Real, highest: Real),
    _ function: (Real) -> Real
  ) {
    let step = (inputs.highest - inputs.lowest) / 512
    let scale = 65536 / (outputs.highest - outputs.lowest)
    func rounded(_ value: Real) -> Real { value.rounded(.toNearestOrAwayFromZero) }
    func code(_ value: Real) -> Int16 {
      value.isNaN ? 0 : Int16(max(min(value, 32767), -32768))
    }
    values =
      (0..<512).map { piece in
        let left = inputs.lowest + Real(piece) * step
        let value = rounded(function(left) * scale)
        let next = function(inputs.lowest + Real(piece + 1) * step) * scale
        let middle = rounded(function(left + step / 2) * scale)
        let error = rounded((next + value) / 2) - middle
        return code(value - rounded(error / 2))
      } + [code(rounded(function(inputs.highest) * scale))]
  }

  /// The result code of `code`.
  package subscript(code: Int16) -> Int16 {
    let piece = Int(code >> 7) + 256
    let (left, right) = (Int32(values[piece]), Int32(values[piece + 1]))
    // |right − left| < 2^16 and the place is below 2^7: no overflow in 32 bits.
    let delta = ((right - left) * Int32(code & 0x7F) + 64) >> 7
    return Int16(truncatingIfNeeded: left + delta)
  }
}
