// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
public import ModelChecks

/// All that is to be known about the models of a `.task` file and one run of each, as one page or
/// one document.
///
/// ```swift
/// let bundle = try TaskBundle(path: "hand_landmarker.task")
/// let image = BundleImage(pixels, fileName: "hands.jpg")
/// let audited = try AuditedBundle(bundle, image: image)
/// let reports = try audited.parts.map { part in
///   try AuditReport(of: part.interpreter ?? Interpreter(part.model), fileName: part.name)
/// }
/// let report = BundleReport(of: audited, fileName: "hand_landmarker.task", reports: reports)
/// try report.html.write(toFile: "report.html", atomically: true, encoding: .utf8)
/// ```
public struct BundleReport: Sendable {
  /// What the file is called.
  let fileName: String
  let byteCount: Int
  /// SHA-256 of the file in hexadecimal digits.
  let digest: String
  /// What the file holds.
  let members: [AuditedBundle.Member]
  /// What the models say together of an image; nil where nothing was asked.
  let answer: TaskFacts?
  /// The models' names in the bundle, and the report about each.
  let models: [(name: String, report: AuditReport)]
  let options: AuditOptions

  /// The report about a bundle.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - fileName: what its file is called.
  ///   - reports: the report about each of its `parts`, in their order.
  ///   - options: what the report says; its date and command are the page's.
  /// - Precondition: there is a report for each part.
  public init(
    of bundle: AuditedBundle, fileName: String, reports: [AuditReport],
    options: AuditOptions = AuditOptions()
  ) {
    precondition(reports.count == bundle.parts.count, "a report for each part")
    self.fileName = Folder.lastName(of: fileName)
    self.options = options
    byteCount = bundle.byteCount
    digest = bundle.digest
    members = bundle.members
    answer = bundle.answer
    models = zip(bundle.parts, reports).map { ($0.name, $1) }
  }

  /// What checking and running brought to light about all models.
  public var findings: [Finding] { models.flatMap(\.report.findings) }
}
