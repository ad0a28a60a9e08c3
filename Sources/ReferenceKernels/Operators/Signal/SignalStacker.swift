// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalStacker = CatalogEntry(
    custom: "SignalStacker", chapter: .signal,
    formula: "y[l · channels + c] = x[t − left − right + l, c],   0 ≤ l ≤ left + right",
    variants: "i16", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.flexOptions()
    return SignalStacker(
      channelCount: try options.signalOption("num_channels", in: 1...(1 << 20)),
      left: try options.signalOption("stacker_left_context", in: 0...(1 << 20)),
      right: try options.signalOption("stacker_right_context", in: 0...(1 << 20)),
      step: try options.signalOption("stacker_step", in: 1...(1 << 20)))
  }
}

/// `SignalStacker`: the channels of neighboring frames, one frame after the other.
///
/// - Input 0: a frame, int16, `num_channels` elements on one axis.
/// - Output 0: int16, the last `stacker_left_context` + `stacker_right_context` + 1 frames.
/// - Output 1: a bool scalar, whether output 0 is made in this invocation: from the one on that has
///   given the right context, every `stacker_step` invocations.
///
/// The first frame is its own left context. In other invocations output 0 is the last stack, or 0, as
/// in the runtime, which leaves the tensor as it is. TFLite Micro: `signal/micro/kernels/stacker.cc`.
struct SignalStacker: Operator {
  let channelCount: Int
  let left: Int
  let right: Int
  let step: Int
  let state = SignalState()

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let input = try node.signalVector(0, .int16)
    guard input.shape.elementCount == channelCount else {
      throw .invalid("shape \(input.shape), num_channels is \(channelCount)", .input(0))
    }
    guard step <= left + right + 1 else {
      throw .invalid("stacker_step \(step) beyond the \(left + right + 1) frames of a stack")
    }
    let shape = try Shape.checked([(left + right + 1) * channelCount])
    let loop = SignalStackerLoop(
      channelCount: channelCount, contextCount: left + right, right: right, step: step,
      state: state,
      stateByteCount: try SignalState.byteCount(
        2 * (left + right) + 1, channelCount, of: Int16.self))
    let outputs = [
      try node.signalOutput(.int16, shape), try node.signalOutput(.bool, .scalar, at: 1),
    ]
    return SignalState.prepared(outputs, LoopKernel(loop), byteCount: loop.stateByteCount)
  }
}

/// The loop of `SignalStacker`.
package struct SignalStackerLoop: SteppedLoop {
  /// Elements of a frame.
  package let channelCount: Int
  /// Frames of a stack beside the last one.
  package let contextCount: Int
  /// Frames after the middle of a stack.
  package let right: Int
  /// Invocations from one stack to the next.
  package let step: Int
  /// The last frames, and the last stack.
  package let state: SignalState
  let stateByteCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    var output = frame.output(0, as: Int16.self)
    var isValid = frame.output(1, as: BoolByte.self)
    let held = contextCount * channelCount
    let turn = state.turn(stateByteCount, &steps)
    let before = turn.before.span(as: Int16.self)
    var after = turn.after.mutableSpan(as: Int16.self)
    let isMade =
      turn.number >= UInt64(right) && (turn.number - UInt64(right)) % UInt64(step) == 0
    for index in output.indices {
      steps.about(index, ofOutputs: 0...0)
      if !isMade {
        output[index] = steps.note("kept", "of the last stack, or 0", before[held + index])
      } else if index < held, turn.number > 0 {
        output[index] = steps.note("held", "of an earlier frame", before[index])
      } else {
        output[index] = steps.moved(input, index % channelCount)
      }
      after[held + index] = output[index]
      if index >= channelCount {
        // The first frame stands for those before it.
        after[index - channelCount] =
          index < held && turn.number > 0 ? before[index] : input[index % channelCount]
      }
    }
    steps.about(0, ofOutputs: 1...1)
    isValid[0] = steps.note("stored", "whether a stack is made", element: BoolByte(isMade))
  }
}
