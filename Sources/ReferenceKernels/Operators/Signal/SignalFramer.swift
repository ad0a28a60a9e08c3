// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalFramer = CatalogEntry(
    custom: "SignalFramer", chapter: .signal,
    formula: "y[k, i] = x[k · frame_step + i],   0 ≤ i < frame_size",
    variants: "i16", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.flexOptions()
    return SignalFramer(
      size: try options.signalOption("frame_size", in: 1...(1 << 20)),
      step: try options.signalOption("frame_step", in: 1...(1 << 20)),
      isPrefilled: options["prefill"]?.bool ?? false)
  }
}

/// `SignalFramer`: overlapping frames of a signal.
///
/// - Input 0: int16, samples of which the last axis has a multiple of `frame_step`, going on from
///   one invocation to the next.
/// - Output 0: int16, the last axis divided into frames of `frame_size` samples, `frame_step` apart.
/// - Output 1: a bool scalar, whether there were samples enough for every frame.
///
/// With `prefill`, so many zeros come first that there always are. A frame without samples enough is
/// 0 here; the runtime leaves it as it is. TFLite Micro: `signal/micro/kernels/framer.cc`.
struct SignalFramer: Operator {
  let size: Int
  let step: Int
  let isPrefilled: Bool
  let state = SignalState()

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let input = try node.input(0)
    try input.expect(.int16, .input(0))
    let length = try input.shape.frameLength()
    guard length % step == 0 else {
      throw .invalid("\(length) samples, wanted a multiple of frame_step \(step)", .input(0))
    }
    guard step <= size else { throw .invalid("frame_step \(step), frame_size is \(size)") }
    let shape = try Shape.checked(input.shape.dimensions.dropLast() + [length / step, size])
    let waiting = isPrefilled ? 0 : (size - 1) / step
    let kept = isPrefilled ? size - step : waiting * step
    let loop = SignalFramerLoop(
      size: size, step: step, frameCount: length / step, waitingCount: waiting, keptCount: kept,
      state: state,
      stateByteCount: try SignalState.byteCount(
        input.shape.elementCount / length, kept, of: Int16.self))
    let outputs = [
      try node.signalOutput(.int16, shape), try node.signalOutput(.bool, .scalar, at: 1),
    ]
    return SignalState.prepared(outputs, LoopKernel(loop), byteCount: loop.stateByteCount)
  }
}

/// The loop of `SignalFramer`.
package struct SignalFramerLoop: SteppedLoop {
  /// Samples of a frame.
  package let size: Int
  /// Samples from one frame to the next.
  package let step: Int
  /// Frames that an invocation makes of each signal.
  package let frameCount: Int
  /// Steps that pass before there is a frame.
  package let waitingCount: Int
  /// Samples of each signal that are kept.
  package let keptCount: Int
  /// The last samples of each signal.
  package let state: SignalState
  let stateByteCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    var output = frame.output(0, as: Int16.self)
    var isValid = frame.output(1, as: BoolByte.self)
    let kept = keptCount
    let count = input.count / (frameCount * step)
    let turn = state.turn(stateByteCount, &steps)
    let before = turn.before.span(as: Int16.self)
    var after = turn.after.mutableSpan(as: Int16.self)
    // Invocations beyond the first few make no difference.
    let past = Int(min(turn.number, UInt64(waitingCount))) * frameCount
    for row in 0..<count {
      for index in 0..<frameCount {
        let first = (row * frameCount + index) * size
        for sample in 0..<size {
          steps.about(first + sample, ofOutputs: 0...0)
          // Counted from the samples that are kept on.
          let place = index * step + sample
          if past + index < waitingCount {
            output[first + sample] = 0
            steps.filled("too few samples so far")
          } else if place < kept {
            output[first + sample] = steps.note(
              "held", "sample of an earlier invocation, or 0", before[row * kept + place])
          } else {
            output[first + sample] = steps.moved(
              input, row * frameCount * step + place - kept)
          }
        }
      }
      for index in 0..<kept {
        let place = frameCount * step + index
        after[row * kept + index] =
          place < kept
          ? before[row * kept + place] : input[row * frameCount * step + place - kept]
      }
    }
    steps.about(0, ofOutputs: 1...1)
    isValid[0] = steps.note(
      "stored", "whether there were samples enough", element: BoolByte(past >= waitingCount))
  }
}
