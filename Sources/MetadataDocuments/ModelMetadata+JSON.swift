// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
package import MetadataFormat

// The object that `martlet inspect` and `martlet metadata` print. Members that say nothing are left
// out, but for the lists that every tensor has.

extension ModelMetadata {
  /// The metadata as an object.
  package var json: JSON {
    .record([
      "name": .text(name), "description": .text(description), "version": .text(version),
      "author": .text(author), "license": .text(license),
      "minimum_parser_version": .text(minimumParserVersion),
      "files": .list(associatedFiles.map(\.json)),
      "subgraphs": .array(subgraphs.map(\.json)),
    ])
  }
}

extension SubgraphMetadata {
  fileprivate var json: JSON {
    .record([
      "name": .text(name), "description": .text(description),
      "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)),
      "files": .list(associatedFiles.map(\.json)),
      "input_process_units": .list(inputProcessUnits.map(\.json)),
      "output_process_units": .list(outputProcessUnits.map(\.json)),
      "input_groups": .list(inputGroups.map(\.json)),
      "output_groups": .list(outputGroups.map(\.json)),
      "custom": .list(
        customMetadata.map { custom in
          .record([
            "name": .text(custom.name), "data": .array(custom.data.map { .integer(Int($0)) }),
          ])
        }),
    ])
  }
}

extension TensorGroup {
  fileprivate var json: JSON {
    .record(["name": .text(name), "tensors": .array(tensorNames.map { .string($0) })])
  }
}

extension AssociatedFile {
  fileprivate var json: JSON {
    .record([
      "name": .text(name), "kind": .string(kind.word), "description": .text(description),
      "locale": .text(locale), "version": .text(version),
    ])
  }
}

extension TensorMetadata {
  fileprivate var json: JSON {
    .record([
      "name": .text(name), "description": .text(description), "content": .text(content?.words),
      "properties": content?.propertiesJSON, "range": content?.range.map(\.json),
      "dimension_names": .list(dimensionNames.map { .string($0) }),
      "process_units": .array(processUnits.map(\.json)), "stats": stats.map(\.json),
      "files": .array(associatedFiles.map(\.json)),
    ])
  }
}

extension Stats {
  fileprivate var json: JSON { ["min": .floats(minimum), "max": .floats(maximum)] }
}

extension ValueRange {
  fileprivate var json: JSON { ["min": .integer(minimum), "max": .integer(maximum)] }
}

extension Content {
  fileprivate var propertiesJSON: JSON? {
    switch properties {
    case nil: return nil
    case .feature: return ["kind": "feature"]
    case .image(let image):
      return .record([
        "kind": "image", "color_space": .string("\(image.colorSpace)"),
        "default_size": image.defaultSize.map { size in
          ["width": .integer(size.width), "height": .integer(size.height)]
        },
      ])
    case .boundingBox(let box):
      return .record([
        "kind": "bounding_box", "type": .string("\(box.type)"),
        "coordinates": .string("\(box.coordinateType)"),
        "index": .list(box.index.map { .integer($0) }),
      ])
    case .audio(let audio):
      return [
        "kind": "audio", "sample_rate": .integer(audio.sampleRate),
        "channels": .integer(audio.channels),
      ]
    case .unknown(let number): return ["kind": "unknown", "number": .integer(number)]
    }
  }
}

extension ProcessUnit {
  fileprivate var json: JSON {
    switch self {
    case .normalization(let options):
      return [
        "kind": "normalization", "mean": .floats(options.mean),
        "std": .floats(options.standardDeviation),
      ]
    case .scoreCalibration(let options):
      return [
        "kind": "score_calibration", "transformation": .string("\(options.transformation)"),
        "default_score": .float(options.defaultScore),
      ]
    case .scoreThresholding(let options):
      return ["kind": "score_thresholding", "threshold": .float(options.globalScoreThreshold)]
    case .bertTokenizer(let options):
      return .record([
        "kind": "bert_tokenizer", "files": .list(options.vocabularyFiles.map(\.json)),
      ])
    case .sentencePieceTokenizer(let options):
      return .record([
        "kind": "sentence_piece_tokenizer", "model_files": .list(options.modelFiles.map(\.json)),
        "files": .list(options.vocabularyFiles.map(\.json)),
      ])
    case .regexTokenizer(let options):
      return .record([
        "kind": "regex_tokenizer", "delimiter_pattern": .text(options.delimiterPattern),
        "files": .list(options.vocabularyFiles.map(\.json)),
      ])
    case .unknown(let number): return ["kind": "unknown", "number": .integer(number)]
    }
  }
}

extension JSON {
  fileprivate static func text(_ text: String?) -> JSON? { text.map { .string($0) } }

  fileprivate static func list(_ elements: [JSON]) -> JSON? {
    elements.isEmpty ? nil : .array(elements)
  }

  fileprivate static func floats(_ values: [Float]) -> JSON { .array(values.map { .float($0) }) }
}
