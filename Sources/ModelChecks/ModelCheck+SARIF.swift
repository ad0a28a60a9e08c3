// SPDX-License-Identifier: Apache-2.0

internal import Formatting
package import JSONDocuments
internal import Martlet

extension ModelCheck {
  /// Findings of several models as one SARIF document (OASIS, Static Analysis Results Interchange
  /// Format 2.1.0), which code hosts show beside the files.
  package static func sarif(_ checks: [(path: String, findings: [Finding])]) -> JSON {
    let rules = CheckRule.allCases.map { rule -> JSON in
      [
        "id": .string(rule.rawValue), "shortDescription": ["text": .string(rule.summary)],
      ]
    }
    let results = checks.flatMap { path, findings in
      findings.map { result($0, path: path) }
    }
    let driver: JSON = [
      "name": "martlet", "version": .string(Engine.version), "rules": .array(rules),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": .array([
        ["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results)]
      ]),
    ]
  }

  private static func result(_ finding: Finding, path: String) -> JSON {
    let index = CheckRule.allCases.firstIndex(of: finding.rule) ?? 0
    var text = finding.message
    if let fix = finding.fix { text += ". To mend it: \(fix)" }
    var location = JSON.record([
      "physicalLocation": ["artifactLocation": ["uri": .string(path.percentEncoded(keeping: "/"))]]
    ])
    if !finding.location.isEmpty {
      location = location.adding([
        "logicalLocations": .array([["fullyQualifiedName": .string(finding.location)]])
      ])
    }
    return [
      "ruleId": .string(finding.rule.rawValue), "ruleIndex": .integer(index),
      "level": .string(finding.severity.rawValue), "message": ["text": .string(text)],
      "locations": .array([location]),
    ]
  }
}
