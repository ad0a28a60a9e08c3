// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalOverlapAdd = CatalogEntry(
    custom: "SignalOverlapAdd", chapter: .signal,
    formula: "y[t] = Σₖ x[k, t − k · frame_step],   0 ≤ t − k · frame_step < frame size",
    variants: "i16 f32", optimized: "",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in
    SignalOverlapAdd(step: try node.flexOptions().signalOption("frame_step", in: 1...(1 << 24)))
  }
}

/// `SignalOverlapAdd`: a signal put together from overlapping frames.
///
/// - Input 0: the frames, int16 or float32, `[…, frames, frame size]`; they go on from one
///   invocation to the next.
/// - Output: of the same type, `[…, frames · frame_step]`.
///
/// int16 sums saturate with each frame. TFLite Micro: `signal/src/overlap_add.cc`.
struct SignalOverlapAdd: Operator {
  let step: Int
  let state = SignalState()

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    guard input.shape.rank >= 2 else {
      throw .rank(input.shape.rank, wanted: "at least 2", .input(0))
    }
    let size = try input.shape.frameLength()
    guard step <= size else {
      throw .invalid("frames of \(size) samples, frame_step is \(step)", .input(0))
    }
    let frames = input.shape[input.shape.rank - 2]
    let (length, overflow) = frames.multipliedReportingOverflow(by: step)
    guard frames > 0, !overflow else { throw .invalid("\(frames) frames", .input(0)) }
    let output = try node.signalOutput(
      input.elementType, Shape.checked(input.shape.dimensions.dropLast(2) + [length]))
    switch input.elementType {
    case .int16: return try prepared(output, size, frames, Int16.self)
    case .float32: return try prepared(output, size, frames, Float.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Sample: OverlappingSample & AdditiveArithmetic>(
    _ output: TensorType, _ size: Int, _ frames: Int, _ sample: Sample.Type
  ) throws(KernelError) -> Prepared {
    let loop = SignalOverlapAddLoop<Sample>(
      size: size, step: step, frameCount: frames, state: state,
      stateByteCount: try SignalState.byteCount(
        output.shape.elementCount / (frames * step), size - step, of: Sample.self))
    return SignalState.prepared([output], LoopKernel(loop), byteCount: loop.stateByteCount)
  }
}

/// A sample of overlapping frames.
package protocol OverlappingSample: TensorElement {
  /// The sum of two frames' samples.
  static func overlapped(_ left: Self, _ right: Self) -> Self
}

extension Int16: OverlappingSample {
  package static func overlapped(_ left: Int16, _ right: Int16) -> Int16 {
    Int16(clamping: Int32(left) + Int32(right))
  }
}

extension Float: OverlappingSample {
  package static func overlapped(_ left: Float, _ right: Float) -> Float { left + right }
}

/// The loop of `SignalOverlapAdd`.
package struct SignalOverlapAddLoop<Sample: OverlappingSample & AdditiveArithmetic>: SteppedLoop {
  /// Samples of a frame.
  package let size: Int
  /// Samples from one frame to the next.
  package let step: Int
  /// Frames of each signal.
  package let frameCount: Int
  /// The sums of samples that later frames overlap, for each signal.
  package let state: SignalState
  let stateByteCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Sample.self)
    var output = frame.output(0, as: Sample.self)
    let (kept, length) = (size - step, frameCount * step)
    let count = input.count / (frameCount * size)
    let turn = state.turn(stateByteCount, &steps)
    let before = turn.before.span(as: Sample.self)
    var after = turn.after.mutableSpan(as: Sample.self)
    for row in 0..<count {
      for place in 0..<length + kept {
        let isStored = place < length
        if isStored {
          steps.about(row * length + place)
        } else {
          steps.about(0..<0)
        }
        var sum = Sample.zero
        if place < kept {
          sum = steps.note("sum before", "of earlier frames", element: before[row * kept + place])
        }
        let last = min(place / step, frameCount - 1)
        let first = place < size ? 0 : (place - size) / step + 1
        for index in stride(from: first, through: last, by: 1) {
          let sample = (row * frameCount + index) * size + place - index * step
          sum = .overlapped(steps.read(input, sample), sum)
          steps.note("sum", "with frame \(index)", element: sum)
        }
        if isStored {
          output[row * length + place] = sum
        } else {
          after[row * kept + place - length] = sum
        }
      }
    }
  }
}
