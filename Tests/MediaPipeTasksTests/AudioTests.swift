// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import Dispatch
import Foundation
import MediaPipeTasksAudio
import Synchronization
import Testing

/// Sounds; values are those of MediaPipe's `MPPAudioClassifierTests.mm`.
@Suite struct AudioTests {
  static let yamnet = "yamnet_audio_classifier_with_metadata.tflite"
  static let speech = "speech_16000_hz_mono.wav"
  static let isThere = ConditionTrait.enabled(
    if: PublishedFiles.has(yamnet, speech), "no tasks/\(yamnet) in MARTLET_TEST_MODELS")

  static func samples() throws -> [Float] {
    try WAV.decode([UInt8](Data(contentsOf: URL(fileURLWithPath: PublishedFiles.path(speech)))))
      .samples
  }

  static func data(_ samples: [Float], rate: Double = 16000) throws -> AudioData {
    let data = AudioData(
      format: AudioDataFormat(sampleRate: rate), sampleCount: UInt(samples.count))
    try data.load(buffer: MPPFloatBuffer(samples), offset: 0, length: UInt(samples.count))
    return data
  }

  @Test(isThere) func `a clip is classified window by window`() throws {
    let classifier = try AudioClassifier(modelPath: PublishedFiles.path(Self.yamnet))
    let result = try classifier.classify(audioClip: try Self.data(try Self.samples()))
    let windows = result.classificationResults
    #expect(windows.map(\.timestampInMilliseconds) == [0, 975, 1950, 2925, 3900])
    for window in windows.dropLast() {
      let head = window.classifications[0]
      #expect(head.headName == "scores" && head.categories.count == 521)
      #expect(head.categories[0].categoryName == "Speech" && head.categories[0].index == 0)
      #expect(head.categories[0].score > 0.9)
    }
    try classifier.close()
    let closed = thrown { _ = try classifier.classify(audioClip: try Self.data([0])) }
    #expect(
      closed?.parts
        == NSError.invalidArgument("INVALID_ARGUMENT: Task runner is currently not running."))
  }

  final class Listener: NSObject, AudioClassifierStreamDelegate {
    let times = Mutex<[Int]>([])
    let names = Mutex<Set<String>>([])
    let isHeard = DispatchSemaphore(value: 0)

    func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {
      times.withLock { $0.append(timestampInMilliseconds) }
      let name = result?.classificationResults[0].classifications[0].categories.first?.categoryName
      names.withLock { _ = $0.insert(name ?? "\(String(describing: error))") }
      isHeard.signal()
    }
  }

  static func options(_ listener: Listener?) -> AudioClassifierOptions {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = PublishedFiles.path(yamnet)
    options.runningMode = .audioStream
    options.maxResults = 1
    options.audioClassifierStreamDelegate = listener
    return options
  }

  @Test(isThere) func `blocks of a stream are classified in their order`() throws {
    let listener = Listener()
    let classifier = try AudioClassifier(options: Self.options(listener))
    let samples = try Self.samples()
    for start in stride(from: 0, to: 4 * 15600, by: 8000) {
      let block = try Self.data(Array(samples[start..<min(start + 8000, 4 * 15600)]))
      try classifier.classifyAsync(audioBlock: block, timestampInMilliseconds: 500 + start / 16)
    }
    let early = thrown {
      try classifier.classifyAsync(
        audioBlock: try Self.data([0]), timestampInMilliseconds: 500)
    }
    #expect(early?.parts == NSError.invalidArgument(ErrorText.order))
    let otherRate = thrown {
      try classifier.classifyAsync(
        audioBlock: try Self.data([0], rate: 8000), timestampInMilliseconds: 10000)
    }
    #expect(otherRate?.code == 3)
    try classifier.close()
    for _ in 0..<4 { #expect(listener.isHeard.wait(timeout: .now() + 60) == .success) }
    #expect(listener.times.withLock { $0 } == [500, 1475, 2450, 3425])
    #expect(listener.names.withLock { $0 } == ["Speech"])
  }

  @Test(isThere) func `each mode refuses what belongs to the other`() throws {
    let listener = Listener()
    let clips = Self.options(listener)
    clips.runningMode = .audioClips
    #expect(
      thrown { _ = try AudioClassifier(options: clips) }?.parts
        == NSError.invalidArgument(
          "The audio task is in audio clips mode. The delegate must not be set in the task's options."
        ))
    let alone = Self.options(nil)
    #expect(thrown { _ = try AudioClassifier(options: alone) }?.code == 3)
    let stream = try AudioClassifier(options: Self.options(listener))
    #expect(
      thrown { _ = try stream.classify(audioClip: try Self.data([0])) }?.parts
        == NSError.invalidArgument(
          "The audio task is not initialized with audio clips. Current Running Mode: Audio Stream"))
    let ofClips = try AudioClassifier(modelPath: PublishedFiles.path(Self.yamnet))
    let block = thrown {
      try ofClips.classifyAsync(audioBlock: try Self.data([0]), timestampInMilliseconds: 0)
    }
    #expect(
      block?.parts
        == NSError.invalidArgument(
          "The audio task is not initialized with audio stream mode. Current Running Mode: Audio Clips"
        ))
  }

  @Test func `data keeps the newest samples`() throws {
    let data = AudioData(format: AudioDataFormat(sampleRate: 10), sampleCount: 4)
    #expect(data.bufferLength == 4 && data.buffer.samples == [0, 0, 0, 0])
    try data.load(buffer: MPPFloatBuffer([1, 2, 3]), offset: 0, length: 3)
    #expect(data.buffer.samples == [0, 1, 2, 3])
    try data.load(buffer: MPPFloatBuffer([4, 5, 6]), offset: 1, length: 2)
    #expect(data.buffer.samples == [2, 3, 5, 6])
    let beyond = thrown {
      try data.load(buffer: MPPFloatBuffer([4, 5, 6]), offset: 1, length: 3)
    }
    #expect(
      beyond?.parts
        == NSError.invalidArgument(
          "Index out of range. `offset` (1) + `length` (3) must be <= `floatBuffer.length` (3)"))
    let overflow = thrown {
      try data.load(buffer: MPPFloatBuffer([4]), offset: .max, length: 2)
    }
    #expect(overflow?.code == 3)
  }

  @Test func `a record has what was given to it`() throws {
    let record = try AudioClassifier.createAudioRecord(
      channelCount: 2, sampleRate: 10, bufferLength: 4)
    #expect(record.audioDataFormat == AudioDataFormat(channelCount: 2, sampleRate: 10))
    #expect(thrown { _ = try record.read(offset: 0, length: 1) }?.code == 20)
    try record.startRecording()
    #expect(thrown { _ = try record.read(offset: 0, length: 1) }?.code == 19)
    record.record([1, 2, 3, 4, 5, 6])
    #expect(try record.read(offset: 1, length: 3).samples == [4, 5, 6])
    let data = AudioData(format: record.audioDataFormat, sampleCount: 3)
    try data.load(audioRecord: record)
    #expect(data.buffer.samples == [0, 0, 3, 4, 5, 6] && data.bufferLength == 3)
    let mono = AudioData(format: AudioDataFormat(sampleRate: 10), sampleCount: 3)
    #expect(thrown { try mono.load(audioRecord: record) }?.code == 3)
    try record.stop()
    record.record([7])
    #expect(thrown { _ = try record.read(offset: 0, length: 1) }?.code == 20)
    let three = thrown {
      _ = try AudioClassifier.createAudioRecord(channelCount: 3, sampleRate: 10, bufferLength: 6)
    }
    #expect(
      three?.parts
        == NSError.invalidArgument(
          "The channel count provided does not match the supported channel count. Only channels counts in the range [1 : 2] are supported"
        ))
  }
}
