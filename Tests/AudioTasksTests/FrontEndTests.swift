// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTasks
import BundledModels
import Foundation
import Martlet
import Testing
import TestSupport

/// Sound that `FrontEnd/make_features.py` draws in the same way, and the features that C makes of it.
enum DrawnSound {
  private static let parts: [(volume: Int, period: Int)] = [
    (3, 40), (30, 7), (1000, 90), (9000, 23), (32767, 61), (1, 11), (300, 5), (5000, 160),
  ]

  static let samples: [Int16] = {
    var state = 12345
    return (0..<1600 * parts.count).map { index in
      let (volume, period) = parts[index / 1600]
      state = (state * 1_103_515_245 + 12345) & 0x7FFF_FFFF
      let noise = (state >> 16) % (2 * volume + 1) - volume
      let wave = (index / period) % 2 == 1 ? volume / 2 : -(volume / 2)
      return Int16(clamping: noise + wave)
    }
  }()

  static var clip: AudioClip {
    AudioClip(samples: samples.map { Float($0) / 32768 }, sampleRate: 16_000)
  }

  /// Rows of 40 integers, for 30 ms of sound each, 10 ms apart.
  static func features() throws -> [[Int]] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "FrontEnd/features.txt")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
  }
}

/// TensorFlow Lite Micro's audio front end, and the wake words that are heard by it.
@Suite struct FrontEndTests {
  @Test func `features are those of the C code`() throws {
    let model = try Model(path: BundledModels.path(of: BundledModels.frontEnd))
    let interpreter = try Interpreter(model)
    let rows = try DrawnSound.features()
    try #require(rows.count == 78)
    for (index, row) in rows.enumerated() {
      let window = Array(DrawnSound.samples[160 * index..<160 * index + 480])
      try interpreter.setInput(0, window)
      try interpreter.invoke()
      let values = try interpreter.output(0, as: Float.self)
      #expect(values.map { Int(($0 * 25.6).rounded()) } == row, "row \(index)")
    }
  }

  /// A model whose probability is the mean of its features, divided by 32.
  private static func mean(of rows: Int, count: Int = 40) throws -> Model {
    var model = DrawnModel()
    let (input, mean, output) = (
      model.tensor([1, rows, count]), model.tensor([1]), model.tensor([1])
    )
    let axes = model.constant([1, 2])
    // 0x3D000000 is 1/32.
    let share = model.tensor([1], bytes: [0, 0, 0, 0x3D])
    model.node(.mean, [input, axes], [mean], options: (kind: 27, fields: [:]))
    model.node(.mul, [mean, share], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return try model.loaded()
  }

  @Test(arguments: [1, 3], [12_800, 1000, 77])
  func `steps follow each other however a stream is divided`(rowCount: Int, block: Int) throws {
    var options = MicroWakeWordDetector.Options()
    options.windowSize = 2
    options.threshold = 0.375
    let detector = try MicroWakeWordDetector(Self.mean(of: rowCount), options: options)
    let rows = try DrawnSound.features()
    let steps = stride(from: 0, through: rows.count - rowCount, by: rowCount).map { first in
      let values = rows[first..<first + rowCount].joined().map { Float($0) * 10 / 256 }
      return values.reduce(0, +) / Float(values.count) / 32
    }
    for _ in 0..<2 {
      var results: [MicroWakeWordDetector.Result] = []
      let clip = DrawnSound.clip
      for start in stride(from: 0, to: clip.frameCount, by: block) {
        results += try detector.process(clip.frames(start..<min(start + block, clip.frameCount)))
      }
      detector.reset()
      try #require(results.count == steps.count)
      var isAbove = false
      for (index, result) in results.enumerated() {
        let end = 30 + 10 * (rowCount - 1) + 10 * rowCount * index
        #expect(result.milliseconds == end && abs(result.probability - steps[index]) < 1e-4)
        let mean = index == 0 ? 0 : (steps[index - 1] + steps[index]) / 2
        #expect(abs(result.mean - mean) < 1e-4)
        #expect(result.isHeard == (result.mean > 0.375 && !isAbove))
        isAbove = result.mean > 0.375
      }
      #expect(results.contains { $0.isHeard })
    }
  }

  @Test func `other models and impossible options are refused`() throws {
    for model in [try Self.mean(of: 3, count: 41), try AudioModel.negative([1, 40])] {
      let error = #expect(throws: AudioTaskError.self) { try MicroWakeWordDetector(model) }
      let reason = try #require(error).description
      #expect(reason.contains("[1, rows, 40]"))
    }
    // Rows of more than ten seconds.
    let long = try Self.mean(of: 1001)
    #expect(throws: AudioTaskError.self) { try MicroWakeWordDetector(long) }
    let model = try Self.mean(of: 3)
    for change: (inout MicroWakeWordDetector.Options) -> Void in [
      { $0.windowSize = 0 }, { $0.windowSize = 1001 }, { $0.featureStep = 0 },
      { $0.featureStep = .max }, { $0.threshold = .nan }, { $0.threshold = 1.1 },
    ] {
      var options = MicroWakeWordDetector.Options()
      change(&options)
      #expect(throws: AudioTaskError.self) { try MicroWakeWordDetector(model, options: options) }
    }
    var options = MicroWakeWordDetector.Options()
    options.frontEnd = model
    #expect(throws: AudioTaskError.self) { try MicroWakeWordDetector(model, options: options) }
  }

  /// Times and best means that LiteRT's reference kernels give for the features of
  /// `pymicro-features`.
  @Test(
    .enabled(
      if: PublishedAudio.has("microwakeword_alexa.tflite", "wake_alexa.wav"),
      "no tasks/microwakeword_alexa.tflite in MARTLET_TEST_MODELS"), arguments: published)
  func `published models hear their words`(
    word: String, sound: String, heard: Int?, best: Float
  ) throws {
    let detector = try MicroWakeWordDetector(
      PublishedAudio.model("microwakeword_\(word).tflite"))
    let results = try detector.process(PublishedAudio.sound("\(sound).wav"))
    #expect(results.first(where: \.isHeard)?.milliseconds == heard)
    #expect(abs((results.map(\.mean).max() ?? 0) - best) < 1e-6)
  }

  static let published: [(word: String, sound: String, heard: Int?, best: Float)] = [
    ("alexa", "wake_alexa", 1220, 0.99609375),
    ("hey_jarvis", "wake_hey_jarvis", 1190, 0.99609375),
    ("hey_mycroft", "wake_hey_mycroft", 1160, 0.99609375),
    ("okay_nabu", "wake_ok_nabu", 1550, 0.99609375),
    ("vad", "speech_16000_hz_mono", 1070, 0.99609375),
    ("alexa", "wake_hey_mycroft", nil, 0.0171875),
    ("hey_mycroft", "wake_alexa", nil, 0.28359375),
    ("okay_nabu", "speech_16000_hz_mono", nil, 0.00546875),
  ]
}
