// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// The engine against RE2, on random patterns and texts that make_goldens.py recorded.
@Suite struct ExpressionGoldenTests {
  @Test(arguments: GoldenFolder.all)
  func `first matches`(folder: GoldenFolder) throws {
    let lines = try folder.lines("expressions.txt")
    #expect(lines.count >= 1000)
    for line in lines {
      let fields = line.split(separator: " " as Character).map(String.init)
      let pattern = GoldenFolder.text(fields[0])
      let text = fields[1] == "-" ? "" : GoldenFolder.text(fields[1])
      #expect(
        Self.firstMatch(pattern, in: text) == fields[2],
        "\(pattern.debugDescription) in \(text.debugDescription)")
    }
  }

  private static func firstMatch(_ pattern: String, in text: String) -> String {
    guard let expression = try? RegularExpression(pattern) else { return "error" }
    var matcher = RegexMatcher(expression, bytes: Array(text.utf8))
    guard let match = matcher.firstMatch(from: 0, stepLimit: .max) else { return "none" }
    return "\(match.lowerBound):\(match.upperBound)"
  }
}
