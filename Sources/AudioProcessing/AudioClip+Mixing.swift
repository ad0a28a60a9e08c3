// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs

extension AudioClip {
  /// The mean of all channels, as MediaPipe's `AudioToTensorCalculator` mixes them.
  public var mono: AudioClip {
    guard channelCount > 1 else { return self }
    var mixed: [Float] = []
    mixed.reserveCapacity(frameCount)
    for start in stride(from: 0, to: samples.count, by: channelCount) {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += samples[start + channel] }
      mixed.append(sum / Float(channelCount))
    }
    return AudioClip(samples: mixed, sampleRate: sampleRate)
  }

  /// This clip with `count` channels.
  ///
  /// One channel is the mean of all, and one channel becomes any number of equal ones. There is no
  /// rule for other changes.
  ///
  /// - Parameter count: How many channels there shall be.
  /// - Returns: The clip, unchanged if it has that many channels.
  /// - Throws: `AudioProcessingError.channelCount` for a change without a rule.
  public func mixed(toChannelCount count: Int) throws(AudioProcessingError) -> AudioClip {
    if count == channelCount { return self }
    if count == 1 { return mono }
    guard channelCount == 1, count > 1 else {
      throw .channelCount(channelCount, expected: count)
    }
    return AudioClip(
      samples: samples.flatMap { repeatElement($0, count: count) }, channelCount: count,
      sampleRate: sampleRate)
  }
}
