// SPDX-License-Identifier: Apache-2.0

import Commands
import Foundation
import Testing

/// What `martlet fetch` does itself, and what the program beside it does.
@Suite struct FetchProgramTests {
  @Test(arguments: [
    "m --host https://h --project p", "--project=p -- m", "m --layout files --json --offline",
  ])
  func `fetch gives its words to the program beside it as they are`(line: String) throws {
    let console = CapturedConsole()
    #expect(console.run("fetch " + line) == 66)
    let program = try #require(console.program)
    #expect(program.path.hasPrefix("/") && program.path.hasSuffix("/martlet-fetch"))
    #expect(program.arguments == line.split(separator: " ").map(String.init))
    let missing = "error: the program that downloads models is missing (\(program.path))\n"
    #expect(console.errors.hasPrefix(missing))
    #expect(console.errors.contains("'swift build -c release --product martlet-fetch'"))
    #expect(console.text == "")
  }

  @Test(arguments: [
    ("fetch --projct p m", "did you mean '--project'?"), ("fetch m --layout file", "files"),
    ("fetch", "'martlet help fetch'"), ("fetch m n", "'martlet help fetch'"),
    ("fetch m --version", "did you mean '--revision'?"),
  ])
  func `fetch checks names and options without the program`(line: String, hint: String) {
    let console = CapturedConsole()
    #expect(console.run(line) == 64)
    #expect(console.program == nil)
    #expect(console.errors.contains("(martlet fetch)\nhint: "))
    #expect(console.errors.contains(hint))
  }

  @Test func `the program has the help of fetch, and a version`() {
    let (program, command, version) = (CapturedConsole(), CapturedConsole(), CapturedConsole())
    #expect(program.fetch("--help") == 0 && command.run("help fetch") == 0)
    let heading = "USAGE: martlet-fetch <name> "
    #expect(program.text.contains(heading))
    let versionLine = "      --version         Show the version.\n"
    #expect(program.text.contains(versionLine.dropFirst(4)))
    func entries(_ console: CapturedConsole) -> [Substring] {
      let lines = console.text.split(separator: "\n").drop { $0 != "OPTIONS:" }
      return lines.filter { !$0.hasPrefix("  --version ") }
    }
    #expect(entries(command).count > 10 && entries(program) == entries(command))
    #expect(version.fetch("--version") == 0)
    #expect(version.text == "\(MartletCommand.version)\n" && version.errors == "")
  }

  @Test(.enabled(if: MartletProcess.executable != nil, "the martlet executable is needed"))
  func `without the program, martlet says which file is missing and runs all else`() throws {
    let console = CapturedConsole()
    let copy = console.folder + "/martlet"
    try FileManager.default.copyItem(
      atPath: try #require(MartletProcess.executable), toPath: copy)
    let martlet = try #require(ShellProgram(path: copy))
    let fetch = try martlet.run(["fetch", "m", "--project", "p"])
    #expect(fetch.code == 66)
    let folder = URL(fileURLWithPath: console.folder).lastPathComponent
    #expect(fetch.text.contains("/\(folder)/martlet-fetch)\nhint: "))
    #expect(try martlet.run(["help", "fetch"]).code == 0)
    #expect(try martlet.run(["--version"]).text == "\(MartletCommand.version)\n")
    // What lies there and is no program is said to be that.
    try console.put(Array("no program".utf8), "martlet-fetch")
    let refused = try martlet.run(["fetch", "m", "--project", "p"])
    #expect(refused.code == 66)
    #expect(refused.text.contains("cannot be run: Permission denied"))
  }

  @Test(
    .enabled(if: MartletProcess.built("martlet-fetch") != nil, "martlet-fetch is needed"))
  func `a link to martlet finds the program beside martlet itself`() throws {
    let console = CapturedConsole()
    let link = console.folder + "/m"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: try #require(MartletProcess.executable))
    let words = ["fetch", "m", "--project", "p", "--offline", "--cache", console.folder + "/c"]
    let result = try #require(ShellProgram(path: link)).run(words)
    #expect(result.code == 66)
    #expect(result.text.hasPrefix("error: there is no intact copy on disk (m at https://"))
  }
}
