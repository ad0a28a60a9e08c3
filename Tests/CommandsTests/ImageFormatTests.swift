// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import JSONDocuments
import Npy
import TestSupport
import Testing

/// Every command that takes an image takes all formats.
@Suite struct ImageFormatTests {
  private static let images = URL(fileURLWithPath: Goldens.folder).deletingLastPathComponent()
    .appending(path: "ImageTests/Images").path

  /// One blue and one red pixel, the lower row first.
  private static let bmp: [UInt8] = [
    [UInt8]("BM".utf8),
    [62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0],
    [UInt8](repeating: 0, count: 24),
    [0, 0, 255, 0, 255, 0, 0, 0],
  ].flatMap { $0 }

  private static let ppm = Array("P3 1 2 255  0 0 255  255 0 0\n".utf8)

  private func jpeg(_ name: String) throws -> [UInt8] {
    try InputFile.bytes(at: ImageFormatTests.images + "/\(name).jpg")
  }

  @Test(arguments: [bmp, ppm])
  func `pixels are decoded whatever the file is called`(file: [UInt8]) throws {
    let console = CapturedConsole()
    try console.put(file, "x")
    #expect(console.run("image decode DIR/x --output DIR/out.npy") == 0)
    let array = try NpyArray(contentsOf: console.folder + "/out.npy")
    #expect(array.bytes == [0, 0, 255, 255, 255, 0, 0, 255])
  }

  @Test func `a JPEG file's pixels are libjpeg's`() throws {
    let console = CapturedConsole()
    let folder = ImageFormatTests.images
    #expect(console.run("image decode \(folder)/progressive-420.jpg --output DIR/a.npy") == 0)
    #expect(console.run("image decode \(folder)/progressive-420.ppm --output DIR/b.npy") == 0)
    #expect(
      try NpyArray(contentsOf: console.folder + "/a.npy")
        == NpyArray(contentsOf: console.folder + "/b.npy"))
  }

  @Test func `a JPEG file is resized upright`() throws {
    let console = CapturedConsole()
    let source = ImageFormatTests.images + "/orientation-6.jpg"
    #expect(console.run("image resize \(source) DIR/y.png --size 10x12 --filter nearest") == 0)
    #expect(console.run("image decode DIR/y.png --output DIR/y.npy") == 0)
    #expect(console.run("image decode \(source) --output DIR/x.npy") == 0)
    let stored = try NpyArray(contentsOf: console.folder + "/x.npy").bytes
    let upright = try NpyArray(contentsOf: console.folder + "/y.npy").bytes
    // A quarter turn clockwise brings the last row's first pixel to the top left.
    #expect(upright.prefix(3) == stored[4 * 9 * 12..<4 * 9 * 12 + 3])
  }

  @Test(arguments: [
    ("baseline-420", "JPEG 37x21, baseline, yCbCr 4:2:0, "),
    ("cmyk-progressive", "JPEG 19x13, progressive, cmyk, "),
    ("orientation-3", "JPEG 12x10, progressive, yCbCr 4:2:0, orientation down, "),
    ("extended-16-bit-tables", "JPEG 17x18, extended sequential, yCbCr 4:2:0, "),
  ])
  func `files are described`(name: String, text: String) throws {
    let console = CapturedConsole()
    try console.put(try jpeg(name), "x.jpg")
    #expect(console.run("image info DIR/x.jpg") == 0)
    #expect(console.text.hasPrefix(text))
  }

  @Test func `documents name the format`() throws {
    for (file, format, member, value) in [
      (try jpeg("baseline-422"), "jpeg", "subsampling", "4:2:2"),
      (ImageFormatTests.bmp, "bmp", "compression", "none"),
      (ImageFormatTests.ppm, "pnm", "color_type", "rgb"),
    ] {
      let console = CapturedConsole()
      try console.put(file, "x")
      #expect(console.run("image info DIR/x --json") == 0)
      let document = try JSON(parsing: console.output)
      #expect(document["format"] == .string(format))
      #expect(document[member] == .string(value))
      #expect(document["alpha"] == false)
    }
  }

  @Test func `models take images of every format`() throws {
    let model = try BundledModels.path(of: BundledModels.digits)
    let console = CapturedConsole()
    try console.put(try jpeg("baseline-444"), "a.jpg")
    try console.put(ImageFormatTests.bmp, "b.bmp")
    try console.put(ImageFormatTests.ppm, "c.ppm")
    #expect(console.run("label DIR/a.jpg DIR/b.bmp DIR/c.ppm --json") == 0)
    for name in ["a.jpg", "b.bmp", "c.ppm"] {
      #expect(console.run("run \(model) --input DIR/\(name) --output-dir DIR/out") == 0)
    }
    #expect(!console.errors.contains("error"))
  }

  @Test func `a truncated or mutated file ends in 65, with the byte`() throws {
    let file = try jpeg("baseline-420")
    let console = CapturedConsole()
    try console.put(Array(file.dropLast(40)), "short.jpg")
    #expect(console.run("image decode DIR/short.jpg --output DIR/x.npy") == 65)
    let short =
      "error: the file ends early (\(console.folder)/short.jpg, byte \(file.count - 40))\n"
    #expect(console.errors == short)
    #expect(console.run("label DIR/short.jpg") == 65)
    var arithmetic = file
    let frame = try #require(
      file.indices.dropLast().first { file[$0...].starts(with: [0xFF, 0xC0]) })
    arithmetic[frame + 1] = 0xC9
    try console.put(arithmetic, "mutated.jpg")
    #expect(console.run("image info DIR/mutated.jpg") == 65)
    #expect(
      console.errors.hasSuffix(
        "error: unsupported coding process SOF9 (arithmetic coding) "
          + "(\(console.folder)/mutated.jpg, byte \(frame))\n"))
    try console.put(Array("GIF89a".utf8), "x.gif")
    #expect(console.run("image info DIR/x.gif") == 65)
    #expect(
      console.errors.hasSuffix(
        "error: GIF data, not a PNG, JPEG, BMP or PNM file (\(console.folder)/x.gif)\n"))
  }
}
