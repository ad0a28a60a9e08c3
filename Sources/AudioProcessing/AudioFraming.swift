// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs

/// How a sound is divided into windows of equal length.
///
/// As in MediaPipe's `AudioToTensorCalculator`: windows begin every `hop` frames as long as whole
/// ones fit; if the next one would still begin within the sound, it is the last, and zeros follow
/// the sound. A sound of no frames has no windows.
public struct AudioFraming: Sendable, Hashable {
  /// The frames of a window.
  public let frameCount: Int
  /// The frames from the beginning of a window to that of the next.
  public let hop: Int

  /// Windows of `frameCount` frames.
  ///
  /// - Parameters:
  ///   - frameCount: The frames of a window, at most 2^28.
  ///   - hop: The frames from the beginning of a window to that of the next; nil for `frameCount`, so
  ///     that windows do not overlap.
  /// - Throws: `AudioProcessingError.frameCount` for numbers that are not positive or too large, and
  ///   for a hop that would leave frames out.
  public init(frameCount: Int, hop: Int? = nil) throws(AudioProcessingError) {
    guard (1...1 << 28).contains(frameCount) else { throw .frameCount(frameCount) }
    let hop = hop ?? frameCount
    guard (1...frameCount).contains(hop) else { throw .frameCount(hop) }
    self.frameCount = frameCount
    self.hop = hop
  }

  /// How many whole windows there are in a sound of `count` frames.
  public func wholeWindowCount(in count: Int) -> Int {
    count < frameCount ? 0 : (count - frameCount) / hop + 1
  }

  /// How many windows a sound of `count` frames has, with one that ends with zeros.
  public func windowCount(in count: Int) -> Int {
    let whole = wholeWindowCount(in: count)
    return whole + (whole * hop < count ? 1 : 0)
  }

  /// A window of a clip, interleaved, with zeros after the clip's end.
  ///
  /// - Parameters:
  ///   - index: The number of the window, from 0 on.
  ///   - clip: The sound.
  /// - Returns: `frameCount` frames.
  /// - Precondition: `index` is not negative and less than `windowCount(in: clip.frameCount)`.
  public func window(_ index: Int, of clip: AudioClip) -> [Float] {
    precondition((0..<windowCount(in: clip.frameCount)).contains(index), "no such window")
    let start = index * hop
    let end = min(start + frameCount, clip.frameCount)
    let samples = clip.samples[start * clip.channelCount..<end * clip.channelCount]
    return Array(samples) + repeatElement(0, count: (start + frameCount - end) * clip.channelCount)
  }

  /// When a window begins, in microseconds, as MediaPipe counts them: the hop is rounded first.
  ///
  /// - Parameters:
  ///   - index: The number of the window.
  ///   - sampleRate: Frames per second.
  /// - Returns: The time, or `Int.max` where there is no room for it.
  public func microseconds(ofWindow index: Int, sampleRate: Int) -> Int {
    let hop = (Double(hop) / Double(max(1, sampleRate)) * 1e6).rounded()
    let (time, overflow) = index.multipliedReportingOverflow(by: Int(hop))
    return overflow ? .max : time
  }
}

/// Divides a stream into windows as its blocks arrive.
public struct AudioFramer: Sendable {
  /// How the stream is divided.
  public let framing: AudioFraming
  /// How many channels a frame has.
  public let channelCount: Int
  private var waiting: [Float] = []
  /// How many windows have been given.
  public private(set) var windowCount = 0

  /// A framer at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - framing: How the stream is divided.
  ///   - channelCount: How many channels a frame has.
  /// - Throws: `AudioProcessingError.channelCount` for none.
  public init(
    _ framing: AudioFraming, channelCount: Int = 1
  ) throws(AudioProcessingError) {
    guard (1...65535).contains(channelCount) else {
      throw .channelCount(channelCount, expected: 1)
    }
    self.framing = framing
    self.channelCount = channelCount
  }

  /// Takes the next block of a stream.
  ///
  /// - Parameter samples: Any number of frames, interleaved.
  /// - Returns: The windows that are whole now.
  /// - Throws: `AudioProcessingError.partialFrame` for samples that end within a frame.
  public mutating func process(_ samples: [Float]) throws(AudioProcessingError) -> [[Float]] {
    guard samples.count % channelCount == 0 else {
      throw .partialFrame(sampleCount: samples.count, channelCount: channelCount)
    }
    waiting += samples
    var windows: [[Float]] = []
    let length = framing.frameCount * channelCount
    var start = 0
    while waiting.count - start >= length {
      windows.append(Array(waiting[start..<start + length]))
      start += framing.hop * channelCount
    }
    waiting.removeFirst(start)
    windowCount += windows.count
    return windows
  }

  /// Ends the stream.
  ///
  /// - Returns: What is left, with zeros after it; nil where nothing is. The next block begins
  ///   another stream.
  public mutating func finish() -> [Float]? {
    defer {
      waiting = []
      windowCount = 0
    }
    guard !waiting.isEmpty else { return nil }
    let length = framing.frameCount * channelCount
    return waiting + repeatElement(0, count: length - waiting.count)
  }
}
