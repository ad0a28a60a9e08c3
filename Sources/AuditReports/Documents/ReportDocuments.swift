// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments

/// What is written of a report: the page, and documents that say the same.
package protocol ReportDocuments: Sendable {
  /// The page.
  var html: String { get }
  /// The facts for programs.
  var json: JSON { get }
  /// What a line of the text output says.
  var summary: String { get }
  /// The bill of materials.
  var cycloneDX: JSON { get }
  /// The findings.
  var sarif: JSON { get }
  /// Numbers for each node, by metric.
  var modelExplorerOverlays: [(metric: String, overlay: JSON)] { get }
  /// The nodes one after another.
  var timeline: JSON { get }
}

extension AuditReport: ReportDocuments {}
