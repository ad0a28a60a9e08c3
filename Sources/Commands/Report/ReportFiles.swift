// SPDX-License-Identifier: Apache-2.0

import AuditReports
import FileAccess
import Formatting
import JSONDocuments
import Traces

/// The files that `martlet report` writes beside the page.
struct ReportFiles {
  private let billOfMaterials: String?
  private let findings: String?
  private let overlays: String?
  private let timeline: String?

  static let descriptions: [OptionDescription] = [
    .value(
      "cyclonedx", "file", "Write a bill of materials, too: CycloneDX 1.6.",
      completion: .files(["json"])),
    .value(
      "sarif", "file", "Write the findings, too: SARIF 2.1.0.",
      completion: .files(["sarif", "json"])),
    .value(
      "overlays", "folder", "Write overlays for Model Explorer, too, a file for each metric.",
      completion: .folders),
    .value(
      "trace", "file", "Write a timeline of the nodes, too: Trace Event Format.",
      completion: .files(["json"])),
  ]

  /// The options that say where things go and change nothing in them.
  static let names = Set(descriptions.map(\.name) + ["output", "json"])

  init(_ arguments: ParsedArguments) {
    billOfMaterials = arguments.value("cyclonedx")
    findings = arguments.value("sarif")
    overlays = arguments.value("overlays")
    timeline = arguments.value("trace")
  }

  /// Writes the files that were asked for.
  func write(_ report: any ReportDocuments, _ console: any Console) throws(CommandError) {
    try write(report.cycloneDX, to: billOfMaterials, console)
    try write(report.sarif, to: findings, console)
    try write(report.timeline, to: timeline, console)
    guard let overlays else { return }
    do throws(FileSystemError) { try Folder.create(at: overlays) } catch { throw .file(error) }
    for (metric, overlay) in report.modelExplorerOverlays {
      try write(overlay, to: "\(overlays)/model_explorer_\(metric).json", console)
    }
  }

  private func write(
    _ document: JSON, to path: String?, _ console: any Console
  ) throws(CommandError) {
    if let path { try console.write(Array((document.prettyText + "\n").utf8), to: path) }
  }
}

extension ParsedArguments {
  /// The command line again, its options in the order of the help text and in long form, without
  /// those of these names.
  func repetition(of description: CommandDescription, without names: Set<String>) -> String {
    var words = command.split(separator: " ").map(String.init)
    words += description.arguments.flatMap { allArguments($0.name) }
    for option in description.options where !names.contains(option.name) {
      if flag(option.name) { words.append("--\(option.name)") }
      for value in allValues(option.name) { words += ["--\(option.name)", value] }
    }
    return words.map(\.quotedForShell).joined(separator: " ")
  }
}

extension String {
  /// The word as a shell reads it back.
  fileprivate var quotedForShell: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./=,:+@".unicodeScalars.contains(scalar)
      }
    return isPlain ? self : "'" + replacing(text: "'", with: "'\\''") + "'"
  }
}
