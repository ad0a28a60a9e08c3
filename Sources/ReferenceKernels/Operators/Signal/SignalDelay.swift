// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalDelay = CatalogEntry(
    custom: "SignalDelay", chapter: .signal,
    formula: "y[t] = x[t − delay_length],   samples before the first being 0",
    variants: "i16", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in
    SignalDelay(length: try node.flexOptions().signalOption("delay_length", in: 0...(1 << 20)))
  }
}

/// `SignalDelay`: frames of samples that come later.
///
/// - Input 0: int16; the last axis has samples in order, going on from one invocation to the next.
/// - Output: int16, of the same shape.
///
/// TFLite Micro: `signal/micro/kernels/delay.cc`.
struct SignalDelay: Operator {
  let length: Int
  let state = SignalState()

  /// The most samples that all delays of a node hold.
  private static let heldLimit = 1 << 24

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    try input.expect(.int16, .input(0))
    let frameLength = try input.shape.frameLength()
    let rows = input.shape.elementCount / frameLength
    guard rows <= Self.heldLimit / max(length, 1) else {
      throw .invalid("delay_length \(length) for frames of shape \(input.shape)", .input(0))
    }
    let loop = SignalDelayLoop(
      length: length, frameLength: frameLength, state: state,
      stateByteCount: try SignalState.byteCount(rows, length, of: Int16.self))
    return SignalState.prepared(
      [try node.signalOutput(.int16, input.shape)], LoopKernel(loop),
      byteCount: loop.stateByteCount)
  }
}

/// The loop of `SignalDelay`.
package struct SignalDelayLoop: SteppedLoop {
  /// Samples by which others come later.
  package let length: Int
  /// Samples of a frame.
  package let frameLength: Int
  /// The last samples of each frame's signal.
  package let state: SignalState
  let stateByteCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    var output = frame.output(0, as: Int16.self)
    let count = input.count / frameLength
    let turn = state.turn(stateByteCount, &steps)
    let before = turn.before.span(as: Int16.self)
    var after = turn.after.mutableSpan(as: Int16.self)
    for row in 0..<count {
      let (first, held) = (row * frameLength, row * length)
      for index in 0..<frameLength {
        steps.about(first + index)
        output[first + index] =
          index < length
          ? steps.note("held", "sample of an earlier invocation, or 0", before[held + index])
          : steps.moved(input, first + index - length)
      }
      for index in 0..<length {
        let place = frameLength + index
        after[held + index] =
          place < length ? before[held + place] : input[first + place - length]
      }
    }
  }
}
