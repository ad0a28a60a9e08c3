// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import Martlet
internal import ModelChecks

extension BundleReport: ReportDocuments {
  /// The name of the document's form.
  static let schema = "martlet/bundle-report/1"

  /// The facts of the report for programs.
  package var json: JSON {
    .record([
      "schema": .string(Self.schema),
      "bundle": .record([
        "file": .string(fileName), "bytes": .integer(byteCount), "sha256": .string(digest),
        "martlet": .string(Engine.version), "date": options.date.map { .string($0) },
        "command": options.command.isEmpty ? nil : .string(options.command),
        "members": .array(
          members.map { member in
            .record([
              "name": .string(member.name), "bytes": .integer(member.byteCount),
              "sha256": .string(member.digest), "fits": member.fits.map { .string($0) },
            ])
          }),
      ]),
      "answer": answer?.json,
      "models": .array(
        models.map { ["name": .string($0.name), "report": $0.report.json] }),
    ])
  }

  /// What a line of the text output says.
  package var summary: String {
    models.map { "\($0.name): \($0.report.summary)" }.joined(separator: "\n")
  }

  /// The bundle as a component of a bill of materials that holds its models.
  package var cycloneDX: JSON {
    var seen = Set<String>()
    let components = models.map(\.report).filter { seen.insert($0.identity.digest).inserted }
    return AuditReport.billOfMaterials(
      of: [
        "type": "file", "bom-ref": .string("bundle-\(digest.prefix(16))"),
        "name": .string(fileName),
        "hashes": .array([["alg": "SHA-256", "content": .string(digest)]]),
        "components": .array(components.map(\.component)),
      ], digest: digest, date: options.date)
  }

  /// The findings as a SARIF document; a model's location is its name in the bundle.
  package var sarif: JSON {
    ModelCheck.sarif(models.map { ("\(fileName)/\($0.name)", $0.report.findings) })
  }

  /// Numbers for each node in the form that Model Explorer lays over a graph, by model and metric.
  package var modelExplorerOverlays: [(metric: String, overlay: JSON)] {
    models.flatMap { name, report in
      let prefix = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return report.modelExplorerOverlays.map { ("\(prefix)_\($0.metric)", $0.overlay) }
    }
  }

  /// The nodes of each model one after another, as a process of its own.
  package var timeline: JSON {
    AuditReport.timeline(
      of: fileName,
      models.indices.flatMap { models[$0].report.timelineEvents(process: $0 + 1) })
  }
}
