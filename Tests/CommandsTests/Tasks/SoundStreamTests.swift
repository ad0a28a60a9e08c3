// SPDX-License-Identifier: Apache-2.0

import Commands
import JSONDocuments
import Synchronization
import Testing

/// Raw samples that are heard as they come.
@Suite struct SoundStreamTests {
  private static let line = "listen DIR/listen.tflite"
  private static let options = "--raw s16le --rate 8000 --model-rate 8000 --top 1"

  /// A console with ten windows of four samples, little-endian 16-bit integers, as its input.
  private static func console() throws -> CapturedConsole {
    let console = try SmallTaskModels.console()
    console.input = (0..<40).flatMap { sample in
      let value = UInt16(truncatingIfNeeded: sample &* 977)
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    try console.put(console.input, "sound.raw")
    return console.cleared()
  }

  @Test(arguments: ["", "--csv"])
  func `a stream says what a file of the same samples says`(form: String) throws {
    let whole = try Self.console()
    #expect(whole.run("\(Self.line) DIR/sound.raw \(Self.options) \(form)") == 0)
    let stream = try Self.console()
    let file = try Self.console()
    #expect(stream.run("\(Self.line) - --stream \(Self.options) \(form)") == 0, "\(stream.errors)")
    #expect(file.run("\(Self.line) DIR/sound.raw --stream \(Self.options) \(form)") == 0)
    if form.isEmpty {
      #expect(file.text.count > 100 && file.text == whole.text)
      #expect(stream.text.replacing("\n-\n", with: "\n\(file.folder)/sound.raw\n") == file.text)
    } else {
      // A file's rows begin with its name.
      let rows = whole.text.split(separator: "\n").map {
        $0.split(separator: ",").dropFirst().joined(separator: ",")
      }
      #expect(rows.count > 3 && stream.text.split(separator: "\n").map { "\($0)" } == rows)
      #expect(file.text == stream.text)
    }
  }

  @Test func `windows are told before later samples are read`() throws {
    let console = try Self.console()
    let events = Mutex([String]())
    let bytes = console.input
    // Pieces may end anywhere, also inside a sample.
    let pieces = stride(from: 0, to: bytes.count, by: 7).map {
      Array(bytes[$0..<min($0 + 7, bytes.count)])
    }
    console.stream = CapturedInput(pieces) { number in events.withLock { $0.append("\(number)") } }
    console.didWrite = { events.withLock { $0.append("told") } }
    #expect(console.run("\(Self.line) - --stream \(Self.options) --json") == 0)
    let windows = try #require(try Self.windows())
    #expect(try console.answers == windows && windows.count > 3)
    let order = events.withLock { $0 }
    let last = try #require(order.firstIndex(of: "\(pieces.count)"))
    #expect(order[..<last].count { $0 == "told" } >= windows.count - 1)
    #expect(order.prefix(3).contains("told"))
  }

  /// What is said of the samples as a file.
  private static func windows() throws -> [JSON]? {
    let whole = try console()
    #expect(whole.run("\(line) DIR/sound.raw \(options) --json") == 0)
    return try JSON(parsing: whole.output)["sounds"]?.array?.first?["windows"]?.array
  }

  @Test func `a stream that ends inside a sample is an error behind the windows before`() throws {
    let console = try Self.console()
    console.input.removeLast()
    #expect(console.run("\(Self.line) - --stream \(Self.options) --json") == 65)
    #expect(
      console.errors
        == "error: the stream ends inside frame 39, after 1 of 2 bytes (standard input)\n")
    #expect(try !console.answers.isEmpty)
  }

  @Test func `a signal ends the stream behind what was heard`() throws {
    let console = try Self.console()
    let input = CapturedInput([console.input, console.input])
    console.stream = input
    console.didWrite = { input.stop(by: .interrupt) }
    #expect(console.run("\(Self.line) - --stream \(Self.options) --json") == 130)
    #expect(try console.answers.count >= 9)
  }

  @Test(arguments: [
    ("- --stream", "--stream without --raw"),
    ("DIR/sound.raw DIR/sound.raw --stream --raw s16le --rate 8000", "beside 2 sounds"),
    ("- --stream --raw s16le", "--raw without --rate"),
  ])
  func `options that mean nothing together are refused`(words: String, reason: String) throws {
    let console = try Self.console()
    #expect(console.run("\(Self.line) \(words)") == 64)
    #expect(console.errors.contains(reason) && console.text.isEmpty)
  }
}
