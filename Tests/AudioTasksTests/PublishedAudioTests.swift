// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Martlet
import Testing

/// Published models on the sounds that their own projects test them with.
@Suite struct PublishedAudioTests {
  static let yamnet = "yamnet_audio_classifier_with_metadata.tflite"

  /// The models' scores are multiples of 1/256, which other kernels may miss by one.
  ///
  /// MediaPipe's `audio_classifier_test.cc` and the Task Library's `TFLAudioClassifierTests.swift`.
  @Test(
    .enabled(
      if: PublishedAudio.has(yamnet, "speech.wav"), "no tasks/\(yamnet) in MARTLET_TEST_MODELS"))
  func speech() throws {
    let classifier = try AudioClassifier(PublishedAudio.model(Self.yamnet))
    #expect(classifier.input.sampleRate == 16_000 && classifier.windowFrameCount == 15_600)
    let clip = try PublishedAudio.sound("speech.wav")
    let results = try classifier.classify(clip)
    #expect(results.map(\.milliseconds) == [0, 975, 1950, 2925, 3900])
    for result in results.dropLast() {
      let head = result.heads[0]
      #expect(head.name == "scores" && head.classifications.count == 521)
      #expect(head.classifications[0].className == "Speech")
      #expect(head.classifications[0].score > 0.9)
    }
    var buffer = try classifier.makeBuffer()
    try buffer.load(clip)
    let newest = try classifier.classify(buffer)[0].classifications
    #expect(newest[0].className == "Speech" && abs(newest[0].score - 0.957031) < 0.0045)
    #expect(newest[1].className == "Inside, small room")
    #expect(abs(newest[1].score - 0.019531) < 0.0045)
    let silence = AudioClip(samples: Array(repeating: 0, count: 14_000), sampleRate: 16_000)
    let quiet = try classifier.classify(silence)
    #expect(quiet.count == 1 && quiet[0].heads[0].classifications[0].className == "Silence")
    #expect(abs(quiet[0].heads[0].classifications[0].score - 0.800781) < 0.0045)
  }

  /// Another rate, as MediaPipe's test has with a recording of 48 kHz.
  @Test(
    .enabled(
      if: PublishedAudio.has(yamnet, "speech.wav"), "no tasks/\(yamnet) in MARTLET_TEST_MODELS"))
  func speechAtAnotherRate() throws {
    var options = AudioClassifier.Options()
    options.maxResults = 1
    let classifier = try AudioClassifier(PublishedAudio.model(Self.yamnet), options: options)
    let clip = try PublishedAudio.sound("speech.wav").resampled(to: 48_000)
    var results = try classifier.process(clip.frames(0..<46_800 * 3))
    results += try classifier.process(clip.frames(46_800 * 3..<clip.frameCount))
    results += try classifier.finish()
    #expect(results.map(\.milliseconds) == [0, 975, 1950, 2925, 3900])
    for result in results.dropLast() {
      #expect(result.heads[0].classifications.map(\.className) == ["Speech"])
      #expect(result.heads[0].classifications[0].score > 0.9)
    }
  }

