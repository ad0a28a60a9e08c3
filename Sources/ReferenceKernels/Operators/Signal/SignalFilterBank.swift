// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalFilterBank = CatalogEntry(
    custom: "SignalFilterBank", chapter: .signal,
    formula: """
      y[c] = Σⱼ w[s[c + 1] + j] · x[f[c + 1] + j] + Σⱼ u[s[c] + j] · x[f[c] + j],   \
      j < width[c + 1], width[c]
      """,
    variants: "u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    SignalFilterBank(
      channelCount: try node.flexOptions().signalOption("num_channels", in: 1...(1 << 24)))
  }
}

/// `SignalFilterBank`: energies summed with the weights of overlapping triangular filters.
///
/// A channel's rising side has the weights w, its falling side the weights u of the band before.
///
/// - Input 0: energies by frequency, uint32. Inputs 1 and 2: w and u, int16.
/// - Inputs 3 to 5: f, s and the widths, int16, for each band: one more than there are channels.
/// - Output: uint64, `num_channels` elements. All have one axis.
///
/// Sums wrap at 64 bits. TFLite Micro: `signal/src/filter_bank.cc`.
struct SignalFilterBank: Operator {
  let channelCount: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 6...6)
    let energies = try node.signalVector(0, .uint32).shape.elementCount
    for position in 1...5 {
      let count = try node.signalVector(position, .int16).shape.elementCount
      guard position < 3 || count > channelCount else {
        throw .invalid("\(count) bands for \(channelCount) channels", .input(position))
      }
    }
    let weights = min(try node.input(1).shape.elementCount, try node.input(2).shape.elementCount)
    let (frequencies, places) = (try node.integers(3), try node.integers(4))
    let widths = try node.integers(5)
    var bands: [SignalBand] = []
    var work = 0
    for band in 0...channelCount {
      let width = max(widths[band], 0)
      guard Self.holds(energies, frequencies[band], width) else {
        throw .invalid("\(width) of \(energies) energies from \(frequencies[band]) on", .input(3))
      }
      guard Self.holds(weights, places[band], width) else {
        throw .invalid("\(width) of \(weights) weights from \(places[band]) on", .input(4))
      }
      bands.append(SignalBand(frequency: frequencies[band], weight: places[band], width: width))
      work += 2 * width
    }
    var prepared = Prepared(
      try node.signalOutput(.uint64, Shape.checked([channelCount])),
      LoopKernel(SignalFilterBankLoop(bands: bands)))
    prepared.operationCount = work
    return prepared
  }

  /// Whether `count` elements have `width` elements from `start` on, if there are any at all.
  private static func holds(_ count: Int, _ start: Int, _ width: Int) -> Bool {
    width == 0 || start >= 0 && start <= count - width
  }
}

/// Neighboring frequencies between the centers of two filters.
package struct SignalBand: Sendable {
  /// The first frequency.
  package let frequency: Int
  /// The position of the first weight.
  package let weight: Int
  /// Frequencies.
  package let width: Int
}

/// The loop of `SignalFilterBank`.
package struct SignalFilterBankLoop: SteppedLoop {
  /// The bands: channel c is between the beginning of band c and the end of band c + 1.
  package let bands: [SignalBand]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let energies = frame.input(0, as: UInt32.self)
    let rising = frame.input(1, as: Int16.self)
    let falling = frame.input(2, as: Int16.self)
    var output = frame.output(0, as: UInt64.self)
    for channel in output.indices {
      steps.about(channel)
      let before = sum(bands[channel], energies, falling, &steps)
      let after = sum(bands[channel + 1], energies, rising, &steps)
      let sum = steps.accumulator(before &+ after, of: "products")
      output[channel] = steps.note("stored", "modulo 2^64", UInt64(bitPattern: sum))
    }
  }

  @inline(__always)
  private func sum(
    _ band: SignalBand, _ energies: Span<UInt32>, _ weights: Span<Int16>,
    _ steps: inout some Steps
  ) -> Int64 {
    var sum: Int64 = 0
    for index in 0..<band.width {
      let (frequency, place) = (band.frequency + index, band.weight + index)
      let product = Int64(energies[frequency]) * Int64(weights[place])
      sum &+= steps.term(
        product, of: energies, frequency, quantized: nil, named: "energy", weights, place)
    }
    return sum
  }
}
