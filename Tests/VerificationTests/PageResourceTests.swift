// SPDX-License-Identifier: Apache-2.0

import Foundation
import PageResources
import Testing

/// The files that the executable holds.
struct PageResourceTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/CPageResources")

  private func content(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
  }

  @Test func `a resource has the bytes of its file`() throws {
    #expect(PageResource.reportStyle.bytes == (try content(of: "report.css")))
    #expect(PageResource.reportScript.bytes == (try content(of: "report.js")))
    #expect(PageResource.liveStyle.bytes == (try content(of: "live.css")))
    #expect(PageResource.liveKernels.bytes == (try content(of: "live-kernels.wasm")))
    let scripts = try ["record.js", "panel.js", "live.js"].map(content)
    #expect(PageResource.liveScripts.map(\.bytes) == scripts)
  }

  @Test func `text comes without the line that names the license`() throws {
    let file = String(decoding: try content(of: "report.js"), as: UTF8.self)
    #expect(file == "// SPDX-License-Identifier: Apache-2.0\n" + PageResource.reportScript.text)
  }
}
