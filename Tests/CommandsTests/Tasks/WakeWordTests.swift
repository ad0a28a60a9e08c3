// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import Testing

/// Models of microWakeWord, and the manifests beside them.
@Suite(.enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"))
struct WakeWordTests {
  /// A console whose folder has a model, and beside it a manifest with these contents.
  private static func console(manifest: String?) throws -> CapturedConsole {
    let console = CapturedConsole()
    let folder = try #require(sharedTaskModels)
    try console.put(InputFile.bytes(at: "\(folder)/microwakeword_alexa.tflite"), "word.tflite")
    if let manifest { try console.put(Array(manifest.utf8), "word.json") }
    return console.cleared()
  }

  private static func heard(_ console: CapturedConsole, _ options: String = "") throws -> [JSON] {
    let sound = "\(try #require(sharedTaskModels))/wake_alexa.wav"
    let line = "listen DIR/word.tflite \(sound) --json \(options)"
    #expect(console.run(line) == 0, "\(console.errors)")
    return try JSON(parsing: console.output)["sounds"]?.array?.first?["heard"]?.array ?? []
  }

  /// Times of LiteRT's reference kernels: a mean exceeds 0.5 before 0.9, one probability before both.
  @Test(arguments: [
    (nil, "", 1220), ("{\"micro\": {\"probability_cutoff\": 0.5}}", "", 1160),
    ("{\"micro\": {\"probability_cutoff\": 0.5, \"sliding_window_size\": 1}}", "", 1100),
    ("{\"micro\": {\"probability_cutoff\": 0.5}}", "--threshold 0.9", 1220),
    ("{\"about\": \"something else\"}", "", 1220),
  ])
  func `manifests say when a word is heard`(
    manifest: String?, options: String, time: Int
  ) throws {
    let heard = try Self.heard(Self.console(manifest: manifest), options)
    #expect(heard.map { $0["milliseconds"]?.integer } == [time])
  }

  @Test func `reports read manifests, too`() throws {
    let console = try Self.console(
      manifest: "{\"micro\": {\"probability_cutoff\": 0.5, \"sliding_window_size\": 1}}")
    let sound = "\(try #require(sharedTaskModels))/wake_alexa.wav"
    #expect(console.run("report DIR/word.tflite --sound \(sound) --json") == 0)
    let tables = try JSON(parsing: console.output)["answer"]?["tables"]?.array
    #expect(tables?.first?["rows"]?.array?.first?.array?.first?.string == "1100")
  }

  @Test(arguments: [
    ("{\"micro\": ", "word.json"), ("{\"micro\": {\"sliding_window_size\": 0}}", "mean of 0"),
    ("{\"micro\": {\"feature_step_size\": 100000}}", "100000 ms"),
    ("{\"micro\": {\"feature_step_size\": \"10\"}}", "feature_step_size"),
    ("{\"micro\": {\"probability_cutoff\": 1.5}}", "1.5"),
  ])
  func `manifests that make no sense are refused`(manifest: String, reason: String) throws {
    let console = try Self.console(manifest: manifest)
    let sound = "\(try #require(sharedTaskModels))/wake_alexa.wav"
    #expect(console.run("listen DIR/word.tflite \(sound)") != 0)
    #expect(console.errors.contains(reason), "\(console.errors)")
  }
}
