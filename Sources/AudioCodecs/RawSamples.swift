// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// Samples without a header, whose rate and channels are known from elsewhere.
///
/// `ffmpeg -f s16le`, `-f f32le` and alike, `sox -t raw` and sound devices give these.
///
/// ```swift
/// let clip = try RawSamples(.integer(byteCount: 2), channelCount: 1, sampleRate: 16_000)
///   .decode(bytes)
/// ```
public struct RawSamples: Sendable, Hashable {
  /// How a sample is stored.
  public let encoding: SampleEncoding
  /// The order of its bytes.
  public let order: ByteOrder
  /// How many channels take turns.
  public let channelCount: Int
  /// Frames per second.
  public let sampleRate: Int

  /// A description of the samples.
  ///
  /// - Precondition: `channelCount` and `sampleRate` are positive, and the encoding is one that
  ///   exists.
  public init(
    _ encoding: SampleEncoding, order: ByteOrder = .littleEndian, channelCount: Int = 1,
    sampleRate: Int
  ) {
    precondition(channelCount > 0 && sampleRate > 0, "samples have channels and a rate")
    switch encoding {
    case .integer(let byteCount): precondition((1...4).contains(byteCount), "no such integers")
    case .float(let byteCount): precondition([4, 8].contains(byteCount), "no such numbers")
    case .aLaw, .muLaw: break
    }
    self.encoding = encoding
    self.order = order
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Decodes samples.
  ///
  /// - Parameters:
  ///   - bytes: Whole frames.
  ///   - limits: What decoding may spend: `audioByteCount`.
  /// - Returns: The samples; `AudioClip` says how they are scaled.
  /// - Throws: `AudioFileError` for bytes that end within a frame, and for too many of them.
  public func decode(
    _ bytes: Span<UInt8>, limits: Limits = Limits()
  ) throws(AudioFileError) -> AudioClip {
    let (frame, overflow) = encoding.byteCount.multipliedReportingOverflow(by: channelCount)
    guard !overflow, bytes.count % frame == 0 else {
      throw AudioFileError(
        .partialFrame(byteCount: bytes.count, frameByteCount: overflow ? .max : frame),
        at: bytes.count)
    }
    let samples = try WAV.samples(
      bytes, from: 0, count: bytes.count / encoding.byteCount, encoding, order, limits)
    return AudioClip(samples: samples, channelCount: channelCount, sampleRate: sampleRate)
  }

  /// Decodes samples held in an array.
  ///
  /// - Parameters:
  ///   - bytes: Whole frames.
  ///   - limits: What decoding may spend: `audioByteCount`.
  /// - Returns: The samples; `AudioClip` says how they are scaled.
  /// - Throws: `AudioFileError` for bytes that end within a frame, and for too many of them.
  public func decode(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(AudioFileError) -> AudioClip {
    try decode(bytes.span, limits: limits)
  }
}
