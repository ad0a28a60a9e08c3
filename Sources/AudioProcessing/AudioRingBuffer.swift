// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs

/// The newest frames of a stream: always the same number of them, at first silence.
///
/// What the Task Library's `TensorAudio` and MediaPipe's `FloatRingBuffer` do: new frames push out
/// the oldest, and of more frames than there is room for, the newest stay.
public struct AudioRingBuffer: Sendable {
  /// How many frames are kept.
  public let frameCount: Int
  /// How many channels a frame has.
  public let channelCount: Int
  private var samples: [Float]
  /// The position of the oldest sample.
  private var oldest = 0

  /// A buffer full of silence.
  ///
  /// - Parameters:
  ///   - frameCount: How many frames are kept.
  ///   - channelCount: How many channels a frame has.
  /// - Throws: `AudioProcessingError` for less than one frame or channel, or for more than 2^28
  ///   samples.
  public init(frameCount: Int, channelCount: Int = 1) throws(AudioProcessingError) {
    guard (1...65535).contains(channelCount) else {
      throw .channelCount(channelCount, expected: 1)
    }
    guard frameCount > 0, frameCount <= (1 << 28) / channelCount else {
      throw .frameCount(frameCount)
    }
    self.frameCount = frameCount
    self.channelCount = channelCount
    samples = Array(repeating: 0, count: frameCount * channelCount)
  }

  /// Appends frames.
  ///
  /// - Parameter newSamples: Any number of frames, interleaved.
  /// - Throws: `AudioProcessingError.partialFrame` for samples that end within a frame.
  public mutating func load(_ newSamples: some RandomAccessCollection<Float>)
    throws(AudioProcessingError)
  {
    guard newSamples.count % channelCount == 0 else {
      throw .partialFrame(sampleCount: newSamples.count, channelCount: channelCount)
    }
    for sample in newSamples.suffix(samples.count) {
      samples[oldest] = sample
      oldest = oldest + 1 == samples.count ? 0 : oldest + 1
    }
  }

  /// Appends the frames of a clip, whatever its rate.
  ///
  /// - Parameter clip: As many channels as the buffer has.
  /// - Throws: `AudioProcessingError.channelCount` for another number.
  public mutating func load(_ clip: AudioClip) throws(AudioProcessingError) {
    guard clip.channelCount == channelCount else {
      throw .channelCount(clip.channelCount, expected: channelCount)
    }
    try load(clip.samples)
  }

  /// All frames, interleaved, the oldest first.
  public var contents: [Float] { Array(samples[oldest...]) + samples[..<oldest] }

  /// The newest frames, interleaved, the oldest of them first.
  ///
  /// - Parameter count: How many frames are wanted.
  /// - Returns: That many frames.
  /// - Throws: `AudioProcessingError.frameCount` for a negative number, and for more than there are.
  public func newest(_ count: Int) throws(AudioProcessingError) -> [Float] {
    guard (0...frameCount).contains(count) else { throw .frameCount(count) }
    let first = oldest + samples.count - count * channelCount
    return (0..<count * channelCount).map { samples[(first + $0) % samples.count] }
  }

  /// Replaces all frames by silence.
  public mutating func clear() {
    samples = Array(repeating: 0, count: samples.count)
    oldest = 0
  }
}
