// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Testing

/// Where images are written, and as what.
@Suite struct AnnotationTests {
  private let scenes: [String]

  init() throws {
    scenes = try BundledModels.localizerSamples.prefix(2).map { name in
      try BundledModels.path(of: name)
    }
  }

  @Test func `names of other kinds of image files are refused where PNG is written`() throws {
    let console = CapturedConsole()
    #expect(console.run("image decode \(scenes[0]) -o DIR/a.npy") == 0)
    for (line, option) in [
      ("detect \(scenes[0]) --annotate DIR/out.jpg", "annotate"),
      ("image encode DIR/a.npy -o DIR/out.JPG", "output"),
      ("image resize \(scenes[0]) DIR/out.jpeg --size 8x8", "output"),
      ("image resize \(scenes[0]) -o DIR/out.bmp --size 8x8", "output"),
      ("run \(scenes[0]) --fill zeros --image DIR/out.webp", "image"),
    ] {
      let run = CapturedConsole()
      #expect(run.run(line.replacing("DIR", with: console.folder)) == 64, "\(line)")
      #expect(run.errors.contains("' for '--\(option)', and only PNG files are written"))
      #expect(run.errors.contains("\nhint: '\(console.folder)/out.png' would be one\n"))
    }
    #expect(try Folder.names(in: console.folder) == ["a.npy"])
  }

  @Test func `several images are written into a folder, not into one image`() throws {
    let console = CapturedConsole()
    let images = scenes.joined(separator: " ")
    #expect(console.run("detect \(images) --annotate DIR/two.png") == 64)
    #expect(console.errors.contains("two.png' for '--annotate', wanted a folder for 2 images"))
    #expect(try Folder.names(in: console.folder) == [])
    #expect(console.run("detect \(images) --annotate DIR/both") == 0)
    #expect(
      try Folder.names(in: console.folder + "/both").sorted()
        == ["annotated_0.png", "annotated_1.png"])
    #expect(console.run("detect \(scenes[0]) --annotate DIR/both/") == 0)
    #expect(console.run("detect \(scenes[0]) --annotate DIR/both --json") == 0)
  }

  @Test func `image resize takes its output by position or by option, once`() {
    let console = CapturedConsole()
    #expect(console.run("image resize \(scenes[0]) -o DIR/a.png --size 8x8") == 0)
    #expect(console.run("image info DIR/a.png") == 0)
    #expect(console.run("image resize \(scenes[0]) DIR/a.png -o DIR/b.png --size 8x8") == 64)
    #expect(console.run("image resize \(scenes[0]) --size 8x8") == 64)
  }

  @Test func `what a classifier sees stands below each object, in narrow lines`() throws {
    let console = CapturedConsole()
    let digits = try BundledModels.path(of: BundledModels.digits)
    #expect(console.run("detect \(scenes[1]) --classifier \(digits) --top 2") == 0)
    let lines = console.text.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("  object  ") })
    #expect(lines[first + 1].hasPrefix("    ") && lines[first + 2].hasPrefix("    "))
    #expect(lines[first + 3].hasPrefix("  object  "))
    #expect(lines[first...].allSatisfy { $0.count <= 60 })
  }
}
