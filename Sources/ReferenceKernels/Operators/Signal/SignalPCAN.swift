// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalPCAN = CatalogEntry(
    custom: "SignalPCAN", chapter: .signal,
    formula: """
      y[c] = shrink(⌊x[c] · g(n[c]) / 2^snr_shift⌋ / 2¹²) · 2⁶,   \
      shrink(s) = s² / 4 if s < 2, else s − 1
      """,
    variants: "u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    SignalPCAN(shift: try node.flexOptions().signalOption("snr_shift", in: 0...63))
  }
}

/// `SignalPCAN`: per-channel amplitude normalization, a gain control by the noise of each channel.
///
/// - Input 0: the channels, uint32. Input 1: n, their noise, uint32, of the same shape.
/// - Input 2: the gain g, int16: its values at 0, 1 and 2, then for every power of two four numbers:
///   the three coefficients of a parabola up to the next power, and one that is not read.
/// - Output: uint32, of input 0's shape. All have one axis.
///
/// TFLite Micro: `signal/src/pcan_argc_fixed.cc`.
struct SignalPCAN: Operator {
  let shift: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let input = try node.signalVector(0, .uint32)
    guard try node.signalVector(1, .uint32).shape == input.shape else {
      throw .invalid("shape other than input 0's, \(input.shape)", .input(1))
    }
    _ = try node.signalVector(2, .int16)
    return Prepared(
      try node.signalOutput(.uint32, input.shape),
      LoopKernel(SignalPCANLoop(shift: UInt64(shift))))
  }
}

/// The loop of `SignalPCAN`.
package struct SignalPCANLoop: SteppedLoop {
  /// The bits by which products are shifted to the right.
  package let shift: UInt64

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: UInt32.self)
    let noise = frame.input(1, as: UInt32.self)
    let table = frame.input(2, as: Int16.self)
    var output = frame.output(0, as: UInt32.self)
    for channel in output.indices {
      steps.about(channel)
      let value = steps.read(input, channel)
      let gain = steps.note(
        "gain", "of the noise", try Self.gain(steps.read(noise, channel), table, &steps))
      // A negative gain becomes a number of 32 bits, as in the runtime.
      let factor = UInt64(UInt32(bitPattern: Int32(gain)))
      let ratio = steps.note(
        "signal to noise", "channel × gain / 2^\(shift), 12 bits after the point",
        UInt32(truncatingIfNeeded: (UInt64(value) * factor) >> shift))
      output[channel] = steps.note(
        "shrunk", "s² / 4 below 2, else s - 1, 6 bits after the point",
        ratio < 2 << 12 ? (ratio &* ratio) >> 20 : ratio >> 6 - 1 << 6)
    }
  }

  /// The gain for a noise, from the parabola of its power of two.
  ///
  /// - Throws: `KernelError` where the table is too short.
  @inline(__always)
  private static func gain(
    _ noise: UInt32, _ table: Span<Int16>, _ steps: inout some Steps
  ) throws(KernelError) -> Int16 {
    let digits = 32 - noise.leadingZeroBitCount
    let first = noise <= 2 ? Int(noise) : 4 * digits - 6
    guard first + (noise <= 2 ? 0 : 2) < table.count else {
      throw .invalid("\(table.count) gains, none for a noise of \(noise)", .input(2))
    }
    let base = steps.read(table, first)
    guard noise > 2 else { return base }
    let shifted = digits < 11 ? noise << (11 - digits) : noise >> (digits - 11)
    let fraction = Int32(shifted & 0x3FF)
    let square = (Int32(steps.read(table, first + 2)) * fraction) >> 5
    let slope = square &+ Int32(steps.read(table, first + 1)) << 5
    let rise = (slope &* fraction &+ 1 << 14) >> 15
    return Int16(truncatingIfNeeded: rise &+ Int32(base))
  }
}
