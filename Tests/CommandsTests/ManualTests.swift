// SPDX-License-Identifier: Apache-2.0

import Commands
import Foundation
import Testing

/// Manual page.
@Suite struct ManualTests {
  private static let page: String = {
    let console = CapturedConsole()
    #expect(console.run("--generate-manual") == 0)
    #expect(console.errors == "")
    return console.text
  }()

  /// The lines of a section or sub-section, without its heading.
  private static func section(_ heading: String) throws -> ArraySlice<Substring> {
    let lines = page.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0 == heading }, "\(heading)")
    let depth = heading.hasPrefix(".SS") ? [".SH ", ".SS "] : [".SH "]
    let rest = lines[(start + 1)...]
    return rest.prefix { line in !depth.contains { line.hasPrefix($0) } }
  }

  @Test func `every command has its arguments and options in its own section`() throws {
    func check(_ command: CommandDescription, _ words: String) throws {
      let lines = try Self.section(".SS \"\(words)\"")
      #expect(lines.contains { !$0.hasPrefix(".") })
      for argument in command.arguments {
        #expect(lines.contains("\\fI\(argument.name)\\fR"), "\(words) \(argument.name)")
      }
      for option in command.options where option.name != "help" {
        let label = Self.label(option)
        let found = lines.contains { $0.hasPrefix(label) || $0.contains(", " + label) }
        #expect(found, "\(words) --\(option.name)")
      }
      for subcommand in command.subcommands { try check(subcommand, "\(words) \(subcommand.name)") }
    }
    let root = MartletCommand.root
    for command in root.subcommands { try check(command, "martlet \(command.name)") }
    let options = try Self.section(".SH OPTIONS").joined(separator: "\n")
    for option in root.options { #expect(options.contains(Self.label(option)), "\(option.name)") }
  }

  private static func label(_ option: OptionDescription) -> String {
    "\\fB\\-\\-\(option.name.replacing("-", with: "\\-"))\\fR"
  }

  @Test func `sections are not empty, and lines are ASCII and short`() {
    let lines = Self.page.split(separator: "\n", omittingEmptySubsequences: false)
    let version = MartletCommand.version
    #expect(lines.first == #".TH MARTLET 1 "" "martlet \#(version)" "User Commands""#)
    #expect(lines.last == "")
    let requests = ["TH", "SH", "SS", "TP", "PP", "EX", "EE", "RS", "RE", "br"]
    for (line, next) in zip(lines, lines.dropFirst()) {
      #expect(line.unicodeScalars.allSatisfy { (" "..."~").contains($0) }, "\(line)")
      #expect(!line.hasPrefix("'"))
      if line.hasPrefix(".") {
        #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
      } else {
        #expect(line.count <= 140, "\(line)")
      }
      if line.hasPrefix(".SH") || line.hasPrefix(".SS") || line == ".TP" {
        #expect(!next.isEmpty && !next.hasPrefix(".SH") && !next.hasPrefix(".SS"), "\(line)")
      }
    }
  }

  @Test func `what roff would change is escaped`() {
    let long = String(repeating: "x", count: 78)
    let command = CommandDescription(
      "tool", "Do: 'it'.",
      options: [.value("a-b", letter: "a", "x|y", "Is \\n, \"b\", `c`, ^, ~, é and 𝄞.")],
      subcommands: [
        CommandDescription("part", ".begins", discussion: "\(long) .wrapped\n\n  kept\n  'apart'") {
          _, _ in .success
        }
      ])
    let page = ManualPage(command, version: "1", date: "2026-11-22").source
    #expect(page.hasPrefix(".TH TOOL 1 \"2026-11-22\" \"tool 1\" \"User Commands\"\n"))
    #expect(page.contains("\ntool \\- do: \\(aqit\\(aq\n"))
    #expect(page.contains("\n\\fB\\-a\\fR, \\fB\\-\\-a\\-b\\fR \\fIx|y\\fR\nIs \\en, "))
    let line = "\\(dqb\\(dq, \\(gac\\(ga, \\(ha, \\(ti, \\[u00E9] and \\[u1D11E].\n"
    #expect(page.contains(line))
    #expect(page.contains("\n\\&.begins\n"))
    #expect(page.contains("\n\(long)\n\\&.wrapped\n"))
    #expect(page.contains("\n.EX\n  kept\n  \\(aqapart\\(aq\n.EE\n"))
  }

  @Test func `the date is the one that repeatable builds give`() {
    let console = CapturedConsole()
    console.variables["SOURCE_DATE_EPOCH"] = "1000000000"
    #expect(console.run("--generate-manual") == 0)
    #expect(console.text.hasPrefix(".TH MARTLET 1 \"2001-09-09\" "))
  }

  @Test func `every environment variable that the sources read is explained`() throws {
    let section = try Self.section(".SH \"ENVIRONMENT\"").joined(separator: "\n")
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    var names: Set<String> = []
    for folder in ["Sources", "Models"] {
      let files = try #require(
        FileManager.default.enumerator(
          at: root.appending(path: folder), includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        let calls = text.matches(
          of: /(?:getenv|environment|variable)\("([A-Z_]+)"\)|environmentVariable = "([A-Z_]+)"/)
        names.formUnion(calls.compactMap { ($0.1 ?? $0.2).map(String.init) })
      }
    }
    #expect(names.isSuperset(of: ["MARTLET_ISA", "MARTLET_MODELS", "HF_TOKEN", "TMPDIR"]))
    for name in names { #expect(section.contains("\\fB\(name)\\fR"), "\(name)") }
  }

  @Test(.enabled(if: ShellProgram("groff").exists, "needs groff"))
  func `groff has nothing to say`() throws {
    try check(ShellProgram("groff"), ["-man", "-Tutf8", "-ww", "-z"])
  }

  @Test(.enabled(if: ShellProgram("mandoc").exists, "needs mandoc"))
  func `mandoc has nothing to say`() throws { try check(ShellProgram("mandoc"), ["-Tlint"]) }

  private func check(_ formatter: ShellProgram, _ options: [String]) throws {
    let console = CapturedConsole()
    console.variables["SOURCE_DATE_EPOCH"] = "1000000000"
    #expect(console.run("--generate-manual") == 0)
    try console.put(console.output, "martlet.1")
    let result = try formatter.run(options + ["\(console.folder)/martlet.1"])
    #expect(result.text == "")
    #expect(result.code == 0)
  }
}
