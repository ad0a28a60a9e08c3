// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import PageMarkup
internal import RunComparisons
internal import Tensors
internal import Traces

extension AuditReport {
  /// What the values of each layer are like.
  var activationSection: Markup {
    let rows = layers.flatMap { layer in
      layer.outputs.compactMap { output -> Markup.Row? in
        guard let statistics = output.statistics else { return nil }
        let count = Double(max(statistics.elementCount, 1))
        return Markup.Row([
          "\(layer.index)", .name(layer.operatorName), .text(statistics.minimum.short4),
          .text(statistics.maximum.short4), .text(statistics.mean.short4),
          .text(statistics.standardDeviation.short4),
          .text(Self.percent(Double(statistics.zeroCount) / count)),
          .text(Self.percent(statistics.saturation.map { Double($0.lowest) / count })),
          .text(Self.percent(statistics.saturation.map { Double($0.highest) / count })),
          .text(Self.clippedText(output.clipped)),
          .text(output.constantChannels.map { "\($0.count) / \($0.total)" } ?? ""),
          Drawing.histogram(statistics.histogram, of: "the result of node \(layer.title)"),
        ])
      }
    }
    return .section(
      "activations", "Activations",
      [
        .hint(
          "What each node computed in this run, as real numbers. At qmin and qmax: the share of "
            + "codes at the ends of their type's range. Clipped: the share of values at the lower and "
            + "the upper bound of the fused activation. Constant channels have one value at every position. Histograms "
            + "have bins by powers of two from 2⁻¹⁶ to 2¹⁶ on both sides of zero; heights follow "
            + "the square root of the counts."),
        .tag(
          "div", ["class": "sortable"],
          [
            .table(
              caption: "Values of the nodes' results",
              [
                .numbers("#"), .words("Operator"), .numbers("Min"), .numbers("Max"),
                .numbers("Mean"), .numbers("Std"), .numbers("Zero"), .numbers("At qmin"),
                .numbers("At qmax"), .numbers("Clipped"), .numbers("Constant"),
                .words("Histogram"),
              ], rows)
          ]),
      ])
  }

  static func percent(_ share: Double?) -> String {
    share.map { $0 == 0 ? "0" : "\(($0 * 100).fixed(2)) %" } ?? ""
  }

  private static func clippedText(_ clipped: ClippedShare?) -> String {
    guard let clipped else { return "" }
    let high = clipped.high.map { " / \(percent($0))" } ?? ""
    return "\(clipped.activation) \(percent(clipped.low))\(high)"
  }

  /// Some layers as images.
  var featureSection: Markup {
    if featureMaps.isEmpty {
      return .section(
        "features", "Feature maps", [.paragraph("No layer computes planes of an image.")])
    }
    let figures = featureMaps.map { map in
      Markup.figure(
        .image(
          map.image,
          "\(map.channels.count) channels of node \(map.title) as images", scale: map.scale,
          isSmooth: false),
        caption: "Node \(map.title), \(map.height)×\(map.width), channels "
          + map.channels.map(String.init).joined(separator: ", ")
          + " of \(map.channelCount); dark \(map.range.lowerBound.short(4)), light "
          + map.range.upperBound.short(4))
    }
    return .section(
      "features", "Feature maps",
      [
        .hint(
          "Layers spread evenly over the network; of each, the channels whose values differ most, "
            + "in one scale of colors for the whole layer."),
        .tag("div", ["class": "figures"], figures),
      ])
  }

  /// What quantization costs.
  var quantizationSection: Markup {
    let shadows = layers.flatMap { layer in
      layer.outputs.compactMap { output in output.shadow.map { (layer, output, $0) } }
    }
    if shadows.isEmpty {
      return .section(
        "quantization", "Quantization error", [.paragraph("Nothing in this model is quantized.")])
    }
    let rows = shadows.map { layer, output, shadow in
      let step = output.type.quantization?.perTensor.map { Double($0.scale) }
      func quanta(_ difference: TensorDifference?) -> String {
        guard let step, step > 0, let most = difference?.maximum else { return "" }
        return (most / step).short(3)
      }
      return Markup.Row([
        "\(layer.index)", .name(layer.operatorName),
        .text(shadow.isolated?.signalToNoise.short3 ?? ""),
        .text(quanta(shadow.isolated)), .text(shadow.cumulative?.signalToNoise.short3 ?? ""),
        .text(shadow.cumulative?.peakSignalToNoise.short3 ?? ""),
        .text(shadow.cumulative?.cosine.map { $0.fixed(5) } ?? ""),
        .text(shadow.cumulative?.meanSquare.map { $0.short(3) } ?? ""),
        .text(quanta(shadow.cumulative)), .text(shadow.note ?? ""),
      ])
    }
    return .section(
      "quantization", "Quantization error",
      [
        .hint(
          "Each node is computed once more in float32 on the numbers that the codes stand for. By "
            + "itself: on the same inputs as in the run. Of all: on what the float32 nodes before "
            + "it computed. SNR = 10 log₁₀(Σ r² / Σ (r − x)²), r being the float32 value; PSNR has "
            + "the largest |r| instead of r; quanta are steps of the result's scale. Infinite "
            + "ratios stand for equal values; the curve ends at 100 dB."),
        Drawing.curve(
          [
            ("by itself", "var(--bar)", shadows.map { Self.drawn($0.2.isolated) }),
            ("of all", "var(--bad)", shadows.map { Self.drawn($0.2.cumulative) }),
          ], unit: "dB", text: "Signal-to-noise ratio of each node against float32"),
        .tag(
          "div", ["class": "sortable"],
          [
            .table(
              caption: "Distance from float32, node by node",
              [
                .numbers("#"), .words("Operator"), .numbers("SNR by itself, dB"),
                .numbers("Worst, quanta"), .numbers("SNR of all, dB"), .numbers("PSNR, dB"),
                .numbers("Cosine"), .numbers("MSE"), .numbers("Worst, quanta"), .words("Note"),
              ], rows)
          ]),
      ])
  }

