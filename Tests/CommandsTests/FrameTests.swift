// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import Synchronization
import Testing

/// Streams of raw frames.
@Suite struct FrameTests {
  /// The channels of each pixel format, as places in red, green, blue, alpha.
  private static let orders: [(String, [Int])] = [
    ("rgb24", [0, 1, 2]), ("bgr24", [2, 1, 0]), ("rgba", [0, 1, 2, 3]), ("bgra", [2, 1, 0, 3]),
  ]

  private static func frame(_ pixels: [UInt8], _ order: [Int]) -> [UInt8] {
    stride(from: 0, to: pixels.count, by: 4).flatMap { pixel in order.map { pixels[pixel + $0] } }
  }

  /// A console whose input is the digits 3 and 7 as frames.
  private static func digits(_ order: [Int] = [0, 1, 2]) throws -> CapturedConsole {
    let console = try SmallTaskModels.console()
    for name in ["3.png", "7.png"] {
      let image = try console.pixels(name)
      #expect(image.width == 96 && image.height == 96)
      console.input += frame(image.bytes, order)
    }
    return console.cleared()
  }

  @Test(arguments: orders)
  func `frames are labeled as files of the same pixels`(format: String, order: [Int]) throws {
    let console = try Self.digits(order)
    #expect(
      console.run("label DIR/digits.tflite - --frames 96x96:\(format) --fps 4 --json") == 0,
      "\(console.errors)")
    let files = try SmallTaskModels.console()
    #expect(files.run("label DIR/digits.tflite DIR/3.png DIR/7.png --json") == 0)
    let expected = try #require(try JSON(parsing: files.output)["images"]?.array)
    let answers = try console.answers
    #expect(answers.map { $0["labels"] } == expected.map { $0["labels"] })
    #expect(answers.map { $0["frame"] } == [0, 1])
    #expect(answers.map { $0["milliseconds"]?.number } == [0, 250])
  }

  /// Gray by ITU-R BT.601 in both ranges: what is said of gray frames and of planes with neutral
  /// chroma is the same, up to the rounding of the video range.
  @Test func `planes of luma and chroma are colors`() throws {
    // 5 x 3 pixels, so that chroma has 3 x 2 samples.
    let luma: [UInt8] = [16, 60, 100, 140, 180, 235, 90, 20, 33, 47, 16, 235, 128, 70, 210]
    let chroma = [UInt8](repeating: 128, count: 12)
    let full = luma.map { UInt8(clamping: Int(((Double($0) - 16) * 255 / 219).rounded())) }
    func vectors(_ format: String, _ bytes: [UInt8]) throws -> JSON? {
      let console = try SmallTaskModels.console()
      console.input = bytes
      #expect(
        console.run("segment DIR/segment.tflite - --frames 5x3:\(format) --json") == 0,
        "\(console.errors)")
      return try console.answers.first?["categories"]
    }
    #expect(try vectors("yuv420p", luma + chroma) == (try vectors("gray", full)))
    #expect(try vectors("yuvj420p", luma + chroma) == (try vectors("gray", luma)))
    // Red is where the red chroma is: the first category is that of the red channel.
    let red =
      [UInt8](repeating: 81, count: 15) + [UInt8](repeating: 90, count: 6)
      + [UInt8](repeating: 240, count: 6)
    #expect(try vectors("yuv420p", red)?.array?.map { $0["index"] } == [0])
    let blue =
      [UInt8](repeating: 41, count: 15) + [UInt8](repeating: 240, count: 6)
      + [UInt8](repeating: 110, count: 6)
    #expect(try vectors("yuv420p", blue)?.array?.map { $0["index"] } == [2])
  }

  /// What is read and printed when.
  private final class Order: Sendable {
    private let events = Mutex([String]())
    func add(_ event: String) { events.withLock { $0.append(event) } }
    var all: [String] { events.withLock { $0 } }
  }

  @Test func `answers are printed before the next frame is read`() throws {
    let console = try Self.digits()
    let order = Order()
    let frames = [Array(console.input[..<27_648]), Array(console.input[27_648...])]
    // Pieces may end anywhere.
    let pieces = frames.flatMap { [Array($0[..<10_000]), Array($0[10_000...])] }
    console.stream = CapturedInput(pieces) { order.add("read \($0)") }
    console.didWrite = { order.add("wrote") }
    #expect(console.run("label DIR/digits.tflite - --frames 96x96 --json") == 0)
    #expect(
      order.all == ["read 0", "read 1", "wrote", "read 2", "read 3", "wrote", "read 4"])
  }

  @Test func `a stream that ends inside a frame is an error behind the frames before`() throws {
    let console = try Self.digits()
    console.input.removeLast(1000)
    #expect(console.run("label DIR/digits.tflite - --frames 96x96 --csv --top 1") == 65)
    #expect(
      console.errors
        == "error: the stream ends inside frame 1, after 26648 of 27648 bytes (standard input)\n")
    let lines = console.text.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0] == "frame,output,rank,index,label,class_name,score")
    #expect(lines[1].hasPrefix("0,"))
    #expect(lines[1].contains(",3,"))
  }

  @Test func `a stream may be empty, a file, missing or stopped`() throws {
    let console = try Self.digits()
    try console.put(console.input, "two.raw")
    console.input = []
    #expect(console.run("label DIR/digits.tflite - --frames 96x96 --json") == 0)
    #expect(console.text == "")
    #expect(console.run("label DIR/digits.tflite DIR/two.raw --frames 96x96 --json") == 0)
    #expect(try console.answers.count == 2)
    #expect(console.run("label DIR/digits.tflite DIR/none.raw --frames 96x96") == 66)
    let stopped = try Self.digits()
    let input = CapturedInput([stopped.input])
    stopped.stream = input
    stopped.didWrite = { input.stop(by: .terminate) }
    #expect(stopped.run("label DIR/digits.tflite - --frames 96x96 --json") == 143)
    #expect(try stopped.answers.count == 1)
  }

  @Test func `marked frames are a stream, and answers a file`() throws {
    let console = try Self.digits()
    let line = "detect DIR/localizer.tflite - --frames 96x96 --annotate"
    #expect(console.run("\(line) - --json --answers DIR/said") == 0, "\(console.errors)")
    try #require(console.output.count == 2 * 96 * 96 * 3)
    #expect(console.errors.contains("frames of 96x96 rgb24\n"))
    let said = try InputFile.bytes(at: "\(console.folder)/said")
    #expect(said.count { $0 == UInt8(ascii: "\n") } == 2)
    // The same as files.
    let files = try Self.digits()
    #expect(files.run("\(line) DIR/marked --json") == 0)
    #expect(files.output.elementsEqual(said) == false)
    for number in 0..<2 {
      let pixels = try files.pixels("marked/annotated_\(number).png").bytes
      let drawn = Self.frame(pixels, [0, 1, 2])
      #expect(Array(console.output[(number * drawn.count)...].prefix(drawn.count)) == drawn)
    }
    // Without a file, nothing is said.
    let quiet = try Self.digits()
    #expect(quiet.run("\(line) -") == 0)
    #expect(quiet.output == console.output)
  }

  /// One scene again and again: what is in it stands still.
  @Test func `things keep their numbers`() throws {
    let console = try SmallTaskModels.console()
    let image = try console.pixels("scene.png")
    for _ in 0..<6 { console.input += Self.frame(image.bytes, [0, 1, 2]) }
    let frames = "- --frames \(image.width)x\(image.height)"
    #expect(console.cleared().run("detect DIR/localizer.tflite \(frames) --track --json") == 0)
    let numbers = try console.answers.map { answer in
      (answer["objects"]?.array ?? []).map { $0["tracking_id"]?.integer }
    }
    let last = try #require(numbers.last)
    try #require(numbers.count == 6)
    #expect(!last.isEmpty && !last.contains(nil))
    #expect(Set(last.compactMap(\.self)).count == last.count)
    #expect(numbers[4] == last)
    // Without --track, nothing has a number.
    #expect(console.cleared().run("detect DIR/localizer.tflite DIR/scene.png --json") == 0)
    #expect(!console.text.contains("tracking_id"))
  }

  @Test func `frames that fail are told, and the others go on`() throws {
    // A camera may see what a model cannot take: here an index of vectors of another length.
    let console = try Self.digits()
    let add = try SmallTaskModels.console()
    #expect(
      add.run("embed DIR/listen.tflite DIR/ramp.wav --model-rate 8000 --add DIR/i") == 0,
      "\(add.errors)")
    let line = "embed DIR/digits.tflite - --frames 96x96 --search \(add.folder)/i --json"
    #expect(console.run(line) == 1)
    #expect(try console.answers.map { $0["frame"] } == [0, 1])
    #expect(try console.answers.allSatisfy { $0["error"]?.string?.contains("frame") ?? false })
    #expect(console.errors.split(separator: "\n").count == 2)
  }

  @Test func `vectors of frames are compared with the frame before`() throws {
    let console = try Self.digits()
    console.input += console.input.suffix(27_648)
    #expect(console.run("embed DIR/digits.tflite - --frames 96x96 --json") == 0)
    let likenesses = try console.answers.map { $0["cosine_similarities"]?.array ?? [] }
    #expect(likenesses.map { $0.map { $0["to"] } } == [[], ["frame 0"], ["frame 1"]])
    #expect(abs((likenesses.last?.first?["cosine"]?.number ?? 0) - 1) < 1e-6)
  }

  @Test func `lines for a reader fit a narrow terminal`() throws {
    for line in ["label DIR/digits.tflite", "segment DIR/segment.tflite", "pose DIR/pose.tflite"] {
      let console = try Self.digits()
      #expect(console.run("\(line) - --frames 96x96") == 0)
      let lines = console.text.split(separator: "\n")
      #expect(lines.contains("frame 1 at 0.033 s"))
      #expect(lines.filter(NarrowOutputTests.isWide).isEmpty)
    }
  }

  @Test(arguments: [
    "--frames 96", "--frames 0x3", "--frames -1x3", "--frames 3x3:", "--frames 3x3:nv12",
    "--frames 3x3:rgb24:x", "--frames x", "--frames 3xax3", "--frames 3x3x",
    "--frames 99999999999999999999x1",
    "--frames 1000000x1000000", "--frames 9223372036854775807x2", "--frames 96x96 --fps 0",
    "--frames 96x96 --fps x", "--fps 5", "--answers DIR/a", "--frames 96x96 --annotate DIR/a.png",
    "--frames 96x96 --annotate - --json", "--frames 96x96 --annotate - --csv",
  ])
  func `options that make no sense are usage errors`(options: String) throws {
    let console = try Self.digits()
    #expect(console.run("detect DIR/localizer.tflite - \(options)") == 64, "\(console.errors)")
    #expect(console.text == "")
  }

  @Test(arguments: [
    "label DIR/digits.tflite --frames 96x96", "label DIR/digits.tflite - - --frames 96x96",
    "embed DIR/listen.tflite - --frames 96x96 --model-rate 8000",
    "embed DIR/digits.tflite - --frames 96x96 --add DIR/index",
    "segment DIR/segment.tflite - --frames 96x96 --mask DIR/mask.png",
  ])
  func `what is no stream of images is a usage error`(line: String) throws {
    let console = try Self.digits()
    #expect(console.run(line) == 64, "\(console.errors)")
    #expect(console.text == "")
  }
}
