// SPDX-License-Identifier: Apache-2.0

import Formatting
import Imaging
import JSONDocuments
import Martlet
import Tensors
import VisionTasks

/// What an image became, and where each number came from.
struct PreprocessReport {
  let model: String
  let image: String
  let folder: String
  let input: ImageInput
  let info: Interpreter.TensorInfo
  let prepared: PreparedImage
  /// The names of the options that were given.
  let given: Set<String>

  private var preprocessing: Preprocessing { input.preprocessing }

  private var affine: Affine? { input.type.quantization?.perTensor }

  private func origin(_ option: String, isUsual: Bool = false) -> String {
    given.contains(option) ? "option" : isUsual ? "maker" : "default"
  }

  private var normalizationOrigin: String {
    switch input.normalizationOrigin {
    case .options: "option"
    case .metadata: "metadata"
    case .maker: "maker"
    case .none: "default"
    }
  }

  private var sizeOrigin: String { input.sizeOrigin.rawValue }

  /// For a program.
  var json: JSON {
    let source = prepared.sourceRect
    return [
      "schema": "martlet/preprocess/1", "model": .string(model), "image": .string(image),
      "input": .record([
        "name": .string(info.name), "type": .string(input.type.elementType.schemaName),
        "shape": .array((info.type ?? input.type).shape.dimensions.map { .integer($0) }),
        "scale": affine.map { .float($0.scale) },
        "zero_point": affine.map { .integer(Int($0.zeroPoint)) },
      ]),
      "size": [
        "width": .integer(prepared.image.width), "height": .integer(prepared.image.height),
        "from": .string(sizeOrigin),
      ],
      "normalization": [
        "mean": .array(input.normalization.mean.map { .float($0) }),
        "std": .array(input.normalization.standardDeviation.map { .float($0) }),
        "from": .string(normalizationOrigin),
      ],
      "channel_order": [
        "value": .string(preprocessing.channelOrder.rawValue),
        "from": .string(origin("channel-order")),
      ],
      "fit": [
        "value": .string(preprocessing.fit.word),
        "from": .string(origin("fit", isUsual: preprocessing.takesUsualFit)),
      ],
      "filter": [
        "value": .string(preprocessing.filter.word),
        "from": .string(origin("filter", isUsual: preprocessing.takesUsualFilter)),
      ],
      "orientation": .integer(prepared.orientation.rawValue),
      "source": [
        "x": .number(source.x), "y": .number(source.y), "width": .number(source.width),
        "height": .number(source.height),
      ],
      "files": [
        "values": .string("\(folder)/input_0.npy"), "picture": .string("\(folder)/input_0.png"),
      ],
    ]
  }

  /// For a reader.
  var text: String {
    let source = prepared.sourceRect
    let location = "(\(source.x.fixed(1)), \(source.y.fixed(1)))"
    let rows = [
      ["input", "model", info.name],
      ["type", "model", "\(info.type ?? input.type)"],
      ["size", sizeOrigin, "\(prepared.image.width) x \(prepared.image.height)"],
      [
        "source", "image", "\(source.width.fixed(1)) x \(source.height.fixed(1)) at \(location)",
      ],
      ["turned", "image", "from orientation \(prepared.orientation.rawValue)"],
      ["fit", origin("fit", isUsual: preprocessing.takesUsualFit), preprocessing.fit.word],
      [
        "filter", origin("filter", isUsual: preprocessing.takesUsualFilter),
        preprocessing.filter.word,
      ],
      ["channels", origin("channel-order"), preprocessing.channelOrder.rawValue],
      ["values", normalizationOrigin, values],
      codes.map { ["codes", "model", $0] },
    ]
    return TextTable(rows.compactMap(\.self), left: [0, 1, 2], wrapsLastColumn: true).text
      + "\nwrote \(folder)/input_0.npy\nwrote \(folder)/input_0.png"
  }

  private var values: String {
    func list(_ numbers: [Float]) -> String {
      let words = numbers.map { Double($0).short() }
      return words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]"
    }
    guard input.type.elementType != .uint8 else { return "the bytes as they are" }
    let normalization = input.normalization
    return "(byte - \(list(normalization.mean))) / \(list(normalization.standardDeviation))"
  }

  /// How values become codes, where they do.
  private var codes: String? {
    guard let affine, ![.uint8, .float32].contains(input.type.elementType) else { return nil }
    return "round(value / \(Double(affine.scale).short())) + \(affine.zeroPoint)"
  }
}
