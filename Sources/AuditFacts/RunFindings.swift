// SPDX-License-Identifier: Apache-2.0

import Formatting
package import ModelChecks
import ModelFormat
import RunComparisons
import Tensors
import Traces

/// What runs brought to light.
package enum RunFindings {
  /// A greater share of values at a limit of the type is a warning.
  private static let saturationLimit = 0.01
  /// A smaller signal-to-noise ratio of a node by itself, in decibels, is a warning.
  private static let noiseLimit = 10.0

  /// The findings about the layers and the proof of determinism.
  package static func all(
    _ layers: [Layer], _ proof: DeterminismProof, kernels: String
  ) -> [Finding] {
    var findings: [Finding] = []
    if !proof.isDeterministic {
      findings.append(
        Finding(.repeatableRuns, .error, "equal inputs gave other bits in another run"))
    }
    for layer in layers {
      for output in layer.outputs {
        findings += ofValues(layer, output)
        findings += ofComparisons(layer, output)
      }
    }
    let quiet = layers.flatMap { layer in layer.outputs.compactMap(\.constantChannels) }
    let count = quiet.reduce(0) { $0 + $1.count }
    if count > 0 {
      findings.append(
        Finding(
          .constantChannels, .note,
          "\(count) channels of \(quiet.count { $0.count > 0 }) layers have one value at every "
            + "position, for this input"))
    }
    return findings
  }

  private static func location(_ layer: Layer) -> String { "subgraph 0 › operator \(layer.title)" }

  private static func ofValues(_ layer: Layer, _ output: LayerOutput) -> [Finding] {
    guard let statistics = output.statistics else { return [] }
    var findings: [Finding] = []
    let wrong = statistics.nanCount + statistics.infinityCount
    if wrong > 0 {
      findings.append(
        Finding(
          .finiteActivations, .warning,
          "\(wrong) of \(statistics.elementCount) values of '\(output.name.printable)' are NaN or infinite",
          at: location(layer)))
    }
    // The results of these end at the limits of their type by their nature.
    let bounded: Set<String> = ["SOFTMAX", "LOG_SOFTMAX", "LOGISTIC", "TANH", "L2_NORMALIZATION"]
    if bounded.contains(layer.operatorName) { return findings }
    let (low, high) = output.unwantedSaturation
    for (share, end) in [(low, "lowest"), (high, "highest")] where share > saturationLimit {
      findings.append(
        Finding(
          .saturatedActivations, .warning,
          "\((share * 100).short(3)) % of '\(output.name.printable)' are the \(end) quantized value of "
            + output.type.elementType.schemaName,
          at: location(layer),
          fix: "calibrate with images like this one, so that the scale covers its values"))
    }
    return findings
  }

  private static func ofComparisons(_ layer: Layer, _ output: LayerOutput) -> [Finding] {
    var findings: [Finding] = []
    if let difference = output.otherKernels, difference.isExcessive {
      let isExact = output.type.quantization != nil
      findings.append(
        Finding(
          .agreeingKernels, isExact ? .error : .warning,
          "\(difference.excessCount) of \(difference.elementCount) values differ between the "
            + "kernel sets, by up to \((difference.maximum ?? 0).short(3))",
          at: location(layer)))
    }
    if let ratio = output.shadow?.isolated?.signalToNoise, ratio < noiseLimit {
      findings.append(
        Finding(
          .quantizationError, .warning,
          "signal-to-noise ratio of \(ratio.short(3)) dB against float32 on the same inputs",
          at: location(layer)))
    }
    return findings
  }
}

extension LayerOutput {
  /// The shares of quantized values at the ends of the type's range that nothing in the model asks
  /// for: not those of real zero, nor those that a fused activation limits.
  package var unwantedSaturation: (low: Double, high: Double) {
    guard let statistics, let saturation = statistics.saturation, statistics.elementCount > 0,
      let affine = type.quantization?.perTensor
    else { return (0, 0) }
    let count = Double(statistics.elementCount)
    let isZeroLowest = Int64(affine.zeroPoint) == type.elementType.lowestQuantized
    return (
      isZeroLowest || clipped != nil ? 0 : Double(saturation.lowest) / count,
      clipped?.high != nil ? 0 : Double(saturation.highest) / count
    )
  }
}

extension ElementType {
  /// The lowest quantized value of the quantized types whose zero may lie there; nil for others.
  fileprivate var lowestQuantized: Int64? {
    switch self {
    case .int8: -128
    case .uint8, .uint4: 0
    case .int4: -8
    case .int2: -2
    case .int16: -32768
    case _: nil
    }
  }
}
