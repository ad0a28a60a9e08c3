// SPDX-License-Identifier: Apache-2.0

/// Why sound cannot be processed as asked.
public enum AudioProcessingError: Error, Sendable, Hashable {
  /// A sample rate is not positive, or too high.
  case sampleRate(Int)
  /// One rate is more than `Resampler.greatestFactor` times the other.
  case rates(from: Int, to: Int)
  /// The parameters of a filter are not usable.
  case filter(String)
  /// Samples have another number of channels than what takes them.
  case channelCount(Int, expected: Int)
  /// Samples have another rate than what takes them.
  case rate(Int, expected: Int)
  /// Interleaved samples end within a frame.
  case partialFrame(sampleCount: Int, channelCount: Int)
  /// A window, a hop or a buffer of no frames, or of too many.
  case frameCount(Int)
  /// The result would take more memory than `Limits.audioByteCount`.
  case tooLarge(limit: Int)
}

extension AudioProcessingError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .sampleRate(let rate): "impossible sample rate \(rate)"
    case .rates(let from, let to):
      "cannot resample from \(from) to \(to) Hz: one is more than"
        + " \(Resampler.greatestFactor) times the other"
    case .filter(let reason): "resampling filter with \(reason)"
    case .channelCount(let count, let expected): "\(count) channels where \(expected) are needed"
    case .rate(let rate, let expected): "\(rate) Hz where \(expected) Hz are needed"
    case .partialFrame(let samples, let channels):
      "\(samples) samples are no whole number of frames of \(channels) channels"
    case .frameCount(let count): "impossible number of frames \(count)"
    case .tooLarge(let limit): "the sound would take more than the limit of \(limit) bytes"
    }
  }
}
