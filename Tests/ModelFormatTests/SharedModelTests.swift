// SPDX-License-Identifier: Apache-2.0

import Compression
import Foundation
import MetadataFormat
import ModelFormat
import Tensors
import Testing

@Suite(
  "Published models", .enabled(if: SharedModels.folder != nil, "MARTLET_TEST_MODELS is not set"))
struct SharedModelTests {
  /// Models that the runtime they were made for refuses as well.
  static let refused = ["fx_litert_transpose": "schema version 2"]

  @Test(arguments: SharedModels.entries)
  func `operators are those of the manifest`(entry: SharedModels.Entry) throws {
    let bytes = try entry.bytes()
    if let reason = Self.refused[entry["name"]] {
      let error = #expect(throws: ModelError.self) { try ModelFile(parsing: bytes.span) }
      #expect(error?.description.contains(reason) == true)
      return
    }
    let model = try ModelFile(parsing: bytes.span)
    var counts: [String: Int] = [:]
    for node in model.subgraphs.flatMap(\.nodes) {
      let prefix = node.identity.code == .custom ? "CUSTOM:" : ""
      counts[prefix + node.identity.name, default: 0] += 1
    }
    #expect(
      Set(counts.map { "\($0.key):\($0.value)" })
        == Set(entry["ops"].split(separator: " ").map(String.init)))
  }

  @Test(arguments: SharedModels.entries)
  func `inputs and outputs are those of the manifest`(entry: SharedModels.Entry) throws {
    guard Self.refused[entry["name"]] == nil else { return }
    let bytes = try entry.bytes()
    let main = try #require(try ModelFile(parsing: bytes.span).subgraphs.first)
    for (column, indices) in [("inputs", main.inputs), ("outputs", main.outputs)] {
      let types = indices.enumerated().map { position, index in
        let type = main.tensors[index].type
        return "\(position):\(type.shape):\(type.elementType.schemaName)"
      }
      let expected = entry[column].split(separator: ";").map { text in
        String(text.prefix { $0 != "[" && $0 != "(" })
      }
      #expect(types == expected)
    }
  }

  @Test(arguments: SharedModels.entries)
  func `metadata and packed files are those of the manifest`(entry: SharedModels.Entry) throws {
    guard Self.refused[entry["name"]] == nil else { return }
    let bytes = try entry.bytes()
    let model = try ModelFile(parsing: bytes.span)
    let expected = entry["has_metadata"]
    let files = try AssociatedFiles(in: bytes.span)
    for name in files.names { _ = try files.contents(of: name, in: bytes.span) }
    if expected == "no" {
      #expect(try model.modelMetadata(in: bytes.span) == nil)
    } else if expected.hasPrefix("name=") {
      let metadata = try #require(try model.modelMetadata(in: bytes.span))
      #expect(Self.summary(metadata, files) == expected)
    } else {
      #expect(throws: ModelError.self) { try model.modelMetadata(in: bytes.span) }
    }
  }

  /// The text that the manifest has for metadata.
  static func summary(_ metadata: ModelMetadata, _ files: AssociatedFiles) -> String {
    var parts = ["name=\(metadata.name ?? "")"]
    if let license = metadata.license { parts.append("license=\(license.prefix(60))") }
    let main = metadata.subgraphs.first
    for (role, tensors) in [("input", main?.inputs ?? []), ("output", main?.outputs ?? [])] {
      for (index, tensor) in tensors.enumerated() {
        parts += tensor.processUnits.map { "\(role)\(index):\(text($0))" }
        parts += tensor.associatedFiles.map { file in
          let locale = file.locale.map { $0.isEmpty ? "" : "[\($0)]" } ?? ""
          return "\(role)\(index):\(text(file.kind))=\(file.name ?? "")\(locale)"
        }
      }
    }
    let packed = files.entries.map { "\($0.name)(\($0.byteCount))" }
    parts.append("zip=" + (packed.isEmpty ? "none" : packed.joined(separator: ",")))
    return parts.joined(separator: " | ")
  }

  private static func text(_ unit: ProcessUnit) -> String {
    switch unit {
    case .normalization(let options):
      "Normalization(mean=\(options.mean),std=\(options.standardDeviation))"
    case .scoreThresholding(let options): "ScoreThresholding(\(options.globalScoreThreshold))"
    case .scoreCalibration: "ScoreCalibration"
    case .bertTokenizer: "BertTokenizer"
    case .sentencePieceTokenizer: "SentencePieceTokenizer"
    case .regexTokenizer: "RegexTokenizer"
    case .unknown(let member): "unknown \(member)"
    }
  }

  private static func text(_ kind: AssociatedFile.Kind) -> String {
    switch kind {
    case .tensorAxisLabels: "TENSOR_AXIS_LABELS"
    case .tensorValueLabels: "TENSOR_VALUE_LABELS"
    case .unknown, .descriptions, .tensorAxisScoreCalibration, .vocabulary, .scannIndexFile:
      "\(kind)"
    }
  }

  static let brokenFiles: [(String, String)] = [
    ("0_subgraphs", "the model has no subgraph"), ("no_subgraphs", "the model has no subgraph"),
    ("bad_model", "not a TensorFlow Lite model"), ("invalid_model", "not a TensorFlow Lite model"),
    ("test_model_broken", "not a TensorFlow Lite model"), ("zero_bytes", "an empty file"),
    ("trunc_64", "0 left at byte"), ("trunc_half", "0 left at byte"),
  ]

  @Test(arguments: brokenFiles)
  func `broken files are refused with the reason`(name: String, reason: String) throws {
    let bytes = try SharedModels.bytes("invalid/\(name).tflite")
    let error = #expect(throws: ModelError.self) { try ModelFile(parsing: bytes.span) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `an empty but valid model is accepted`() throws {
    let bytes = try SharedModels.bytes("invalid/empty_model.tflite")
    #expect(try ModelFile(parsing: bytes.span).subgraphs.map(\.nodes.count) == [0])
  }
}
