// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Martlet
import SeededRandom
import Testing

/// What reaches a model of a clip, a buffer and a stream.
@Suite struct AudioWindowTests {
  static func embedder(
    _ model: Model, _ change: (inout AudioEmbedder.Options) -> Void = { _ in }
  ) throws -> AudioEmbedder {
    var options = AudioEmbedder.Options()
    options.input.sampleRate = 10
    change(&options)
    return try AudioEmbedder(model, options: options)
  }

  /// The samples that reached a model of negatives, times 64, for each window.
  static func windows(_ results: [AudioEmbedder.Result]) -> [[Float]] {
    results.map { result in result.embeddings[0].floats.map { $0 * -64 } }
  }

  @Test(arguments: [[4], [1, 4], [4, 1], [1, 1, 4, 1]])
  func windowsFollowEachOther(shape: [Int]) throws {
    let embedder = try Self.embedder(AudioModel.negative(shape))
    #expect(embedder.windowFrameCount == 4 && embedder.input.sampleRate == 10)
    let results = try embedder.embed(AudioModel.ramp(10))
    #expect(Self.windows(results) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 0, 0]])
    #expect(results.map(\.milliseconds) == [0, 400, 800])
    #expect(results[0].embeddings[0].headName == "negative")
    #expect(try embedder.embed(AudioModel.ramp(0)).isEmpty)
  }

  @Test func windowsOverlap() throws {
    let embedder = try Self.embedder(AudioModel.negative([4])) { $0.hop = 3 }
    let results = try embedder.embed(AudioModel.ramp(8))
    #expect(Self.windows(results) == [[1, 2, 3, 4], [4, 5, 6, 7], [7, 8, 0, 0]])
    #expect(results.map(\.microseconds) == [0, 300_000, 600_000])
  }

  @Test func channelsAreMixedOrInterleaved() throws {
    let stereo = AudioClip(
      samples: [1, 3, 2, 6, 3, 9].map { $0 / 64 }, channelCount: 2, sampleRate: 10)
    let mono = try Self.embedder(AudioModel.negative([1, 3]))
    #expect(Self.windows(try mono.embed(stereo)) == [[2, 4, 6]])
    let both = try Self.embedder(AudioModel.negative([2, 2])) { $0.input.channelCount = 2 }
    #expect(Self.windows(try both.embed(stereo)) == [[1, 3, 2, 6], [3, 9, 0, 0]])
    #expect(Self.windows(try both.embed(AudioModel.ramp(1))) == [[1, 1, 0, 0]])
    let three = AudioClip(samples: [1, 2, 3], channelCount: 3, sampleRate: 10)
    #expect(throws: AudioTaskError.self) { try both.embed(three) }
  }

  @Test func otherRatesAreResampled() throws {
    let embedder = try Self.embedder(AudioModel.negative([4])) { $0.input.filter = .high }
    let clip = AudioModel.ramp(400, rate: 20)
    let expected = try clip.resampled(to: 10)
    let results = try embedder.embed(clip)
    #expect(results.count == 50)
    let windows = Self.windows(results).flatMap { $0 }
    #expect(windows == expected.samples.map { $0 * 64 })
  }

  @Test func modelsOfAnyLengthTakeWholeClipsOrWindows() throws {
    for signature in [[-1], [1, -1], [-1, -1], [-1, 1]] {
      let model = try AudioModel.negative(signature.map { _ in 1 }, signature: signature)
      let whole = try Self.embedder(model)
      #expect(whole.windowFrameCount == nil)
      #expect(Self.windows(try whole.embed(AudioModel.ramp(3))) == [[1, 2, 3]])
      #expect(Self.windows(try whole.embed(AudioModel.ramp(5))) == [[1, 2, 3, 4, 5]])
      #expect(throws: AudioTaskError.self) { try whole.makeBuffer() }
      #expect(throws: AudioTaskError.self) { try whole.process(AudioModel.ramp(5)) }
      let windows = try Self.embedder(model) { $0.input.windowFrameCount = 2 }
      #expect(Self.windows(try windows.embed(AudioModel.ramp(3))) == [[1, 2], [3, 0]])
    }
    // An open first axis in front of all samples of a window is a batch.
    let batch = try Self.embedder(AudioModel.negative([1, 4], signature: [-1, 4]))
    #expect(batch.windowFrameCount == 4)
  }

