// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
public import ResourceLimits

/// Changes the sample rate of a stream, whose blocks may have any size.
///
/// Output frame k is the signal at k / `outputRate` seconds, filtered by a polyphase filter that
/// reaches equally far to both sides: nothing is delayed, and before and after the stream there is
/// silence. The blocks that come out, one after the other, do not depend on how the input was
/// divided: each frame is computed from the same numbers in the same order.
///
/// ```swift
/// var resampler = try Resampler(from: 44_100, to: 16_000)
/// let first = try resampler.process(block)   // and so on
/// let last = resampler.finish()
/// ```
public struct Resampler: Sendable {
  /// Frames per second that come in.
  public let inputRate: Int
  /// Frames per second that come out.
  public let outputRate: Int
  /// How many channels there are, each resampled by itself.
  public let channelCount: Int
  /// The filter.
  public let filter: ResamplingFilter

  private let table: ResamplingTable
  /// For each channel, the frames that are still needed; at first, silence before the stream.
  private var history: [[Float]]
  /// The position, in `history`, of the next output frame: whole frames and phases.
  private var position: (frame: Int, phase: Int)

  /// The greatest quotient of two rates.
  public static let greatestFactor = 1024

  /// A resampler at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - inputRate: Frames per second that come in.
  ///   - outputRate: Frames per second that come out.
  ///   - channelCount: How many channels there are.
  ///   - filter: What is kept of the frequencies that both rates have.
  /// - Throws: `AudioProcessingError` for rates, channels or a filter that are not usable.
  public init(
    from inputRate: Int, to outputRate: Int, channelCount: Int = 1,
    filter: ResamplingFilter = .high
  ) throws(AudioProcessingError) {
    for rate in [inputRate, outputRate] where rate < 1 || rate > UInt32.max {
      throw .sampleRate(rate)
    }
    guard max(inputRate, outputRate) / min(inputRate, outputRate) < Self.greatestFactor else {
      throw .rates(from: inputRate, to: outputRate)
    }
    guard (1...65535).contains(channelCount) else {
      throw .channelCount(channelCount, expected: 1)
    }
    try filter.check()
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.filter = filter
    table = ResamplingTable(from: inputRate, to: outputRate, filter)
    history = []
    position = (0, 0)
    reset()
  }

  /// Goes back to the beginning of a stream.
  public mutating func reset() {
    history = Array(
      repeating: Array(repeating: 0, count: table.radius), count: channelCount)
    position = (table.radius, 0)
  }

  /// Takes the next block of a stream.
  ///
  /// - Parameter samples: Any number of frames, interleaved.
  /// - Returns: The frames that this block completes, interleaved; often none for short blocks.
  /// - Throws: `AudioProcessingError.partialFrame` for samples that end within a frame.
  public mutating func process(_ samples: [Float]) throws(AudioProcessingError) -> [Float] {
    guard samples.count % channelCount == 0 else {
      throw .partialFrame(sampleCount: samples.count, channelCount: channelCount)
    }
    if inputRate == outputRate { return samples }
    for channel in 0..<channelCount {
      if channelCount == 1 {
        history[0] += samples
      } else {
        for index in stride(from: channel, to: samples.count, by: channelCount) {
          history[channel].append(samples[index])
        }
      }
    }
    return output(upTo: history[0].count - table.radius)
  }

  /// Ends the stream.
  ///
  /// - Returns: The frames that were still waited for, up to the last that lies within the stream.
  ///   The next block begins another stream.
  public mutating func finish() -> [Float] {
    if inputRate == outputRate { return [] }
    let end = history[0].count
    for channel in 0..<channelCount {
      history[channel] += repeatElement(0, count: table.radius + 1)
    }
    let rest = output(upTo: end)
    reset()
    return rest
  }

  /// The output frames whose positions are before the frame `end` of the history.
  private mutating func output(upTo end: Int) -> [Float] {
    var result: [Float] = []
    guard position.frame < end else { return result }
    result.reserveCapacity(
      ((end - position.frame) * table.phaseCount / table.step + 1) * channelCount)
    while position.frame < end {
      for channel in 0..<channelCount {
        result.append(
          table.sum(
            history[channel], from: position.frame - table.radius, phase: position.phase))
      }
      position.phase += table.step
      let whole = position.phase / table.phaseCount
      position.phase -= whole * table.phaseCount
      position.frame += whole
    }
    // Not beyond the history: the filter reaches further than one output frame's step.
    let unneeded = position.frame - table.radius
    for channel in 0..<channelCount { history[channel].removeFirst(unneeded) }
    position.frame -= unneeded
    return result
  }
}

extension AudioClip {
  /// This clip at another sample rate: ⌈frames · rate / `sampleRate`⌉ frames.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - filter: What is kept of the frequencies that both rates have.
  ///   - limits: What the result may take: `audioByteCount`.
  /// - Returns: The clip, unchanged if it has that rate.
  /// - Throws: `AudioProcessingError` for a rate or filter that are not usable, and for a result
  ///   that is too large.
  public func resampled(
    to rate: Int, filter: ResamplingFilter = .high, limits: Limits = Limits()
  ) throws(AudioProcessingError) -> AudioClip {
    if rate == sampleRate { return self }
    var resampler = try Resampler(
      from: sampleRate, to: rate, channelCount: channelCount, filter: filter)
    let byteCount = Double(samples.count) * 4 * Double(rate) / Double(sampleRate)
    guard byteCount <= Double(limits.audioByteCount) else {
      throw .tooLarge(limit: limits.audioByteCount)
    }
    let first = try resampler.process(samples)
    return AudioClip(
      samples: first + resampler.finish(), channelCount: channelCount, sampleRate: rate)
  }
}
