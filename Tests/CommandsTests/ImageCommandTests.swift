// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import Npy
import Tensors
import Testing

/// Martlet image.
@Suite struct ImageCommandTests {
  /// Two columns and one row: red, and half-transparent blue.
  private let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 128]

  private func encode(_ console: CapturedConsole, _ array: NpyArray) throws {
    try array.write(to: console.folder + "/in.npy")
    #expect(console.run("image encode DIR/in.npy --output DIR/x.png") == 0)
  }

  @Test func `what is encoded is decoded again`() throws {
    let console = CapturedConsole()
    let array = try NpyArray(pixels, shape: [1, 2, 4])
    try encode(console, array)
    #expect(console.run("image decode DIR/x.png --output DIR/out.npy") == 0)
    #expect(try NpyArray(contentsOf: console.folder + "/out.npy") == array)
    #expect(console.text == "")
  }

  @Test func `grey and color arrays are decoded as red, green, blue, alpha`() throws {
    for (shape, bytes, expected) in [
      ([1, 2], [7, 9], [7, 7, 7, 255, 9, 9, 9, 255]),
      ([1, 2, 1], [7, 9], [7, 7, 7, 255, 9, 9, 9, 255]),
      ([1, 1, 1, 3], [1, 2, 3], [1, 2, 3, 255]),
    ] as [([Int], [UInt8], [UInt8])] {
      let console = CapturedConsole()
      try encode(console, try NpyArray(bytes, shape: try Shape(shape)))
      #expect(console.run("image decode DIR/x.png --output -") == 0)
      #expect(try NpyArray(parsing: console.output.span).bytes == expected)
    }
  }

  @Test func `an image is resized by the nearest pixel`() throws {
    let console = CapturedConsole()
    try encode(console, try NpyArray(pixels, shape: [1, 2, 4]))
    #expect(
      console.run("image resize DIR/x.png DIR/y.png --size 4x2 --filter nearest --json") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["width"] == 4)
    #expect(document["height"] == 2)
    #expect(console.run("image decode DIR/y.png --output DIR/out.npy") == 0)
    let row = Array(pixels[0..<4] + pixels[0..<4] + pixels[4..<8] + pixels[4..<8])
    #expect(try NpyArray(contentsOf: console.folder + "/out.npy").bytes == row + row)
  }

  @Test func `an image is described`() throws {
    let console = CapturedConsole()
    try encode(console, try NpyArray(pixels, shape: [1, 2, 4]))
    #expect(console.run("image info DIR/x.png") == 0)
    #expect(console.text.hasPrefix("PNG 2x1, rgba, 8 bits, with alpha, "))
    let other = CapturedConsole()
    #expect(other.run("image info \(console.folder)/x.png --json") == 0)
    let document = try JSON(parsing: other.output)
    #expect(document["schema"] == "martlet/image/1")
    #expect(document["bit_depth"] == 8)
    #expect(document["interlaced"] == false)
  }

  @Test func `bad files end in 65 and leave an older output as it was`() throws {
    let console = CapturedConsole()
    try encode(console, try NpyArray(pixels, shape: [1, 2, 4]))
    let file = try InputFile.bytes(at: console.folder + "/x.png")
    try console.put(Array(file.dropLast(20)), "short.png")
    try console.put([1], "out.npy")
    #expect(console.run("image decode DIR/short.png --output DIR/out.npy") == 65)
    #expect(console.errors.hasPrefix("error: "))
    #expect(console.errors.hasSuffix(")\n"))
    #expect(try InputFile.bytes(at: console.folder + "/out.npy") == [1])
    let other = CapturedConsole()
    try NpyArray([Float(1)], shape: [1, 1]).write(to: other.folder + "/in.npy")
    #expect(other.run("image encode DIR/in.npy --output DIR/x.png") == 65)
    #expect(
      other.errors
        == "error: float32 1x1, wanted uint8 [height, width, channels] (\(other.folder)/in.npy)\n")
    #expect(other.run("image decode DIR/none.png --output DIR/out.npy") == 66)
  }

  @Test(arguments: [
    "image decode x.png", "image resize x.png y.png", "image resize x.png y.png --size 3",
    "image resize x.png y.png --size 0x3", "image decode x.png --output - --json",
  ])
  func `wrong options end in 64`(line: String) {
    let console = CapturedConsole()
    #expect(console.run(line) == 64)
  }
}
