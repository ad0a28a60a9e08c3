// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalFilterBankLog = CatalogEntry(
    custom: "SignalFilterBankLog", chapter: .signal,
    formula: "y[c] = min(round(output_scale · ln(x[c] · 2^input_correction_bits)), 2¹⁵ − 1)",
    variants: "u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.flexOptions()
    return SignalFilterBankLog(
      correctionBits: try options.signalOption("input_correction_bits", in: 0...31),
      scale: try options.signalBits("output_scale"))
  }
}

/// `SignalFilterBankLog`: natural logarithms in fixed point.
///
/// - Input 0: uint32, of one axis.
/// - Output: int16, of the same shape; 0 for numbers below 2.
///
/// TFLite Micro: `signal/src/filter_bank_log.cc`, `log.cc`.
struct SignalFilterBankLog: Operator {
  let correctionBits: Int
  let scale: UInt32

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.signalVector(0, .uint32)
    return Prepared(
      try node.signalOutput(.int16, input.shape),
      LoopKernel(
        SignalFilterBankLogLoop(correctionBits: UInt32(correctionBits), scale: scale)))
  }
}

/// The loop of `SignalFilterBankLog`: log₂ from a table of 128 segments, in 16 bits after the point.
package struct SignalFilterBankLogLoop: SteppedLoop {
  /// Bits by which numbers are shifted to the left first.
  package let correctionBits: UInt32
  /// What logarithms are multiplied by.
  package let scale: UInt32
  /// What log₂(1 + i / 128) has above i / 128, times 2^16.
  private let table = (0...128).map { index in
    let part = Double(index) / 128
    return UInt32((65536 * (FloatMath.log(1 + part) / FloatMath.log(2) - part)).rounded())
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: UInt32.self)
    var output = frame.output(0, as: Int16.self)
    for index in output.indices {
      steps.about(index)
      let number = steps.note(
        "number", "shifted by \(correctionBits) bits", steps.read(input, index) << correctionBits)
      guard number > 1 else {
        output[index] = steps.note("logarithm", "of a number below 2", Int16(0))
        continue
      }
      let binary = steps.note("binary logarithm", "times 2^16, by the table", logarithm(number))
      // ln 2 · 2^16.
      let natural = steps.note(
        "natural logarithm", "× 45426 / 2^16, halves up",
        UInt32(truncatingIfNeeded: (45426 * UInt64(binary) + 1 << 15) >> 16))
      let scaled = (scale &* natural &+ 1 << 15) >> 16
      output[index] = steps.note(
        "scaled", "by \(scale) / 2^16, halves up, at most 2^15 - 1", Int16(clamping: scaled))
    }
  }

  /// log₂ of a number above 0, times 2^16.
  private func logarithm(_ number: UInt32) -> UInt32 {
    let exponent = UInt32(31 - number.leadingZeroBitCount)
    let rest = Int32(truncatingIfNeeded: number & ~(1 << exponent))
    let fraction = exponent < 16 ? rest << (16 - exponent) : rest >> (exponent - 16)
    let segment = Int(fraction >> 9)
    let (low, high) = (Int32(table[segment]), Int32(table[segment + 1]))
    let position = ((high - low) * (fraction & 511)) >> 16
    return exponent << 16 + UInt32(truncatingIfNeeded: fraction + low + position)
  }
}
