// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Martlet
import Testing

/// Results of classifiers, and models that are none.
@Suite struct AudioClassifierTests {
  static func options(
    _ change: (inout AudioClassifier.Options) -> Void = { _ in }
  ) -> AudioClassifier.Options {
    var options = AudioClassifier.Options()
    options.input.sampleRate = 10
    change(&options)
    return options
  }

  @Test func classesAreSortedAndLimited() throws {
    let options = Self.options {
      $0.labels = LabelMap(classNames: ["a", "b", "c", "d"])
      $0.maxResults = 3
      $0.deniedLabels = ["b"]
      $0.scoreThreshold = -0.05
    }
    let classifier = try AudioClassifier(AudioModel.negative([1, 4]), options: options)
    let results = try classifier.classify(AudioModel.ramp(4))
    #expect(results.count == 1 && results[0].milliseconds == 0 && results[0].heads.count == 1)
    let classes = results[0].heads[0].classifications
    #expect(classes.map(\.className) == ["a", "c"])
    #expect(classes.map(\.score) == [-1 / 64, -3 / 64])
    #expect(classifier.labels == [options.labels])
  }

  @Test func everyOutputIsAHead() throws {
    let classifier = try AudioClassifier(AudioModel.product([1, 2]), options: Self.options())
    let heads = try classifier.classify(AudioModel.ramp(2))[0].heads
    #expect(heads.map(\.index) == [0, 1])
    #expect(heads.map { $0.classifications.map(\.index) } == [[1, 0], [0, 1]])
  }

  @Test func buffersAndStreamsAreClassified() throws {
    let classifier = try AudioClassifier(AudioModel.negative([1, 4]), options: Self.options())
    var buffer = try classifier.makeBuffer()
    try buffer.load(AudioModel.ramp(9))
    #expect(try classifier.classify(buffer)[0].classifications[0].score == -6 / 64)
    #expect(try classifier.process(AudioModel.ramp(6)).map(\.milliseconds) == [0])
    #expect(try classifier.process(AudioModel.ramp(1)).isEmpty)
    #expect(try classifier.finish().map(\.milliseconds) == [400])
  }

  /// Products of sides that do not fit a number, or fit it by wrapping around.
  @Test(arguments: [
    [2_147_483_647, 2_147_483_647, 2_147_483_647], [65_536, 65_536, 65_536, 65_536],
    [1, 2_147_483_647],
  ])
  func impossibleShapesAreRefused(shape: [Int]) {
    // With an open last axis, [1, -1] takes any number of samples, whatever the shape says.
    var signatures: [[Int]] = [shape, [-1] + Array(shape[1...])]
    if shape.count > 2 { signatures.append(Array(shape.dropLast()) + [-1]) }
    for signature in signatures {
      #expect(throws: (any Error).self) {
        try AudioClassifier(
          AudioModel.negative(shape, signature: signature), options: Self.options())
      }
    }
  }

  @Test func otherModelsAndOptionsAreRefused() throws {
    let rows: [(String, Model, AudioClassifier.Options)] = try [
      (
        "The model does not say its sample rate; the options must give it.",
        AudioModel.negative([1, 4]), AudioClassifier.Options()
      ),
      (
        "The input of 4 samples holds no whole frames of 3 channels.",
        AudioModel.negative([1, 4]), Self.options { $0.input.channelCount = 3 }
      ),
      (
        "Impossible audio format: 10 Hz and 0 channels.", AudioModel.negative([1, 4]),
        Self.options { $0.input.channelCount = 0 }
      ),
      (
        "The input is INT32; float32, float16, int16, int8 and uint8 take sound.",
        AudioModel.cast([1, 4], from: .int32), Self.options()
      ),
      (
        "the model takes windows of 4 frames", AudioModel.negative([1, 4]),
        Self.options { $0.input.windowFrameCount = 5 }
      ),
      ("impossible number of frames 5", AudioModel.negative([1, 4]), Self.options { $0.hop = 5 }),
      (
        "maxResults must not be 0", AudioModel.negative([1, 4]), Self.options { $0.maxResults = 0 }
      ),
      ("scale nan", AudioModel.negative([1, 4]), Self.options { $0.input.scale = .nan }),
    ]
    for (text, model, options) in rows {
      let error = #expect(throws: AudioTaskError.self) {
        try AudioClassifier(model, options: options)
      }
      #expect(error?.description == text)
    }
  }
}
