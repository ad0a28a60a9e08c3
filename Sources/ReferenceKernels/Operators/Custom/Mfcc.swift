// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let mfcc = CatalogEntry(
    custom: "Mfcc",
    formula: """
      y[i] = √(2/n) Σⱼ cos(π i (j + ½) / n) · ln max(m[j], 10⁻¹²),   m = the mel filters' outputs
      """,
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in try Mfcc(node) }
}

/// `Mfcc`: mel-frequency cepstral coefficients, a short description of how sound is perceived.
///
/// - Input 0: squared spectra, float32, `[channels, windows, frequencies]`, as `AudioSpectrogram`
///   gives them.
/// - Input 1: samples a second, one int32.
/// - Output: float32, `[channels, windows, dct_coefficient_count]`.
///
/// See `MelFilterbank` for m; n is `filterbank_channel_count`. Everything is computed in double
/// precision. Where `upper_frequency_limit` lies beyond the spectrum, all coefficients are 0.
/// TFLite: `mfcc.cc`, `internal/mfcc.cc`, `internal/mfcc_dct.cc`.
struct Mfcc: Operator {
  let layout: MfccLayout

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, rate) = (try node.input(0), try node.input(1))
    guard input.shape.rank == 3 else { throw .rank(input.shape.rank, wanted: "3", .input(0)) }
    guard rate.shape.elementCount == 1 else {
      throw .invalid("\(rate.shape.elementCount) sample rates, wanted 1", .input(1))
    }
    try input.expect(.float32, .input(0))
    try rate.expect(.int32, .input(1))
    try node.declaredOutput().expect(.float32, .output(0))
    let shape = try Shape.checked([input.shape[0], input.shape[1], layout.coefficientCount])
    return Prepared(
      TensorType(.float32, shape), LoopKernel(MfccLoop(layout: layout, frames: input.shape)))
  }

  /// The operator with the options of a node.
  init(_ node: NodeDescription) throws(KernelError) {
    let map = try node.flexOptions()
    layout = MfccLayout(
      upperFrequency: map["upper_frequency_limit"]?.int ?? 0,
      lowerFrequency: map["lower_frequency_limit"]?.int ?? 0,
      filterCount: map["filterbank_channel_count"]?.int ?? 0,
      coefficientCount: map["dct_coefficient_count"]?.int ?? 0)
    guard 1...MfccLayout.filterLimit ~= layout.filterCount,
      1...layout.filterCount ~= layout.coefficientCount
    else {
      throw .invalid(
        """
        filterbank_channel_count \(layout.filterCount), dct_coefficient_count \
        \(layout.coefficientCount), wanted 1 to \(MfccLayout.filterLimit) filters and no more \
        coefficients than filters
        """)
    }
  }
}

/// The options of `Mfcc`.
package struct MfccLayout: Sendable, Hashable {
  /// Hertz where the last filter ends.
  package let upperFrequency: Int
  /// Hertz where the first filter begins.
  package let lowerFrequency: Int
  /// Mel filters.
  package let filterCount: Int
  /// Coefficients that are wanted.
  package let coefficientCount: Int

  /// The most filters: they and the cosines have to be held in memory.
  package static let filterLimit = 4096
}

/// The loop of `Mfcc`.
package struct MfccLoop: SteppedLoop {
  /// The options.
  package let layout: MfccLayout
  /// The spectra's shape.
  package let frames: Shape

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    let rate = frame.input(1, as: Int32.self)[0]
    var output = frame.output(0, as: Float.self)
    guard !output.isEmpty else { return }
    let length = frames[2]
    guard
      let filterbank = MelFilterbank(
        length: length, sampleRate: Double(rate), filterCount: layout.filterCount,
        lower: Double(Float(layout.lowerFrequency)), upper: Double(Float(layout.upperFrequency)))
    else {
      throw .invalid(
        """
        no filters for \(length) frequencies, sample rate \(rate) and limits \
        \(layout.lowerFrequency) to \(layout.upperFrequency)
        """)
    }
    let cosines = makeCosines()
    for window in 0..<frames[0] * frames[1] {
      let start = window * layout.coefficientCount
      steps.about(start..<start + layout.coefficientCount)
      let spectrum = input.extracting(window * length..<(window + 1) * length)
      let filtered = filterbank.apply(spectrum, &steps) ?? []
      let loudness = filtered.map { FloatMath.log(max($0, 1e-12)) }
      for coefficient in 0..<layout.coefficientCount {
        steps.about(start + coefficient)
        var sum = 0.0
        for (index, value) in loudness.enumerated() {
          let cosine = cosines[coefficient * layout.filterCount + index]
          sum += steps.note(
            "filter \(index)", "ln max(\(filtered[index]), 1e-12) × \(cosine.operand)",
            cosine * value)
        }
        steps.note(
          "sum",
          loudness.isEmpty
            ? "of nothing: the upper limit lies beyond the spectrum"
            : "of the \(layout.filterCount) filters, coefficient \(coefficient)", sum)
        output[start + coefficient] = steps.note("stored", "in single precision", Float(sum))
      }
    }
  }

  private func makeCosines() -> [Double] {
    let factor = (2 / Double(layout.filterCount)).squareRoot()
    let step = Double.pi / Double(layout.filterCount)
    return (0..<layout.coefficientCount).flatMap { coefficient in
      (0..<layout.filterCount).map { index in
        let phase: Double = Double(coefficient) * step * (Double(index) + 0.5)
        return factor * FloatMath.cos(phase)
      }
    }
  }
}