  @Test func samplesBecomeTheInputsType() throws {
    let clip = AudioClip(samples: [0.5, -1, 1, .nan], sampleRate: 10)
    let integers = try Self.embedder(AudioModel.cast([4], from: .int16))
    #expect(
      try integers.embed(clip)[0].embeddings[0].floats == [16384, -32768, 32767, 0])
    let scaled = try Self.embedder(AudioModel.negative([3])) { $0.input.scale = 32768 }
    #expect(
      try scaled.embed(clip.frames(0..<3))[0].embeddings[0].floats == [-16384, 32768, -32768])
    let error = #expect(throws: AudioTaskError.self) {
      try Self.embedder(AudioModel.cast([4], from: .int8))
    }
    #expect(error?.description == "The 8-bit input has no scale.")
  }

  @Test func secondInputTakesTheRate() throws {
    let embedder = try Self.embedder(AudioModel.product([1, 2]))
    let result = try embedder.embed(AudioClip(samples: [0.5, 2], sampleRate: 10))[0]
    #expect(result.embeddings.map(\.floats) == [[5, 20], [-0.5, -2]])
    #expect(throws: AudioTaskError.self) {
      try Self.embedder(AudioModel.product([1, 2], second: [2]))
    }
  }

  @Test func bufferHoldsTheNewest() throws {
    let embedder = try Self.embedder(AudioModel.negative([4]))
    var buffer = try embedder.makeBuffer()
    try buffer.load(AudioModel.ramp(2))
    #expect(try embedder.embed(buffer)[0].floats.map { $0 * -64 } == [0, 0, 1, 2])
    try buffer.load(AudioModel.ramp(9))
    #expect(try embedder.embed(buffer)[0].floats.map { $0 * -64 } == [6, 7, 8, 9])
    #expect(throws: AudioTaskError.self) { try embedder.embed(AudioRingBuffer(frameCount: 5)) }
  }

  @Test(arguments: [10, 30])
  func streamsGiveWhatClipsGive(rate: Int) throws {
    let embedder = try Self.embedder(AudioModel.negative([7])) { $0.hop = 5 }
    var random = SeededRandom(seed: rate)
    let samples = (0..<500).map { _ in Float.random(in: -1...1, using: &random) }
    let clip = AudioClip(samples: samples, channelCount: 2, sampleRate: rate)
    let whole = try embedder.embed(clip)
    for greatest in [1, 40] {
      var results: [AudioEmbedder.Result] = []
      var start = 0
      while start < clip.frameCount {
        let end = min(start + Int.random(in: 0...greatest, using: &random), clip.frameCount)
        results += try embedder.process(clip.frames(start..<end))
        start = end
      }
      results += try embedder.finish()
      #expect(Self.windows(results) == Self.windows(whole))
      #expect(results.map(\.microseconds) == whole.map(\.microseconds))
    }
    #expect(try embedder.finish().isEmpty)
  }

  @Test func streamsKeepTheirFormat() throws {
    let embedder = try Self.embedder(AudioModel.negative([4]))
    _ = try embedder.process(AudioModel.ramp(3))
    let error = #expect(throws: AudioTaskError.self) {
      try embedder.process(AudioModel.ramp(3, rate: 20))
    }
    #expect(error?.description == "20 Hz where 10 Hz are needed")
  }

  @Test func featuresComeFromAnotherModel() throws {
    // Rows of 2 numbers of 3 pieces, one frame apart.
    let embedder = try Self.embedder(AudioModel.negative([1, 6])) {
      $0.features = try? FeatureModel(AudioModel.negative([1, 2]), hop: 1)
    }
    #expect(embedder.windowFrameCount == 4)
    let results = try embedder.embed(AudioModel.ramp(5))
    #expect(
      results.map { $0.embeddings[0].floats.map { $0 * 64 } }
        == [[1, 2, 2, 3, 3, 4], [5, 0, 0, 0, 0, 0]])
    #expect(throws: AudioTaskError.self) {
      try Self.embedder(AudioModel.negative([1, 5])) {
        $0.features = try? FeatureModel(AudioModel.negative([1, 2]), hop: 1)
      }
    }
  }
}
