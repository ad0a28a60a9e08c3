// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalWindow = CatalogEntry(
    custom: "SignalWindow", chapter: .signal,
    formula: "y[t, i] = clamp(⌊x[t, i] · w[i] / 2^shift⌋),   −2¹⁵ ≤ y < 2¹⁵",
    variants: "i16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    SignalWindow(shift: try node.flexOptions().signalOption("shift", in: 0...31))
  }
}

/// `SignalWindow`: frames of samples multiplied by a window function.
///
/// - Input 0: the samples, int16, whose number is a multiple of the window's.
/// - Input 1: the window, int16, of one axis.
/// - Output: int16, of input 0's shape.
///
/// TFLite Micro: `signal/src/window.cc`.
struct SignalWindow: Operator {
  let shift: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let input = try node.input(0)
    try input.expect(.int16, .input(0))
    let length = try node.signalVector(1, .int16).shape.frameLength(.input(1))
    guard input.shape.rank >= 1 else { throw .rank(0, wanted: "at least 1", .input(0)) }
    guard input.shape.elementCount % length == 0 else {
      throw .invalid("shape \(input.shape) for a window of \(length)", .input(0))
    }
    return Prepared(
      try node.signalOutput(.int16, input.shape),
      LoopKernel(SignalWindowLoop(length: length, shift: Int32(shift))))
  }
}

/// The loop of `SignalWindow`.
package struct SignalWindowLoop: SteppedLoop {
  /// Elements of the window.
  package let length: Int
  /// The bits by which products are shifted to the right.
  package let shift: Int32

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    let window = frame.input(1, as: Int16.self)
    var output = frame.output(0, as: Int16.self)
    for start in stride(from: 0, to: output.count, by: length) {
      for index in 0..<length {
        steps.about(start + index)
        let sample = Int32(steps.read(input, start + index))
        let product = steps.note(
          "product", "with element \(index) of the window",
          sample * Int32(steps.read(window, index)))
        output[start + index] = steps.note(
          "shifted", "by \(shift) bits, clamped to int16", Int16(clamping: product >> shift))
      }
    }
  }
}
