// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import RunComparisons
package import Tensors
package import Traces

/// A node of the main graph: what it computes, and what it did in the audited run.
package struct Layer: Sendable {
  package let index: Int
  package let operatorName: String
  package let version: Int
  /// The options that say something, as `stride width 2 · padding same`.
  package let attributes: String
  /// The kernel that computed it; nil where none was needed.
  package let kernel: String?
  /// What planning made of the node.
  package let state: String
  /// The tensors that it reads and that are no constants.
  package let activations: [Int]
  /// The constants that it reads.
  package let constants: [Int]
  package let multiplyAdds: Int?
  package let parameterByteCount: Int
  package let readByteCount: Int?
  package let writtenByteCount: Int?
  /// The least time of several runs; nil where nobody asked.
  package var milliseconds: Double?
  package var outputs: [LayerOutput]

  /// A name that tells it from others: `12 CONV_2D`.
  package var title: String { "\(index) \(operatorName.printable)" }
}

/// A tensor that a node computes.
package struct LayerOutput: Sendable {
  package let tensor: Int
  package let name: String
  /// The type in the run.
  package let type: TensorType
  /// What the values are like; nil for strings and handles.
  package let statistics: TensorStatistics?
  /// The share of values at the bounds of the fused activation; nil without one.
  package let clipped: ClippedShare?
  /// Channels with one value at every position, and all channels; nil where there are no positions.
  package let constantChannels: ChannelCount?
  /// How far the other kernel set's value is from it.
  package var otherKernels: TensorDifference?
  /// How far it is from the float shadow; nil where nothing is quantized.
  package var shadow: FloatShadow.Tensor?

  /// The share of quantized values at the ends of their type's range; nil where it is not
  /// quantized.
  package var saturatedShare: Double? {
    guard let statistics, let saturation = statistics.saturation, statistics.elementCount > 0
    else { return nil }
    return Double(saturation.lowest + saturation.highest) / Double(statistics.elementCount)
  }
}

/// How many values a fused activation has limited.
package struct ClippedShare: Sendable, Equatable {
  /// The activation, as `relu6`.
  package let activation: String
  /// The share of values at the lower bound.
  package let low: Double
  /// The share of values at the upper bound; nil where it has none.
  package let high: Double?
}

/// Channels of a kind among all.
package struct ChannelCount: Sendable, Equatable {
  package let count: Int
  package let total: Int
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
  package var fusedActivation: FusedActivation? {
    optionValues.lazy.compactMap { $0.value as? FusedActivation }.first
  }

  /// The options in words, without those that change nothing.
  package var attributeText: String {
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
