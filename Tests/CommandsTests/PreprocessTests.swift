// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import JSONDocuments
import Npy
import Tensors
import TestSupport
import Testing

/// Martlet preprocess.
@Suite struct PreprocessTests {
  @Test func `values, image, and where each number comes from`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[4])
    let line = "preprocess \(model) \(image) --output-dir DIR/out --fit letterbox --json"
    #expect(console.run(line) == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/preprocess/1")
    #expect(document["normalization"]?["from"] == "metadata")
    #expect(document["fit"] == ["value": "letterbox", "from": "option"])
    #expect(document["filter"]?["from"] == "default")
    #expect(document["size"]?["from"] == "model")
    let values = try NpyArray(contentsOf: "\(console.folder)/out/input_0.npy")
    #expect(values.shape.dimensions == [1, 32, 32, 3])
    // The metadata divides by 255 and the scale is 1/255 from -128: codes are bytes less 128.
    let seen = CapturedConsole()
    #expect(
      seen.run("image decode \(console.folder)/out/input_0.png --output DIR/seen.npy") == 0)
    let pixels = try NpyArray(contentsOf: "\(seen.folder)/seen.npy")
    let bytes = try #require(pixels.values(as: UInt8.self))
    let codes = try #require(values.values(as: Int8.self))
    for pixel in 0..<32 * 32 {
      for channel in 0..<3 {
        #expect(Int(codes[3 * pixel + channel]) == Int(bytes[4 * pixel + channel]) - 128)
      }
    }
  }

  @Test func `the text names option, metadata, model and default`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    let image = try BundledModels.path(of: BundledModels.digitSamples[4])
    #expect(
      console.run("preprocess \(model) \(image) --output-dir DIR --mean 127.5 --std 127.5") == 0)
    let lines = console.text.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("values    option") && $0.contains("127.5") })
    #expect(lines.contains { $0.hasPrefix("filter    default") })
    #expect(
      lines.suffix(2) == ["npy", "png"].map { "wrote \(console.folder)/input_0.\($0)" })
  }

  @Test func `a folder must be given, and the model must take an image`() throws {
    let console = CapturedConsole()
    let model = try BundledModels.path(of: BundledModels.digits)
    #expect(console.run("preprocess \(model) p.png") == 64)
    #expect(
      console.run("preprocess \(Goldens.add)/model.tflite p.png --output-dir DIR/out") == 65)
    #expect(console.run("preprocess \(model) DIR/none.png --output-dir DIR/out") == 66)
  }
}
