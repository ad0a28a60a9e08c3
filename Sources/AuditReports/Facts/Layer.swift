// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat
internal import RunComparisons
internal import Tensors
internal import Traces

/// A node of the main graph: what it computes, and what it did in the audited run.
struct Layer: Sendable {
  let index: Int
  let operatorName: String
  let version: Int
  /// The options that say something, as `stride width 2 · padding same`.
  let attributes: String
  /// The kernel that computed it; nil where none was needed.
  let kernel: String?
  /// What planning made of the node.
  let state: String
  /// The tensors that it reads and that are no constants.
  let activations: [Int]
  /// The constants that it reads.
  let constants: [Int]
  let multiplyAdds: Int?
  let parameterByteCount: Int
  let readByteCount: Int?
  let writtenByteCount: Int?
  /// The least time of several runs; nil where nobody asked.
  var milliseconds: Double?
  var outputs: [LayerOutput]

  /// A name that tells it from others: `12 CONV_2D`.
  var title: String { "\(index) \(operatorName.printable)" }
}

/// A tensor that a node computes.
struct LayerOutput: Sendable {
  let tensor: Int
  let name: String
  /// The type in the run.
  let type: TensorType
  /// What the values are like; nil for strings and handles.
  let statistics: TensorStatistics?
  /// The share of values at the bounds of the fused activation; nil without one.
  let clipped: ClippedShare?
  /// Channels with one value at every position, and all channels; nil where there are no positions.
  let constantChannels: ChannelCount?
  /// How far the other kernel set's value is from it.
  var otherKernels: TensorDifference?
  /// How far it is from the float shadow; nil where nothing is quantized.
  var shadow: FloatShadow.Tensor?

  /// The share of quantized values at the ends of their type's range; nil where it is not
  /// quantized.
  var saturatedShare: Double? {
    guard let statistics, let saturation = statistics.saturation, statistics.elementCount > 0
    else { return nil }
    return Double(saturation.lowest + saturation.highest) / Double(statistics.elementCount)
  }
}

/// How many values a fused activation has limited.
struct ClippedShare: Sendable, Equatable {
  /// The activation, as `relu6`.
  let activation: String
  /// The share of values at the lower bound.
  let low: Double
  /// The share of values at the upper bound; nil where it has none.
  let high: Double?
}

/// Channels of a kind among all.
struct ChannelCount: Sendable, Equatable {
  let count: Int
  let total: Int
}

extension ModelFile.Node {
  /// The node's options by name, without those that name nothing.
  private var optionValues: [(name: String, value: Any)] {
    guard let options else { return [] }
    return Mirror(reflecting: options).children.compactMap { child in
      child.label.map { ($0, child.value) }
    }
  }

  /// The activation that is part of the node.
  var fusedActivation: FusedActivation? {
    optionValues.lazy.compactMap { $0.value as? FusedActivation }.first
  }

  /// The options in words, without those that change nothing.
  var attributeText: String {
    let values = Dictionary(
      optionValues.map { ($0.name, "\($0.value)") }, uniquingKeysWith: { first, _ in first })
    return optionValues.compactMap { name, _ in
      guard let text = values[name], !Self.isSilent(name, text) else { return nil }
      if name == "fusedActivation" || name == "padding" { return text }
      if name.hasSuffix("Height"), values[name.dropLast(6) + "Width"] != nil { return nil }
      if name.hasSuffix("Width"), let height = values[name.dropLast(5) + "Height"] {
        let subject = Self.words(String(name.dropLast(5)))
        return height == "1" && text == "1" ? nil : "\(subject) \(height)×\(text)"
      }
      return "\(Self.words(name)) \(text)"
    }.joined(separator: " · ")
  }

  /// Whether an option says nothing that is not usual.
  private static func isSilent(_ name: String, _ text: String) -> Bool {
    let silent: Set<String> = ["none", "0", "false", "[]", "nil", ""]
    let usual = [
      "quantizedBiasType": "float32", "weightsFormat": "default", "depthMultiplier": "1",
      "beta": "1.0", "powerOfTwoScaleInt16": "true",
    ]
    return silent.contains(text) || text.count > 40 || usual[name] == text
  }

  /// `strideWidth` as `stride width`.
  private static func words(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
    }
  }
}
