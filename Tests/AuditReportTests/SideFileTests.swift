// SPDX-License-Identifier: Apache-2.0

import AuditReports
import Compression
import FileAccess
import Foundation
import JSONDocuments
import Martlet
import ModelChecks
import Testing

/// Files beside an audit.
@Suite struct SideFileTests {
  @Test func `the bill of materials names the model by its digest`() throws {
    let bill = try AuditedModels.digitReport().cycloneDX
    #expect(bill["bomFormat"] == "CycloneDX")
    #expect(bill["specVersion"] == "1.6")
    let component = try #require(bill["metadata"]?["component"])
    #expect(component["type"] == "machine-learning-model")
    #expect(component["name"] == "Martlet digits")
    let bytes = try InputFile.bytes(
      at: "\(AuditedModels.root)/Models/digits/digits_int8.tflite")
    let digest = SHA256.hexadecimalDigest(bytes.span)
    #expect(component["hashes"] == [["alg": "SHA-256", "content": .string(digest)]])
    let serial = try #require(bill["serialNumber"]?.string)
    #expect(UUID(uuidString: serial.replacing("urn:uuid:", with: "")) != nil)
    #expect(bill["metadata"]?["timestamp"] == nil)
  }

  @Test func `findings of a run have rules that the document describes`() throws {
    let sarif = try AuditedModels.digitReport().sarif
    let run = try #require(sarif["runs"]?.array?.first)
    let rules = run["tool"]?["driver"]?["rules"]?.array?.compactMap { $0["id"]?.string } ?? []
    #expect(rules == CheckRule.allCases.map(\.rawValue))
    for result in run["results"]?.array ?? [] {
      #expect(rules.contains(result["ruleId"]?.string ?? ""))
    }
  }

  @Test func `overlays name nodes by their outputs, and leave out what was not measured`() throws {
    let report = try AuditedModels.digitReport()
    let overlays = Dictionary(
      report.modelExplorerOverlays.map { ($0.metric, $0.overlay) },
      uniquingKeysWith: { first, _ in first })
    #expect(overlays["ms"] == nil)
    let results = try #require(overlays["macs"]?["main"]?["results"]?.members)
    #expect(results.count == 17)
    let layers = report.json["layers"]?.array ?? []
    for layer in layers {
      let name = try #require(layer["outputs"]?.array?.first?["name"]?.string)
      let value = results.first { $0.key == name }?.value["value"]?.number
      #expect(value == layer["macs"]?.number)
    }
  }
}
