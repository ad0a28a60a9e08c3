// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import TestSupport
import Testing

/// The folder of PngSuite, or nil when the environment does not say where test models are.
private let pngSuiteFolder = PublishedModels.folder.map {
  URL(fileURLWithPath: $0).appending(path: "images/pngsuite")
}

/// Willem van Schaik's PngSuite with expected pixels (16-bit little-endian RGBA).
@Suite(
  "PngSuite",
  .enabled(if: pngSuiteFolder != nil, "MARTLET_TEST_MODELS names no folder of test models"))
struct PNGSuiteTests {
  private static func files(_ name: String) -> [URL] {
    guard let folder = pngSuiteFolder else { return [] }
    let inputs = folder.appending(path: "Inputs").appending(path: name)
    let found = try? FileManager.default.contentsOfDirectory(
      at: inputs, includingPropertiesForKeys: nil)
    return (found ?? []).sorted { $0.path < $1.path }
  }

  @Test func `all valid images, exactly`() throws {
    let files = PNGSuiteTests.files("Common")
    #expect(files.count == 161)
    for file in files {
      let image = try PNG.decode([UInt8](Data(contentsOf: file)), keepingDeepPixels: true)
      let expectation = try #require(pngSuiteFolder).appending(
        path: "RGBA/\(file.lastPathComponent).rgba")
      let bytes = [UInt8](try Data(contentsOf: expectation))
      let samples = stride(from: 0, to: bytes.count, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      #expect(image.pixels == samples.map { UInt8($0 >> 8) }, "\(file.lastPathComponent)")
      if let deepPixels = image.deepPixels {
        #expect(deepPixels == samples, "\(file.lastPathComponent)")
      }
    }
  }

  @Test(arguments: ["Invalid", "iOS"])
  func `all invalid files are refused`(name: String) throws {
    let files = PNGSuiteTests.files(name)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(throws: PNGError.self, "\(file.lastPathComponent)") { try PNG.decode(bytes) }
    }
  }
}
