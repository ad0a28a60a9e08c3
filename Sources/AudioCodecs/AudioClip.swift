// SPDX-License-Identifier: Apache-2.0

/// A piece of sound: samples of all channels at one rate.
///
/// A frame is one sample of each channel, and frames follow each other in time, so the sample of
/// channel `c` in frame `t` is `samples[t * channelCount + c]`. Integer samples of files become
/// numbers from -1 up to, but not including, 1: an integer of `b` bits is divided by 2^(b−1), so
/// 16-bit samples are divided by 32768, as TensorFlow Lite's Task Library and MediaPipe do.
/// Floating-point samples stay as they are stored, also beyond -1…1, infinite or not a number.
public struct AudioClip: Sendable, Hashable {
  /// The samples, frame by frame.
  public let samples: [Float]
  /// How many channels there are, at least 1.
  public let channelCount: Int
  /// Frames per second, at least 1.
  public let sampleRate: Int

  /// A clip of interleaved samples.
  ///
  /// - Precondition: `channelCount` and `sampleRate` are positive, and the samples are whole
  ///   frames.
  public init(samples: [Float], channelCount: Int = 1, sampleRate: Int) {
    precondition(channelCount > 0 && sampleRate > 0, "a clip has channels and a sample rate")
    precondition(samples.count % channelCount == 0, "a clip consists of whole frames")
    self.samples = samples
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// How many frames there are.
  public var frameCount: Int { samples.count / channelCount }

  /// How long the clip lasts, in seconds.
  public var duration: Double { Double(frameCount) / Double(sampleRate) }

  /// The samples of one channel.
  ///
  /// - Precondition: `index` is not negative and less than `channelCount`.
  public func channel(_ index: Int) -> [Float] {
    precondition((0..<channelCount).contains(index), "no such channel")
    return stride(from: index, to: samples.count, by: channelCount).map { samples[$0] }
  }

  /// The frames in `range`, as a clip.
  ///
  /// - Precondition: `range` lies within the frames of this clip.
  public func frames(_ range: Range<Int>) -> AudioClip {
    precondition(range.lowerBound >= 0 && range.upperBound <= frameCount, "no such frames")
    let part = samples[range.lowerBound * channelCount..<range.upperBound * channelCount]
    return AudioClip(samples: Array(part), channelCount: channelCount, sampleRate: sampleRate)
  }
}
