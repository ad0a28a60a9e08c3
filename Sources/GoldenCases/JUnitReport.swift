// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import Npy

/// Golden results as an XML document of JUnit's kind, which servers for continuous integration
/// read: a suite per operator and type or per model, a case per folder.
public struct JUnitReport: Sendable {
  private let suites: [(name: String, results: [GoldenResult])]

  /// The report of `results`.
  public init(_ results: [GoldenResult]) {
    suites = Dictionary(grouping: results, by: \.group).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// The document, in UTF-8.
  public var text: String {
    let results = suites.flatMap(\.results)
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"martlet verify\" \(Self.counts(results))>",
    ]
    for (name, results) in suites {
      lines.append("  <testsuite name=\"\(name.xmlEscaped)\" \(Self.counts(results))>")
      for result in results { lines += Self.testCase(result) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>", ""]).joined(separator: "\n")
  }

  private static func counts(_ results: [GoldenResult]) -> String {
    let failed = results.count { !$0.agreement.isAgreement }
    let time = results.reduce(Duration.zero) { $0 + $1.duration }
    return
      "tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"0\" time=\"\(seconds(time))\""
  }

  private static func testCase(_ result: GoldenResult) -> [String] {
    let head =
      "    <testcase classname=\"\(result.group.xmlEscaped)\" "
      + "name=\"\(result.folder.xmlEscaped)\" time=\"\(seconds(result.duration))\""
    guard case .differs(let reason) = result.agreement else { return [head + "/>"] }
    return [
      head + ">", "      <failure message=\"\(reason.xmlEscaped)\"/>", "    </testcase>",
    ]
  }

  /// Seconds with microseconds.
  private static func seconds(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let fraction = String(attoseconds / 1_000_000_000_000)
    return "\(whole)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
