// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import VisionTasks

@Suite struct AutoMLManifestTests {
  /// Writes a manifest into a folder of its own and reads it.
  private func manifest(_ text: String) throws -> AutoMLManifest {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("manifest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("manifest.json")
    try Data(text.utf8).write(to: file)
    return try AutoMLManifest(path: file.path)
  }

  @Test func `files lie beside the manifest, and a trailing comma does no harm`() throws {
    let manifest = try manifest(
      """
      {"labelsFile": "dict.txt", "modelFile": "m.tflite", "modelType": "IMAGE_LABELING",}
      """)
    #expect(manifest.modelPath.hasSuffix("/m.tflite"))
    #expect(manifest.labelsPath.hasSuffix("/dict.txt"))
  }

  @Test(arguments: [
    "", "[]", "{\"modelType\": \"IMAGE_LABELING\"}",
    "{\"modelType\": \"OTHER\", \"modelFile\": \"m\", \"labelsFile\": \"l\"}",
    "{\"modelType\": \"IMAGE_LABELING\", \"modelFile\": \"../m\", \"labelsFile\": \"l\"}",
    "{\"modelType\": \"IMAGE_LABELING\", \"modelFile\": \"/m\", \"labelsFile\": \"l\"}",
    "{\"modelType\": \"IMAGE_LABELING\", \"modelFile\": 3, \"labelsFile\": \"l\"}",
  ])
  func `a manifest of another form is refused`(text: String) {
    #expect(throws: VisionError.self) { try manifest(text) }
  }

  @Test func `a missing manifest is refused`() {
    #expect(throws: VisionError.self) { try AutoMLManifest(path: "/nonexistent/manifest.json") }
  }
}
