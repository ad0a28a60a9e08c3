// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import Testing

/// `--resource-limit`, which every command that reads files has.
@Suite struct LimitOptionTests {
  private static func digits() throws -> String {
    try BundledModels.path(of: BundledModels.digits)
  }

  @Test(arguments: [
    ("arena-bytes=1KiB", "the limit of 1024 bytes"), ("tensor-bytes=64", "the limit is 64"),
    ("file-bytes=1KiB", "File too large"), ("nodes=3", "of which the limit leaves 3"),
    ("tables=5", "5"),
    ("node-operations=1000", "operations needed, the limit is 1000"),
    ("work=1000", "units of work needed, the limit is 1000"),
    ("time=0.000001ms", "not done within the limit"),
  ])
  func `what goes beyond a limit is refused`(limit: String, reason: String) throws {
    let console = CapturedConsole()
    let code = try console.run("run \(Self.digits()) --fill zeros --resource-limit \(limit)")
    #expect(code == (limit.hasPrefix("time") ? 75 : 65))
    #expect(console.errors.contains(reason), "\(console.errors)")
    #expect(console.output.isEmpty)
  }

  @Test(arguments: ["tensor-bytes", "node-operations", "work"])
  func `following the hint ends at a limit that admits the model`(name: String) throws {
    let option = "--resource-limit \(name)="
    var limit: Substring = "64"
    for _ in 0..<20 {
      let console = CapturedConsole()
      guard try console.run("run \(Self.digits()) --fill zeros \(option)\(limit)") != 0 else {
        return
      }
      let hint = try #require(console.errors.split(separator: "\n").last)
      try #require(hint.contains(option), "\(hint)")
      limit = hint.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }
    }
    Issue.record("\(limit) does not do")
  }

  @Test func `the hint names the limit of all memory`() throws {
    let console = CapturedConsole()
    _ = try console.run("run \(Self.digits()) --fill zeros --resource-limit arena-bytes=1KiB")
    #expect(console.errors.contains("hint: '--resource-limit arena-bytes=…' raises it"))
  }

  @Test func `limits may be given together`() {
    let console = CapturedConsole()
    let limits =
      "--resource-limit arena-bytes=1GiB --resource-limit time=90s --resource-limit image-pixels=9216"
    #expect(console.run("label \(limits)") == 0)
    #expect(console.run("label \(limits) --resource-limit picture-pixels=9215") == 1)
    #expect(console.errors.contains("size 96x96 beyond the limits"), "\(console.errors)")
  }

  @Test func `no command has two options of one name`() {
    func check(_ command: CommandDescription) {
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
      let letters = command.options.compactMap(\.letter)
      #expect(Set(letters).count == letters.count, "\(command.name)")
      command.subcommands.forEach(check)
    }
    check(MartletCommand.root)
  }

  @Test(arguments: ["arena=1", "time=3", "time=-1s", "nodes=1KiB", "arena-bytes=1TB", "nodes", ""])
  func `other limits are usage errors`(limit: String) throws {
    let console = CapturedConsole()
    #expect(try console.run("run \(Self.digits()) --fill zeros --resource-limit=\(limit)") == 64)
    #expect(console.errors.hasPrefix("error: "))
  }
}
