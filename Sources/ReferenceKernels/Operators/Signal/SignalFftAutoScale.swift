// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let signalFftAutoScale = CatalogEntry(
    custom: "SignalFftAutoScale", chapter: .signal,
    formula: "y[i] = x[i] · 2^b,   b the greatest number for which max |x| · 2^b < 2¹⁵",
    variants: "i16", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ in SignalFftAutoScale() }
}

/// `SignalFftAutoScale`: samples scaled up so that they use all bits.
///
/// - Input 0: the samples, int16, of one axis.
/// - Output 0: int16, of the same shape. Output 1: b, an int32 scalar; 0 where all samples are.
///
/// The largest magnitude is kept in 16 bits, as the runtime keeps it: a sample of −2¹⁵ makes it
/// negative, and then a later sample takes its place. TFLite Micro: `signal/src/fft_auto_scale.cc`.
struct SignalFftAutoScale: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let input = try node.signalVector(0, .int16)
    return Prepared(
      outputs: [
        try node.signalOutput(.int16, input.shape), try node.signalOutput(.int32, .scalar, at: 1),
      ],
      kernel: LoopKernel(SignalFftAutoScaleLoop()))
  }
}

/// The loop of `SignalFftAutoScale`.
package struct SignalFftAutoScaleLoop: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    var output = frame.output(0, as: Int16.self)
    var scale = frame.output(1, as: Int32.self)
    var largest: Int16 = 0
    steps.about(0..<1, step: 1, ofOutputs: 1...1)
    for index in input.indices {
      let value = steps.read(input, index)
      if value > largest {
        largest = value
      } else if -Int32(value) > Int32(largest) {
        largest = 0 &- value
      }
    }
    steps.about(0, ofOutputs: 1...1)
    steps.note("largest magnitude", "of \(input.count) samples, in 16 bits", largest)
    let bits = largest > 0 ? largest.leadingZeroBitCount - 1 : 0
    scale[0] = steps.note(
      "bits", "by which it can be shifted to the left below 2^15", Int32(bits))
    for index in output.indices {
      steps.about(index, ofOutputs: 0...0)
      output[index] = steps.note("scaled", "by 2^\(bits)", steps.read(input, index) << bits)
    }
  }
}
