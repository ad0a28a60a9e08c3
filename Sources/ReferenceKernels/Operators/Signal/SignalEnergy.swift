// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalEnergy = CatalogEntry(
    custom: "SignalEnergy", chapter: .signal,
    formula: "y[f] = re[f]² + im[f]²,   start_index ≤ f < end_index, else 0",
    variants: "i16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.flexOptions()
    let start = try options.signalOption("start_index", in: 0...Int(Int32.max))
    return SignalEnergy(
      bins: start..<max(start, try options.signalOption("end_index", in: 0...Int(Int32.max))))
  }
}

/// `SignalEnergy`: the squared magnitudes of a spectrum.
///
/// - Input 0: the spectrum, int16, of one axis: real and imaginary parts by turns.
/// - Output: uint32, half as many elements.
///
/// The runtime leaves elements outside the range as they are; here they become 0.
/// TFLite Micro: `signal/src/energy.cc`.
struct SignalEnergy: Operator {
  /// The elements that are computed.
  let bins: Range<Int>

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let count = try node.signalVector(0, .int16).shape.elementCount / 2
    guard bins.upperBound <= count else {
      throw .invalid("start_index and end_index \(bins) of \(count) numbers", .input(0))
    }
    return Prepared(
      try node.signalOutput(.uint32, Shape.checked([count])),
      LoopKernel(SignalEnergyLoop(bins: bins)))
  }
}

/// The loop of `SignalEnergy`.
package struct SignalEnergyLoop: SteppedLoop {
  /// The elements that are computed.
  package let bins: Range<Int>

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int16.self)
    var output = frame.output(0, as: UInt32.self)
    for bin in output.indices {
      steps.about(bin)
      guard bins.contains(bin) else {
        output[bin] = 0
        steps.filled("outside start_index and end_index")
        continue
      }
      let real = Int32(steps.read(input, 2 * bin))
      let imaginary = Int32(steps.read(input, 2 * bin + 1))
      output[bin] = steps.note(
        "energy", "\(real)² + \(imaginary.operand)²",
        UInt32(bitPattern: real &* real &+ imaginary &* imaginary))
    }
  }
}