  /// A ratio as the curve has it: what is above 100 dB, equal values too, is drawn there.
  private static func drawn(_ difference: TensorDifference?) -> Double? {
    difference?.signalToNoise.map { Swift.min($0, 100) }
  }

  /// What the constants hold.
  var weightSection: Markup {
    let large = weights.filter { $0.type.shape.elementCount > 1 }
    let rows = large.map { weight in
      Markup.Row([
        "\(weight.tensor)", .name(weight.name), .text("\(weight.type)"), "\(weight.byteCount)",
        .text(weight.minimum.short4), .text(weight.maximum.short4),
        .text(Self.percent(weight.zeroShare)),
        .text(
          zip(weight.usedValues, weight.quantizedCount).map { "\($0) / \($1)" } ?? ""),
        .text(
          weight.scaleRange.map {
            "\(Double($0.lowerBound).short(3)) – \(Double($0.upperBound).short(3))"
          } ?? weight.type.quantization?.perTensor.map { Double($0.scale).short(3) } ?? ""),
        .text(weight.duplicateOf.map { "same as \($0)" } ?? ""),
      ])
    }
    return .section(
      "weights", "Weights",
      [
        .hint(
          "The constants of the main graph with more than one element, as real numbers. Codes in "
            + "use: of those that the type has."),
        .tag(
          "div", ["class": "sortable"],
          [
            .table(
              caption: "Constants",
              [
                .numbers("Tensor"), .words("Name"), .words("Type"), .numbers("Bytes"),
                .numbers("Min"), .numbers("Max"), .numbers("Zero"), .numbers("Codes in use"),
                .numbers("Scales"), .words("Duplicate"),
              ], rows)
          ]),
      ])
  }

  private func zip(_ first: Int?, _ second: Int?) -> (Int, Int)? {
    guard let first, let second else { return nil }
    return (first, second)
  }

  /// That other kernels, processors and thread counts compute the same.
  var proofSection: Markup {
    let compared = layers.flatMap { layer in layer.outputs.map { (layer, $0) } }
    let equal = compared.count { $0.1.otherKernels?.differingCount == 0 }
    let differing = compared.filter { ($0.1.otherKernels?.differingCount ?? 0) > 0 }
    let rows = proof.rows.map { row in
      let isSame = Set(row.digests).count == 1
      let repeats: Markup =
        row.digests.count == 1
        ? ""
        : isSame ? .tag("span", ["class": "good"], "yes") : .tag("span", ["class": "bad"], "no")
      return Markup.Row([
        .text(row.kernels), .text(row.instructionSet ?? "–"), "\(row.threadCount)",
        .code(String(row.digests[0].prefix(32))),
        repeats,
      ])
    }
    let words =
      proof.agreesEverywhere
      ? "Every way of computing gave the same bits."
      : proof.isDeterministic
        ? "The number of threads and repetition change no bit; kernel sets and instruction sets "
          + "round floating-point sums differently."
        : "Equal inputs gave different bits."
    var content: [Markup] = [
      .tag("p", ["class": "verdict \(proof.isDeterministic ? "good" : "bad")"], words),
      .paragraph(
        "Node by node, \(equal) of \(compared.count) results of the \(identity.kernels) kernels are "
          + "equal to those of the \(otherKernels) ones to the bit."),
      .table(
        caption: "SHA-256 of the outputs (its first half)",
        [
          .words("Kernels"), .words("Instruction set"), .numbers("Threads"), .words("Digest"),
          .words("Same twice"),
        ], rows),
    ]
    if !differing.isEmpty {
      let rows = differing.map { layer, output in
        Markup.Row([
          "\(layer.index)", .name(layer.operatorName),
          .text(output.otherKernels.map { "\($0.differingCount) / \($0.elementCount)" } ?? ""),
          .text(output.otherKernels?.maximum.map { $0.short(3) } ?? ""),
          .text(output.otherKernels.map { $0.isExcessive ? "no" : "yes" } ?? ""),
        ])
      }
      content.append(
        .details(
          "Results that differ between the kernel sets",
          [
            .table(
              caption: "Differences of the kernel sets",
              [
                .numbers("#"), .words("Operator"), .numbers("Differing"), .numbers("By up to"),
                .words("Within tolerance"),
              ], rows)
          ]))
    }
    return .section("proof", "Kernels and determinism", content)
  }
}

extension Optional<Double> {
  /// About four digits; empty for nothing.
  fileprivate var short4: String { map { $0.short(4) } ?? "" }
  /// About three digits; empty for nothing.
  fileprivate var short3: String { map { $0 == .infinity ? "∞" : $0.short(3) } ?? "" }
}