  /// Scores that LiteRT gives in Python for windows of 335 ms without metadata, and for a second
  /// with the rate as the second input.
  @Test(
    .enabled(
      if: PublishedAudio.has(
        "daredevil_sound_recognizer_320ms.tflite", "conv_actions_apple_bird_cat_dog_python.tflite",
        "speech.wav"),
      "no tasks/daredevil_sound_recognizer_320ms.tflite in MARTLET_TEST_MODELS"))
  func modelsWithoutMetadata() throws {
    let clip = try PublishedAudio.sound("speech.wav")
    var options = AudioClassifier.Options()
    options.input.sampleRate = 16_000
    options.maxResults = 1
    let recognizer = try AudioClassifier(
      PublishedAudio.model("daredevil_sound_recognizer_320ms.tflite"), options: options)
    let best = try recognizer.classify(clip).map { $0.heads[0].classifications[0] }
    let expected: [(Int, Float)] = [
      (15, 0.4699018), (500, 0.9999547), (0, 0.4996555), (0, 0.8349915), (0, 0.9469864),
      (0, 0.8887624), (0, 0.4934386), (0, 0.766377), (0, 0.8573048), (0, 0.9749649), (0, 0.9676003),
      (0, 0.8325399), (163, 0.0602017),
    ]
    #expect(best.map(\.index) == expected.map(\.0))
    for (result, (_, score)) in zip(best, expected) { #expect(abs(result.score - score) < 1e-3) }
    let commands = try AudioClassifier(
      PublishedAudio.model("conv_actions_apple_bird_cat_dog_python.tflite"), options: options)
    let heard = try commands.classify(clip).map { $0.heads[0].classifications[0] }
    #expect(heard.map(\.index) == [4, 4, 3, 3, 2])
    for (result, score) in zip(heard, [0.9834342, 0.97467, 0.4377404, 0.9981356, 0.676615]) {
      #expect(abs(Double(result.score) - score) < 1e-3)
    }
  }

  /// TensorFlow Lite Micro's `micro_speech_test.cc`; the scores are those of its Python package.
  @Test(
    .enabled(
      if: PublishedAudio.has("audio_preprocessor_int8.tflite", "micro_speech_quantized.tflite"),
      "no tasks/audio_preprocessor_int8.tflite in MARTLET_TEST_MODELS"),
    arguments: [
      ("yes", "yes", Float(0.99609375)), ("no", "no", 0.9453125), ("noise", "silence", 0.96875),
      ("silence", "silence", 0.3359375),
    ])
  func microSpeech(sound: String, label: String, score: Float) throws {
    var options = AudioClassifier.Options()
    options.input.sampleRate = 16_000
    options.labels = LabelMap(classNames: ["silence", "unknown", "yes", "no"])
    options.features = FeatureModel(
      try PublishedAudio.model("audio_preprocessor_int8.tflite"), hop: 320)
    let classifier = try AudioClassifier(
      PublishedAudio.model("micro_speech_quantized.tflite"), options: options)
    #expect(classifier.windowFrameCount == 15_840)
    let clip = try PublishedAudio.sound("micro_speech_\(sound)_1000ms.wav")
    for _ in 0..<2 {
      let best = try classifier.classify(clip)[0].heads[0].classifications[0]
      #expect(best.className == label && best.score == score)
    }
  }

  /// microWakeWord's models, which remember the rows before; scores of TensorFlow Lite Micro's
  /// Python package, at the steps of 30 ms where they are greatest.
  @Test(
    .enabled(
      if: PublishedAudio.has("audio_preprocessor_int8.tflite", "microwakeword_alexa.tflite"),
      "no tasks/microwakeword_alexa.tflite in MARTLET_TEST_MODELS"),
    arguments: [
      ("okay_nabu", "ok_nabu", 83, Float(0.99609375)), ("alexa", "alexa", 70, 0.99609375),
      ("hey_jarvis", "hey_jarvis", 70, 0.99609375), ("alexa", "hey_jarvis", 0, 0.015625),
    ])
  func microWakeWord(word: String, sound: String, best: Int, score: Float) throws {
    var options = AudioClassifier.Options()
    options.input.sampleRate = 16_000
    var features = FeatureModel(
      try PublishedAudio.model("audio_preprocessor_int8.tflite"), hop: 160)
    features.forgets = false
    options.features = features
    options.hop = 480
    let classifier = try AudioClassifier(
      PublishedAudio.model("microwakeword_\(word).tflite"), options: options)
    let clip = Self.padded(try PublishedAudio.sound("wake_\(sound).wav"))
    for _ in 0..<2 {
      let results = try classifier.classify(clip)
      let scores = results.prefix(132).map { $0.heads[0].classifications[0].score }
      #expect(scores.max() == score && scores.firstIndex(of: score) == best)
    }
  }

  /// Scores and steps that the same chain gives with LiteRT in Python, one second of silence before
  /// and after each recording of the word.
  static let words: [(word: String, sound: String, best: Int, score: Float)] = [
    ("alexa", "wake_alexa.wav", 11, 0.99999744),
    ("hey_jarvis", "wake_hey_jarvis.wav", 11, 0.99691224),
    ("hey_mycroft", "wake_hey_mycroft.wav", 14, 1),
    ("hey_rhasspy", "wake_hey_rhasspy.wav", 12, 0.9912724),
  ]

  static func detector(_ words: [String]) throws -> WakeWordDetector {
    try WakeWordDetector(
      melspectrogram: PublishedAudio.model("openwakeword_melspectrogram.tflite"),
      embedding: PublishedAudio.model("openwakeword_embedding_model.tflite"),
      words: Dictionary(
        uniqueKeysWithValues: try words.map {
          ($0, try PublishedAudio.model("openwakeword_\($0)_v0.1.tflite"))
        }))
  }

  static func padded(_ clip: AudioClip) -> AudioClip {
    let second = Array(repeating: Float(0), count: 16_000)
    return AudioClip(samples: second + clip.samples + second, sampleRate: clip.sampleRate)
  }

  @Test(
    .enabled(
      if: PublishedAudio.has(
        "openwakeword_melspectrogram.tflite", "openwakeword_embedding_model.tflite",
        "openwakeword_alexa_v0.1.tflite", "wake_alexa.wav"),
      "no tasks/openwakeword_*.tflite in MARTLET_TEST_MODELS"), arguments: words)
  func wakeWords(word: String, sound: String, best: Int, score: Float) throws {
    let detector = try Self.detector(Self.words.map(\.word))
    let results = try detector.process(Self.padded(PublishedAudio.sound(sound)))
    let scores = results.map { $0.scores[word] ?? 0 }
    #expect(scores.count == 35)
    let largest = try #require(scores.max())
    #expect(abs(largest - score) < 1e-3)
    #expect(scores[best] > largest - 1e-3)
    let detections = results.flatMap(\.detections)
    #expect(detections == [word], "the word, once, and no other")
  }

  @Test(
    .enabled(
      if: PublishedAudio.has(
        "openwakeword_melspectrogram.tflite", "openwakeword_alexa_v0.1.tflite",
        "openwakeword_alexa_test.wav"), "no tasks/openwakeword_*.tflite in MARTLET_TEST_MODELS"))
  func scoresOfEachStep() throws {
    let expected: [Float] = [
      4e-07, 4.3e-06, 0.0015159, 0.9938253, 0.9999994, 0.9999995, 0.9999996, 0.9999999, 0.9999999,
      0.9999991, 0.9970847, 0.9702967, 0.9994699, 0.9999556, 0.9995229, 0.9870614, 0.9800211,
    ]
    let clip = Self.padded(try PublishedAudio.sound("openwakeword_alexa_test.wav"))
    let detector = try Self.detector(["alexa"])
    for block in [clip.frameCount, 1000] {
      detector.reset()
      var results: [WakeWordDetector.Result] = []
      for start in stride(from: 0, to: clip.frameCount, by: block) {
        results += try detector.process(clip.frames(start..<min(start + block, clip.frameCount)))
      }
      let scores = results.map { $0.scores["alexa"] ?? -1 }
      #expect(scores.count == expected.count)
      for (score, expected) in zip(scores, expected) { #expect(abs(score - expected) < 1e-3) }
      #expect(results.first?.milliseconds == 1280)
    }
  }

  @Test func modelsThatDoNotFitAreRefused() throws {
    let model = try AudioModel.negative([1, 4])
    #expect(throws: AudioTaskError.self) {
      try WakeWordDetector(melspectrogram: model, embedding: model, words: ["a": model])
    }
    let embedding = try AudioModel.negative([1, 76, 32, 1])
    let error = #expect(throws: AudioTaskError.self) {
      try WakeWordDetector(melspectrogram: model, embedding: embedding, words: ["a": model])
    }
    #expect(
      error?.description == "The classifier of 'a' does not take embeddings [1, count, 1].")
  }
}
