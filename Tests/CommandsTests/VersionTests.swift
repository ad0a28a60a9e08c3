// SPDX-License-Identifier: Apache-2.0

import Commands
import Foundation
import JSONDocuments
import Testing

/// Version.
@Suite struct VersionTests {
  @Test func `the first line is the version and nothing else`() {
    let console = CapturedConsole()
    #expect(console.run("--version") == 0)
    #expect(console.text == "\(MartletCommand.version)\n")
    #expect(MartletCommand.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }

  @Test func `the facts of the build are a document without dates and paths`() throws {
    let console = CapturedConsole()
    #expect(console.run("--version --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"]?.string == "martlet/version/1")
    #expect(document["version"]?.string == MartletCommand.version)
    #expect(document["swift"]?.string?.contains(/^6\.[0-9]/) == true)
    #expect(["debug", "release"].contains(document["configuration"]?.string))
    #expect(document["zlib"]?.string?.contains(/^1\.[0-9]+/) == true)
    #expect(document["tflite_schema"]?.integer == 3)
    let levels = try #require(document["instruction_sets"]?.array).compactMap(\.string)
    let chosen = try #require(document["instruction_set"]?.string)
    #expect(levels.first == "portable")
    #expect(levels.contains(chosen))
    #if arch(x86_64)
      #expect(document["architecture"]?.string == "x86_64")
      #expect(levels == ["portable", "baseline", "v3", "v3-vnni", "v4", "v4-amx"])
    #elseif arch(arm64)
      #expect(document["architecture"]?.string == "aarch64")
      #expect(levels == ["portable", "neon", "neon-dot", "neon-i8mm"])
    #endif
    #if os(Linux)
      #expect(document["system"]?.string == "linux")
    #endif
    #expect(!console.text.contains(FileManager.default.currentDirectoryPath))
    let again = CapturedConsole()
    again.run("--json --version")
    #expect(again.output == console.output)
  }

  @Test func `--json alone is refused`() {
    let console = CapturedConsole()
    #expect(console.run("--json") == 64)
    #expect(console.errors.hasPrefix("error: --json without --version (martlet)\n"))
  }
}
