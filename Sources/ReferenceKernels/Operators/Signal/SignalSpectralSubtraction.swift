// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalFilterBankSpectralSubtraction = CatalogEntry(
    custom: "SignalFilterBankSpectralSubtraction", chapter: .signal,
    formula: """
      n[c] ← ⌊(2^k x[c] · a + n[c] · b) / 2^s⌋,   \
      y[c] = max(⌊(2^k x[c] − min(n[c], 2^k x[c])) / 2^k⌋, ⌊x[c] · m / 2^s⌋)
      """,
    variants: "u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    SignalFilterBankSpectralSubtraction(options: try SpectralSubtractionOptions(node))
  }
}

/// `SignalFilterBankSpectralSubtraction`: channels without the noise that has been there for long.
///
/// - Input 0: the channels, uint32, `num_channels` elements on one axis.
/// - Output 0: y, uint32. Output 1: n, the estimate of the noise, uint32, which begins as 0. Both
///   are of input 0's shape.
///
/// a is `smoothing` and b `one_minus_smoothing`, or `alternate_…` in channels of odd numbers; k is
/// `smoothing_bits`, s `spectral_subtraction_bits`, m `min_signal_remaining`. With `clamping`, n is
/// at most 2^k x. Products have 64 bits, everything else wraps at 32.
/// TFLite Micro: `signal/src/filter_bank_spectral_subtraction.cc`.
struct SignalFilterBankSpectralSubtraction: Operator {
  let options: SpectralSubtractionOptions
  let state = SignalState()

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let input = try node.signalVector(0, .uint32)
    guard input.shape.elementCount == options.channelCount else {
      throw .invalid("shape \(input.shape), num_channels is \(options.channelCount)", .input(0))
    }
    let loop = SpectralSubtractionLoop(
      options: options, state: state,
      stateByteCount: try SignalState.byteCount(options.channelCount, of: UInt32.self))
    let outputs = [
      try node.signalOutput(.uint32, input.shape),
      try node.signalOutput(.uint32, input.shape, at: 1),
    ]
    return SignalState.prepared(outputs, LoopKernel(loop), byteCount: loop.stateByteCount)
  }
}

/// The options of `SignalFilterBankSpectralSubtraction`.
package struct SpectralSubtractionOptions: Sendable {
  package let channelCount: Int
  /// The factors of the channel and of the estimate so far, for channels of even numbers.
  package let even: (new: UInt32, old: UInt32)
  /// The same for channels of odd numbers.
  package let odd: (new: UInt32, old: UInt32)
  /// The part of a channel that is left at least.
  package let remaining: UInt32
  /// Bits after the point of the estimate.
  package let smoothingBits: Int
  /// Bits after the point of all factors.
  package let factorBits: Int
  /// Whether the estimate is at most the channel.
  package let clamps: Bool

  init(_ node: NodeDescription) throws(KernelError) {
    let map = try node.flexOptions()
    channelCount = try map.signalOption("num_channels", in: 0...(1 << 24))
    even = (try map.signalBits("smoothing"), try map.signalBits("one_minus_smoothing"))
    odd = (
      try map.signalBits("alternate_smoothing"), try map.signalBits("alternate_one_minus_smoothing")
    )
    remaining = try map.signalBits("min_signal_remaining")
    smoothingBits = try map.signalOption("smoothing_bits", in: 0...31)
    factorBits = try map.signalOption("spectral_subtraction_bits", in: 0...63)
    clamps = map["clamping"]?.bool ?? false
  }
}

/// The loop of `SignalFilterBankSpectralSubtraction`.
package struct SpectralSubtractionLoop: SteppedLoop {
  /// The options.
  package let options: SpectralSubtractionOptions
  /// The estimates of the last invocation.
  package let state: SignalState
  let stateByteCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: UInt32.self)
    var output = frame.output(0, as: UInt32.self)
    var noise = frame.output(1, as: UInt32.self)
    let turn = state.turn(stateByteCount, &steps)
    let before = turn.before.span(as: UInt32.self)
    var after = turn.after.mutableSpan(as: UInt32.self)
    for channel in input.indices {
      steps.about(channel, ofOutputs: 0...1)
      let value = steps.read(input, channel)
      let signal = steps.note(
        "signal", "shifted by \(options.smoothingBits) bits", value << UInt32(options.smoothingBits)
      )
      steps.note("noise before", "as the last invocation estimated it", before[channel])
      let factors = channel % 2 == 0 ? options.even : options.odd
      let estimate = steps.note(
        "noise",
        "(signal × \(factors.new) + noise before × \(factors.old)) / 2^\(options.factorBits)",
        UInt32(
          truncatingIfNeeded: (UInt64(signal) * UInt64(factors.new)
            &+ UInt64(before[channel]) * UInt64(factors.old)) >> UInt64(options.factorBits)))
      let subtracted = min(estimate, signal)
      after[channel] = options.clamps ? subtracted : estimate
      steps.about(channel, ofOutputs: 1...1)
      noise[channel] = steps.note(
        "estimate", options.clamps ? "at most the signal" : "as it is", after[channel])
      steps.about(channel, ofOutputs: 0...0)
      let floor = steps.note(
        "floor", "channel × \(options.remaining) / 2^\(options.factorBits)",
        UInt32(
          truncatingIfNeeded: (UInt64(value) * UInt64(options.remaining))
            >> UInt64(options.factorBits)))
      let rest = steps.note(
        "rest", "(signal - noise, or 0) / 2^\(options.smoothingBits)",
        (signal - subtracted) >> UInt32(options.smoothingBits))
      output[channel] = steps.note("stored", "the greater of rest and floor", max(rest, floor))
    }
  }
}
