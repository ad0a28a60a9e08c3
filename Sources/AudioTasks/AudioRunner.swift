// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioProcessing
import Martlet
import ModelTasks

/// A model that takes sound, perhaps by way of features: what classifiers and embedders share.
final class AudioRunner {
  private(set) var interpreter: Interpreter
  let input: AudioInput
  let features: AudioFeatures?
  private let hop: Int?
  private var stream: AudioWindowStream?

  init(
    _ model: Model, _ options: AudioInput.Options, features: FeatureModel?, hop: Int?,
    _ interpreterOptions: Interpreter.Options
  ) throws(AudioTaskError) {
    interpreter = try AudioTaskError.task { () throws(TaskError) in
      try Interpreter(forTask: model, options: interpreterOptions)
    }
    self.hop = hop
    if let features {
      let computed = try AudioFeatures(features, for: interpreter, options, interpreterOptions)
      self.features = computed
      input = computed.input
    } else {
      self.features = nil
      input = try AudioInput(of: interpreter, model: model, options: options)
    }
    if let frameCount = windowFrameCount { _ = try framing(frameCount) }
  }

  /// The frames of a window; nil where a window is a whole sound.
  var windowFrameCount: Int? { features?.windowFrameCount ?? input.frameCount }

  private func framing(_ frameCount: Int) throws(AudioTaskError) -> AudioFraming {
    let hop = hop
    return try AudioTaskError.audio { () throws(AudioProcessingError) in
      try AudioFraming(frameCount: frameCount, hop: hop)
    }
  }

  /// Runs the model on a window of interleaved samples.
  func run(_ window: [Float]) throws(AudioTaskError) {
    if let features {
      try features.feed(window, to: interpreter)
    } else {
      try input.feed(window, to: interpreter)
    }
    try AudioTaskError.task(interpreter.invokeForTask)
  }

  /// Begins a sound: models that remember the windows before begin anew.
  private func reset() throws(AudioTaskError) {
    interpreter = try interpreter.atBeginning()
    try features?.reset()
  }

  /// Runs the model on each window of a clip, and gives what `body` makes of each run.
  func results<Result>(
    _ clip: AudioClip, _ body: (Int) throws(TaskError) -> Result
  ) throws(AudioTaskError) -> [Result] {
    guard clip.frameCount > 0 else { return [] }
    try reset()
    guard let frameCount = windowFrameCount else {
      let whole: AudioClip
      do throws(AudioProcessingError) {
        whole = try clip.mixed(toChannelCount: input.channelCount)
          .resampled(to: input.sampleRate, filter: input.options.filter)
      } catch {
        throw .audio(error)
      }
      return try results([TimedWindow(samples: whole.samples, microseconds: 0)], body)
    }
    var stream = try AudioWindowStream(
      for: input, try framing(frameCount), sourceRate: clip.sampleRate,
      sourceChannelCount: clip.channelCount)
    // Blocks of a second, so that a clip that becomes larger does so in pieces.
    var results: [Result] = []
    let block = min(clip.sampleRate, 1 << 20)
    for start in stride(from: 0, to: clip.frameCount, by: block) {
      let part = clip.frames(start..<min(start + block, clip.frameCount))
      results += try self.results(try stream.process(part), body)
    }
    return results + (try self.results(try stream.finish(), body))
  }

  /// Takes the next block of a stream.
  func process<Result>(
    _ clip: AudioClip, _ body: (Int) throws(TaskError) -> Result
  ) throws(AudioTaskError) -> [Result] {
    guard let frameCount = windowFrameCount else {
      throw .invalidOption("streams need windowFrameCount, as the model takes any number")
    }
    if stream == nil {
      try reset()
      stream = try AudioWindowStream(
        for: input, try framing(frameCount), sourceRate: clip.sampleRate,
        sourceChannelCount: clip.channelCount)
    }
    guard let windows = try stream?.process(clip) else { return [] }
    return try results(windows, body)
  }

  /// Leaves a stream without its last window; the next block begins another one.
  func endStream() { stream = nil }

  /// Ends the stream.
  func finish<Result>(
    _ body: (Int) throws(TaskError) -> Result
  ) throws(AudioTaskError) -> [Result] {
    defer { stream = nil }
    guard let windows = try stream?.finish() else { return [] }
    return try results(windows, body)
  }

  private func results<Result>(
    _ windows: [TimedWindow], _ body: (Int) throws(TaskError) -> Result
  ) throws(AudioTaskError) -> [Result] {
    var results: [Result] = []
    for window in windows {
      try run(window.samples)
      do throws(TaskError) { results.append(try body(window.microseconds)) } catch {
        throw .task(error)
      }
    }
    return results
  }

  /// A buffer of the newest frames, of the model's rate, channels and window.
  func makeBuffer() throws(AudioTaskError) -> AudioRingBuffer {
    guard let frameCount = windowFrameCount else {
      throw .invalidOption("buffers need windowFrameCount, as the model takes any number")
    }
    let channelCount = input.channelCount
    return try AudioTaskError.audio { () throws(AudioProcessingError) in
      try AudioRingBuffer(frameCount: frameCount, channelCount: channelCount)
    }
  }

  /// Runs the model on the frames in a buffer.
  func run(_ buffer: AudioRingBuffer) throws(AudioTaskError) {
    guard buffer.channelCount == input.channelCount else {
      throw .audio(.channelCount(buffer.channelCount, expected: input.channelCount))
    }
    guard windowFrameCount.map({ $0 == buffer.frameCount }) ?? true else {
      throw .audio(.frameCount(buffer.frameCount))
    }
    try run(buffer.contents)
  }
}
