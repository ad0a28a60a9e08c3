// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioProcessing

/// A window of a stream, and when it begins.
struct TimedWindow {
  let samples: [Float]
  let microseconds: Int
}

/// Mixes, resamples and divides a stream into what a model takes, as its blocks arrive.
struct AudioWindowStream {
  let input: AudioInput
  let sourceRate: Int
  let sourceChannelCount: Int
  private var resampler: Resampler
  private var framer: AudioFramer

  /// A stream of `sourceRate` frames per second for windows of `framing`.
  init(
    for input: AudioInput, _ framing: AudioFraming, sourceRate: Int, sourceChannelCount: Int
  ) throws(AudioTaskError) {
    self.input = input
    self.sourceRate = sourceRate
    self.sourceChannelCount = sourceChannelCount
    (resampler, framer) = try AudioTaskError.audio { () throws(AudioProcessingError) in
      (
        try Resampler(
          from: sourceRate, to: input.sampleRate, channelCount: input.channelCount,
          filter: input.options.filter),
        try AudioFramer(framing, channelCount: input.channelCount)
      )
    }
  }

  /// The windows that a block completes.
  mutating func process(_ clip: AudioClip) throws(AudioTaskError) -> [TimedWindow] {
    guard clip.sampleRate == sourceRate else {
      throw .audio(.rate(clip.sampleRate, expected: sourceRate))
    }
    guard clip.channelCount == sourceChannelCount else {
      throw .audio(.channelCount(clip.channelCount, expected: sourceChannelCount))
    }
    do throws(AudioProcessingError) {
      let mixed = try clip.mixed(toChannelCount: input.channelCount)
      let first = framer.windowCount
      return timed(try framer.process(try resampler.process(mixed.samples)), from: first)
    } catch {
      throw .audio(error)
    }
  }

  /// The windows that were still waited for; the last ends with zeros.
  mutating func finish() throws(AudioTaskError) -> [TimedWindow] {
    do throws(AudioProcessingError) {
      let first = framer.windowCount
      var windows = try framer.process(resampler.finish())
      if let last = framer.finish() { windows.append(last) }
      return timed(windows, from: first)
    } catch {
      throw .audio(error)
    }
  }

  private func timed(_ windows: [[Float]], from first: Int) -> [TimedWindow] {
    windows.enumerated().map { index, samples in
      TimedWindow(
        samples: samples,
        microseconds: framer.framing.microseconds(
          ofWindow: first + index, sampleRate: input.sampleRate))
    }
  }
}
