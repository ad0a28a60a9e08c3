// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Testing

/// `--limit`, which every command that reads files has.
@Suite struct LimitOptionTests {
  private static func digits() throws -> String {
    try BundledModels.path(of: BundledModels.digits)
  }

  @Test(arguments: [
    ("arena-bytes=1KiB", "the limit of 1024 bytes"), ("tensor-bytes=64", "the limit is 64"),
    ("file-bytes=1KiB", "File too large"), ("nodes=3", "of which the limit leaves 3"),
    ("tables=5", "5"), ("time=0.000001ms", "not done within the limit"),
  ])
  func `what goes beyond a limit is refused`(limit: String, reason: String) throws {
    let console = CapturedConsole()
    let code = try console.run("run \(Self.digits()) --fill zeros --limit \(limit)")
    #expect(code == (limit.hasPrefix("time") ? 75 : 65))
    #expect(console.errors.contains(reason), "\(console.errors)")
    #expect(console.output.isEmpty)
  }

  @Test func `limits may be given together`() {
    let console = CapturedConsole()
    let limits = "--limit arena-bytes=1GiB --limit time=90s --limit picture-pixels=9216"
    #expect(console.run("label \(limits)") == 0)
    #expect(console.run("label \(limits) --limit picture-pixels=9215") == 1)
    #expect(console.errors.contains("size 96x96 beyond the limits"), "\(console.errors)")
  }

  @Test(arguments: ["arena=1", "time=3", "time=-1s", "nodes=1KiB", "arena-bytes=1TB", "nodes", ""])
  func `other limits are usage errors`(limit: String) throws {
    let console = CapturedConsole()
    #expect(try console.run("run \(Self.digits()) --fill zeros --limit=\(limit)") == 64)
    #expect(console.errors.hasPrefix("error: "))
  }
}
