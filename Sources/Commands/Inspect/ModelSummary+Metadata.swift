// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Verification

extension ModelSummary {
  /// The metadata and packed files for a reader; nil where there is neither.
  var metadataText: String? {
    var lines: [String] = []
    if let metadata {
      lines.append("metadata")
      for (label, value) in [
        ("name", metadata.name), ("description", metadata.description),
        ("version", metadata.version), ("author", metadata.author),
        ("license", metadata.license),
      ] {
        if let value { lines.append("  \(label): \(value.printable)") }
      }
      if let subgraph = metadata.subgraphs.first {
        lines += Self.lines("input", subgraph.inputs) + Self.lines("output", subgraph.outputs)
      }
    }
    if let metadataProblem { lines.append("metadata cannot be read: \(metadataProblem)") }
    if !files.isEmpty {
      lines.append("files")
      lines += files.map { file in
        let count = file.lines.map { ", \($0.count) lines" } ?? ""
        return "  \(file.name.printable)  \(file.byteCount.byteText)\(count)"
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func lines(_ kind: String, _ tensors: [TensorMetadata]) -> [String] {
    tensors.enumerated().map { position, tensor in
      var parts = [tensor.name?.printable, text(tensor.content)].compactMap { $0 }
      parts += tensor.processUnits.compactMap(text)
      parts += tensor.associatedFiles.map {
        "\(name($0.kind)) \(($0.name ?? "").printable)"
          + ($0.locale.map { " (\($0.printable))" } ?? "")
      }
      return "  \(kind) \(position): " + parts.joined(separator: ", ")
    }
  }

  private static func text(_ content: Content?) -> String? {
    switch content?.properties {
    case .feature: "feature"
    case .image(let image): "image \(image.colorSpace)"
    case .boundingBox(let box): "boxes as \(box.type), \(box.coordinateType)"
    case .audio(let audio): "sound, \(audio.sampleRate) Hz, \(audio.channels) channels"
    case nil: nil
    }
  }

  private static func text(_ unit: ProcessUnit) -> String? {
    func list(_ values: [Float]) -> String { values.map { "\($0)" }.joined(separator: " ") }
    switch unit {
    case .normalization(let options):
      return "mean \(list(options.mean)), std \(list(options.standardDeviation))"
    case .scoreCalibration(let options): return "score calibration, \(options.transformation)"
    case .scoreThresholding(let options): return "scores from \(options.globalScoreThreshold)"
    case .bertTokenizer: return "BERT tokenizer"
    case .sentencePieceTokenizer: return "SentencePiece tokenizer"
    case .regexTokenizer(let options):
      return "tokenizer \((options.delimiterPattern ?? "").printable)"
    case .unknown: return nil
    }
  }

  /// The schema's name in words.
  private static func name(_ kind: AssociatedFile.Kind) -> String {
    switch kind {
    case .unknown: "file"
    case .descriptions: "descriptions"
    case .tensorAxisLabels: "labels"
    case .tensorValueLabels: "value labels"
    case .tensorAxisScoreCalibration: "score calibration"
    case .vocabulary: "vocabulary"
    case .scannIndexFile: "index"
    }
  }

  /// The metadata for a program; null where there is none.
  var metadataJSON: JSON {
    guard let metadata else { return .null }
    return .record([
      "name": metadata.name.map { .string($0) },
      "description": metadata.description.map { .string($0) },
      "version": metadata.version.map { .string($0) },
      "author": metadata.author.map { .string($0) },
      "license": metadata.license.map { .string($0) },
      "minimum_parser_version": metadata.minimumParserVersion.map { .string($0) },
      "subgraphs": .array(
        metadata.subgraphs.map { subgraph in
          .record([
            "name": subgraph.name.map { .string($0) },
            "inputs": .array(subgraph.inputs.map(Self.json)),
            "outputs": .array(subgraph.outputs.map(Self.json)),
          ])
        }),
    ])
  }

  private static func json(_ tensor: TensorMetadata) -> JSON {
    .record([
      "name": tensor.name.map { .string($0) },
      "description": tensor.description.map { .string($0) },
      "content": text(tensor.content).map { .string($0) },
      "process_units": .array(tensor.processUnits.map(json)),
      "files": .array(
        tensor.associatedFiles.map { file in
          .record([
            "name": file.name.map { .string($0) }, "kind": .string(name(file.kind)),
            "locale": file.locale.map { .string($0) },
          ])
        }),
    ])
  }

  private static func json(_ unit: ProcessUnit) -> JSON {
    func list(_ values: [Float]) -> JSON { .array(values.map { .float($0) }) }
    switch unit {
    case .normalization(let options):
      return [
        "kind": "normalization", "mean": list(options.mean),
        "std": list(options.standardDeviation),
      ]
    case .scoreCalibration(let options):
      return [
        "kind": "score_calibration", "transformation": .string("\(options.transformation)"),
        "default_score": .float(options.defaultScore),
      ]
    case .scoreThresholding(let options):
      return [
        "kind": "score_thresholding", "threshold": .float(options.globalScoreThreshold),
      ]
    case .bertTokenizer: return ["kind": "bert_tokenizer"]
    case .sentencePieceTokenizer: return ["kind": "sentence_piece_tokenizer"]
    case .regexTokenizer(let options):
      return .record([
        "kind": "regex_tokenizer",
        "delimiter_pattern": options.delimiterPattern.map { .string($0) },
      ])
    case .unknown(let number): return ["kind": "unknown", "number": .integer(number)]
    }
  }
}
