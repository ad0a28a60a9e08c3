// SPDX-License-Identifier: Apache-2.0

public import ResourceLimits

/// Files of Microsoft and IBM's Waveform Audio File Format.
///
/// RIFF, RIFX (all numbers big-endian), RF64 and BW64 (sizes of 64 bits) are read, with integer
/// samples of 1 to 32 bits, IEEE floating-point samples of 32 and 64 bits, A-law and mu-law, plain or
/// as `WAVE_FORMAT_EXTENSIBLE`, at any rate and with any number of channels. Chunks that say nothing
/// of the samples are skipped.
///
/// ```swift
/// let clip = try WAV.decode(bytes)
/// print(clip.duration, clip.sampleRate, clip.channelCount)
/// ```
///
/// Specifications: "Multimedia Programming Interface and Data Specifications 1.0" (1991), "Multiple
/// Channel Audio Data and WAVE Files" (2007), EBU Tech 3306, ITU-R BS.2088.
public enum WAV {
  /// What a WAV file contains, without its samples.
  public struct Summary: Sendable, Hashable {
    /// How samples are stored.
    public let format: WAVFormat
    /// The order of the bytes of numbers.
    public let order: ByteOrder
    /// The bytes of the file that are samples.
    public let data: Range<Int>
    /// How many whole frames there are.
    public let frameCount: Int
    /// The count in the chunk `fact`, which files with other samples than integers have; it is
    /// often wrong, and nothing here depends on it.
    public let announcedFrameCount: UInt64?
  }

  /// What the file contains.
  ///
  /// - Parameter file: The bytes of the file.
  /// - Returns: The format, and where the samples are.
  /// - Throws: `AudioFileError` for everything that is wrong with the file.
  public static func summary(of file: Span<UInt8>) throws(AudioFileError) -> Summary {
    let chunks = try WAVChunks(file)
    return Summary(
      format: chunks.format, order: chunks.order, data: chunks.data,
      frameCount: chunks.data.count / chunks.format.frameByteCount,
      announcedFrameCount: chunks.announcedFrameCount)
  }

  /// Decodes a WAV file.
  ///
  /// Bytes after the last whole frame are ignored. The file may be one that a program wrote to a
  /// pipe, without knowing its size; one that ends before its declared end is refused.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend: `audioByteCount`.
  /// - Returns: The samples; `AudioClip` says how they are scaled.
  /// - Throws: `AudioFileError` for everything that is wrong with the file.
  public static func decode(
    _ file: Span<UInt8>, limits: Limits = Limits()
  ) throws(AudioFileError) -> AudioClip {
    let summary = try summary(of: file)
    let count = summary.frameCount * summary.format.channelCount
    let samples = try Self.samples(
      file, from: summary.data.lowerBound, count: count, summary.format.encoding, summary.order,
      limits)
    return AudioClip(
      samples: samples, channelCount: summary.format.channelCount,
      sampleRate: summary.format.sampleRate)
  }

  /// Decodes a WAV file held in an array.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: What decoding may spend: `audioByteCount`.
  /// - Returns: The samples; `AudioClip` says how they are scaled.
  /// - Throws: `AudioFileError` for everything that is wrong with the file.
  public static func decode(
    _ file: [UInt8], limits: Limits = Limits()
  ) throws(AudioFileError) -> AudioClip {
    try decode(file.span, limits: limits)
  }

  /// The samples in `file` from byte `start` on, if they fit the limits.
  static func samples(
    _ file: Span<UInt8>, from start: Int, count: Int, _ encoding: SampleEncoding,
    _ order: ByteOrder, _ limits: Limits
  ) throws(AudioFileError) -> [Float] {
    let byteCount = UInt64(count) * 4
    guard byteCount <= UInt64(max(0, limits.audioByteCount)) else {
      throw AudioFileError(
        .tooLarge(byteCount: byteCount, limit: limits.audioByteCount), at: start)
    }
    var samples: [Float] = []
    samples.reserveCapacity(count)
    encoding.decode(file, from: start, count: count, order: order, to: &samples)
    return samples
  }
}
